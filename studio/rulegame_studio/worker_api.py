"""What a worker process does for the server: every request by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from rulegame.diagnostics import RulesetError
from rulegame.game import GameError
from rulegame.playing.conversation import failure_text
from rulegame.playing.match import MatchError
from rulegame.playing.saves import SaveError
from rulegame.playing.saving import CannotSave
from rulegame.playing.seating import player_words, swapped
from rulegame_studio import library
from rulegame_studio.new_game import (
    Declined,
    branched,
    position_path,
    wanted_game,
    wanted_header,
    wanted_position,
)
from rulegame_studio.places import Library, NoSuchGame
from rulegame_studio.rules import Rulesets, sentences
from rulegame_studio.snapshots import Audience
from rulegame_studio.table import Table

Request = Mapping[str, Any]
Reply = dict[str, Any]


class WorkerAPI:
    """The tables and games of one worker."""

    def __init__(self, folder: str) -> None:
        self._rulesets = Rulesets(Library(folder))
        self._tables: dict[str, Table] = {}
        self._thinker: Any = None
        self._unsettled: set[str] = set()

    def answer(self, request: Request) -> Reply:
        """The reply to a request; what is wrong with it is part of the reply."""
        try:
            return self._answer(request)
        except RulesetError as error:
            problems = sentences(error.diagnostics)
            return {"error": "The ruleset is not valid.", "problems": problems, "status": 400}
        except NoSuchGame as problem:
            return {"error": f"{str(problem)[:1].upper()}{str(problem)[1:]}.", "status": 404}
        except (Declined, MatchError) as problem:
            return {"error": str(problem), "status": 400}
        except (SaveError, CannotSave) as problem:
            return {"error": f"Cannot resume this game: {problem}.", "status": 410}
        except GameError as error:
            return {"error": failure_text(error), "status": 400}
        except MemoryError:
            return {"error": "Not enough memory.", "status": 503}

    def _answer(self, request: Request) -> Reply:
        op, game = request["op"], str(request.get("game", ""))
        match op:
            case "card":
                return library.card(self._rulesets, game)
            case "details":
                return library.details(self._rulesets, game)
            case "check":
                return library.check(self._rulesets, game, request["wanted"])
            case "explain":
                return library.explain(self._rulesets, game, request["wanted"])
            case "picture":
                return library.picture(self._rulesets, game)
            case "rules":
                path = self._rulesets.library.path_of(game)
                return library.rulebook(self._rulesets.game(path))
            case "warm" | "choose" | "go_on" | "hint" | "follow" | "review" | "rate":
                return self._think(op, request)
            case "create":
                return self._create(request)
            case "close":
                self._close(str(request["table"]))
                return {}
            case "table_rules":
                return library.rulebook(self._open(str(request["table"])).match.game)
            case "position":
                table = self._open(str(request["table"]))
                return {"path": position_path(table.match, table.game_id, request["cut"])}
            case "frames":
                return self._frames(self._open(str(request["table"])), request)
            case "act":
                return self._act(request)
            case "answer":
                return self._answer_question(request)
            case "computer":
                return self._let_play(request)
            case "job":
                return self._job(request)
            case "rematch" | "branch":
                return self._follow_up(request)
        raise Declined("Unknown request.")

    def _think(self, op: str, request: Request) -> Reply:
        from rulegame_studio.thinking import OutOfStep, Thinker

        if self._thinker is None:
            self._thinker = Thinker(self._rulesets)
        if op == "warm":  # what takes time to load is loaded
            return {}
        try:
            found: Reply = getattr(self._thinker, op)(request["job"])
        except OutOfStep:
            return {"out_of_step": True}
        return found

    # ---- tables

    def _create(self, request: Request) -> Reply:
        game = wanted_game(self._rulesets, request["wanted"])
        header = wanted_header(self._rulesets, game, request["wanted"])
        entries, _ = wanted_position(game, request["wanted"], header.first)
        return self._begun(
            Table.begin(str(request["table"]), game, header, self._rulesets, entries)
        )

    def _begun(self, table: Table) -> Reply:
        self._tables[table.name], match = table, table.match
        return {"seats": list(match.seats), **self._status(table)}

    def _open(self, name: str) -> Table:
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = Table.reopen(name, self._rulesets)
        return found

    def _close(self, name: str) -> None:
        found = self._tables.pop(name, None)
        if found is not None:
            found.match.close()

    def _status(self, table: Table) -> Reply:
        """What the server has to know."""
        match, snapshots = table.match, table.snapshots
        return {
            "over": match.outcome is not None,
            "player": None if match.computer is None else match.seats[match.computer],
            "handover": snapshots.handover(),
        }

    def _frames(self, table: Table, request: Request) -> Reply:
        """The snapshots for those who are connected."""
        if request.get("grow"):
            table.snapshots.grow()
        frames = {}
        for text in request["audiences"]:
            audience = Audience.read(text)
            frames[text] = table.snapshots.data(audience, request["present"])
        return {"frames": frames, **self._status(table)}

    # ---- what people do

    def _act(self, request: Request) -> Reply:
        table = self._open(str(request["table"]))
        audience, message = Audience.read(request["by"]), request["message"]
        try:
            self._carry_out(table, audience, message)
        except (Declined, MatchError, CannotSave, GameError) as problem:
            return {"refused": _refusal(problem), **self._frames(table, request)}
        return self._changed(table, request)

    def _changed(self, table: Table, request: Request) -> Reply:
        """The snapshots after something was played."""
        table.snapshots.grow()
        self._unsettled.add(table.name)
        return self._frames(table, request)

    def _carry_out(self, table: Table, audience: Audience, message: Request) -> None:
        match message.get("kind"):
            case "move":
                self._check_version(table, message)
                seat = table.snapshots.mover(audience)
                if seat is None:
                    raise Declined(table.match.why_not_asked())
                table.play(seat, _text(message.get("text")))
            case "undo":
                table.match.request_undo(self._players(table, audience))
                table.keep_held()
            case "consent":
                agrees = message.get("yes") is True
                table.match.answer_undo(self._players(table, audience), agrees)
                table.keep_held()
            case "resign":
                table.match.resign(self._resigning(table, audience, message.get("seat")))
                table.keep_held()
            case _:
                raise Declined("Unknown request.")

    def _check_version(self, table: Table, message: Request) -> None:
        """Decline a decision about a position that is no longer on the table."""
        if table.snapshots.is_stale(message.get("version")):
            raise Declined("The position has changed.")

    def _answer_question(self, request: Request) -> Reply:
        """An answer on the way to a move. How many of them it takes is nobody else's business: only
        who was asked hears of it, until the move is made.
        """
        table = self._open(str(request["table"]))
        audience, message = Audience.read(request["by"]), request["message"]
        heard, decided = table.snapshots.audience(audience), table.match.changes
        try:
            if heard.ask is None:
                raise Declined(table.match.why_not_asked())
            if message["kind"] == "back":
                heard.restart()
            else:
                self._check_version(table, message)
                heard.answer(_text(message.get("text")))
                table.keep_held()
        except (Declined, GameError) as problem:
            if isinstance(problem, GameError):
                heard.restart()
            return {"refused": _refusal(problem), **self._frames(table, request)}
        if table.match.changes != decided:
            return self._changed(table, request)
        return {"private": True, **self._frames(table, {**request, "audiences": [request["by"]]})}

    def _let_play(self, request: Request) -> Reply:
        """The move that a computer has chosen, unless the game has changed since."""
        table = self._open(str(request["table"]))
        seat = request["seat"]
        if table.match.computer == seat and not table.snapshots.is_stale(request["version"]):
            table.play(seat, _text(request["text"]))
            table.snapshots.computers[seat] = player_words(str(request["player"]))
            return self._changed(table, request)
        return self._frames(table, request)

    def settle(self) -> bool:
        """Let what was played outlast a power failure, table by table; False if all of it does."""
        if not self._unsettled:
            return False
        table = self._tables.get(self._unsettled.pop())
        if table is not None:
            table.match.record.settle()
        return True

    def _players(self, table: Table, audience: Audience) -> list[int]:
        """The seats for which an audience may decide."""
        if audience.role == "screen":
            return list(table.match.people)
        if audience.role != "seat" or audience.seat is None:
            raise Declined("Spectators cannot play.")
        return [audience.seat]

    def _resigning(self, table: Table, audience: Audience, wanted: object) -> int:
        seats = self._players(table, audience)
        if len(seats) == 1:
            return seats[0]
        wanted = table.snapshots.screen_seat() if wanted is None else wanted
        if wanted not in seats or not isinstance(wanted, int):
            raise Declined("The request does not name who resigns.")
        return wanted

    # ---- thinking and following up

    def _job(self, request: Request) -> Reply:
        """What a thinking process has to know, beyond the entries that it has seen; nothing, if
        there is nothing to think about.
        """
        table = self._open(str(request["table"]))
        match, audience = table.match, Audience.read(request["by"])
        since = int(request.get("since", 0))
        known = 0 < since <= len(match.entries)
        job: Reply = {
            "table": table.name,
            "version": table.snapshots.version,
            "save": None if known else match.record.text(),
            "since": since if known else 0,
            "count": len(match.entries),
            "entries": [list(astuple(one)) for one in match.entries[since:]] if known else [],
        }
        match request["for"]:
            case "choose":
                if match.computer is None:
                    return {"job": None}
                match.check_end()
                job |= {"seat": match.computer, "player": request["player"]}
            case "hint":
                mover = table.snapshots.mover(audience)
                if mover is None:
                    raise Declined("It is not your turn.")
                job["seat"] = mover
            case _:
                if match.outcome is None:
                    raise Declined("The game is not over. You can review it afterwards.")
                eyes = table.snapshots.audience(audience).eyes
                job["seat"] = eyes[0] if len(eyes) == 1 else None
        return {"job": job}

    def _follow_up(self, request: Request) -> Reply:
        """A new table: once more with sides swapped, or from a position of a game that is over."""
        table = self._open(str(request["table"]))
        match, new = table.match, str(request["new"])
        if match.outcome is None:
            raise Declined("The game is not over.")
        if request["op"] == "rematch":
            header = match.rematch_header()
            begun = Table.begin(new, match.game, header, self._rulesets)
            people = swapped(range(len(header.names)), match.game, match.first)
            later = swapped(range(len(header.names)), match.game, header.first)
            moved = [later.index(person) for person in people]  # the new seat of each old one
            return {**self._begun(begun), "moved": moved}
        if not match.is_open:
            raise Declined("No review: the game was resigned, and hidden information stays hidden.")
        cut = request["cut"]
        if not isinstance(cut, int) or not 0 <= cut <= len(match.session.line):
            raise Declined("Unknown position.")
        header = branched(match.header)
        steps = match.steps(cut)
        return self._begun(Table.begin(new, match.game, header, self._rulesets, steps))


def _refusal(problem: Exception) -> str:
    return failure_text(problem) if isinstance(problem, GameError) else str(problem)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 2000:
        raise Declined("A move must be text.")
    return value
