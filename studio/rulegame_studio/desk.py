"""What a worker process does for the server: every request by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulegame.diagnostics import RulesetError
from rulegame.game import GameError
from rulegame.playing.saves import SaveError
from rulegame.playing.saving import CannotSave
from rulegame.playing.seating import player_words, swapped
from rulegame_studio import library
from rulegame_studio.course import Declined, GameCourse
from rulegame_studio.following import failure_text
from rulegame_studio.laying import again, branched, new_header, wanted_game
from rulegame_studio.places import NoSuchGame, Shelf
from rulegame_studio.rules import Rulesets, sentences
from rulegame_studio.snapshots import Around, Asking, Audience, Snapshots, may_branch

Request = Mapping[str, Any]
Reply = dict[str, Any]


class _Open:
    """A table that is open here."""

    def __init__(self, course: GameCourse, game_id: str | None) -> None:
        self.course = course
        self.snapshots = Snapshots(course, game_id)
        self.asking: dict[int, Asking] = {}  # by seat
        self.ask: dict[str, Any] | None = None  # who wants to take a move back


class Desk:
    """The tables and games of one worker."""

    def __init__(self, folder: str) -> None:
        self._rulesets = Rulesets(Shelf(folder))
        self._tables: dict[str, _Open] = {}
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
        except Declined as problem:
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
            case "picture":
                return library.picture(self._rulesets, game)
            case "rules":
                path = self._rulesets.shelf.path_of(game)
                return library.rulebook(self._rulesets.game(path))
            case "choose" | "hint" | "review" | "rate":
                return self._think(op, request)
            case "create":
                return self._create(request)
            case "close":
                self._close(str(request["table"]))
                return {}
            case "table_rules":
                return library.rulebook(self._open(str(request["table"])).course.game)
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
        from rulegame_studio.thinking import Thinker

        if self._thinker is None:
            self._thinker = Thinker(self._rulesets)
        found: Reply = getattr(self._thinker, op)(request["job"])
        return found

    # ---- tables

    def _create(self, request: Request) -> Reply:
        wanted, table = request["wanted"], str(request["table"])
        game = wanted_game(self._rulesets, wanted)
        header = new_header(self._rulesets, game, wanted)
        return self._begun(GameCourse.begin(table, game, header))

    def _begun(self, course: GameCourse) -> Reply:
        self._tables[course.table] = _Open(course, self._id(course))
        return {"seats": list(course.seats), "names": list(course.names), **self._status(course)}

    def _id(self, course: GameCourse) -> str | None:
        return self._rulesets.shelf.id_of(course.header.ruleset)

    def _open(self, table: str) -> _Open:
        found = self._tables.get(table)
        if found is None:
            course = GameCourse.reopen(table, self._rulesets)
            found = self._tables[table] = _Open(course, self._id(course))
        return found

    def _close(self, table: str) -> None:
        found = self._tables.pop(table, None)
        if found is not None:
            found.course.close()

    def _status(self, course: GameCourse) -> Reply:
        """What the server has to know."""
        snapshots = self._tables[course.table].snapshots
        return {
            "over": course.outcome is not None,
            "computer": course.computer,
            "handover": snapshots.handover(),
            "screen_seat": snapshots.screen_seat(),
            "people": list(course.people),
            "title": course.game.ruleset.title,
            "turns": course.session.decisions,
        }

    def _frames(self, table: _Open, request: Request) -> Reply:
        """The snapshots for those who are connected."""
        if request.get("grow"):
            table.snapshots.grow()
        around = Around(request["present"], table.ask)
        frames = {}
        for text in request["audiences"]:
            audience = Audience.read(text)
            data = table.snapshots.data(audience, around)
            if data["many"]:
                data["question"] = self._asking(table, audience).as_data()
            frames[text] = data
        return {"frames": frames, **self._status(table.course)}

    def _asking(self, table: _Open, audience: Audience) -> Asking:
        """The questions that a seat is asked, one after the other."""
        seat = table.snapshots.mover(audience)
        if seat is None:
            raise Declined("It is not your turn.")
        state = table.course.state_for(seat)
        found = table.asking.get(seat)
        if found is None or found.state != state:
            found = table.asking[seat] = Asking(state, seat, table.course.names)
        return found

    # ---- what people do

    def _act(self, request: Request) -> Reply:
        table = self._open(str(request["table"]))
        audience, message = Audience.read(request["by"]), request["message"]
        try:
            self._carry_out(table, audience, message)
        except (Declined, CannotSave, GameError) as problem:
            told = failure_text(problem) if isinstance(problem, GameError) else str(problem)
            return {"refused": told, **self._frames(table, request)}
        table.snapshots.grow()
        self._unsettled.add(table.course.table)
        return self._frames(table, request)

    def _carry_out(self, table: _Open, audience: Audience, message: Request) -> None:
        course = table.course
        match message.get("kind"):
            case "move":
                self._check_version(table, message)
                self._play(table, audience, _text(message.get("text")))
            case "undo":
                self._want_undo(table, audience)
            case "consent":
                self._consent(table, audience, message.get("yes") is True)
            case "resign":
                course.resign(self._resigning(table, audience, message.get("seat")))
                table.ask = None
            case _:
                raise Declined("Unknown request.")

    def _check_version(self, table: _Open, message: Request) -> None:
        """Decline a decision about a position that is no longer on the table."""
        if table.snapshots.is_stale(message.get("version")):
            raise Declined("The position has changed since.")

    def _answer_question(self, request: Request) -> Reply:
        """An answer on the way to a move. How many of them it takes is nobody else's business: only
        who was asked hears of it, until the move is made.
        """
        table = self._open(str(request["table"]))
        audience, message = Audience.read(request["by"]), request["message"]
        seat = table.snapshots.mover(audience)
        if seat is None:
            told = table.course.why_not_asked()
            return {"refused": told, **self._frames(table, request)}
        if message["kind"] == "back":
            table.asking.pop(seat, None)
        else:
            try:
                self._check_version(table, message)
                asking = self._asking(table, audience)
                asking.answer(_text(message.get("text")))
            except (Declined, GameError) as problem:
                told = failure_text(problem) if isinstance(problem, GameError) else str(problem)
                return {"refused": told, **self._frames(table, request)}
            if asking.chosen is not None:
                del table.asking[seat]
                return self._act({**request, "message": {"kind": "move", "text": asking.chosen}})
        return {"private": True, **self._frames(table, {**request, "audiences": [request["by"]]})}

    def _let_play(self, request: Request) -> Reply:
        """The move that a computer has chosen, unless the game has changed since."""
        table = self._open(str(request["table"]))
        seat = request["seat"]
        if table.course.computer == seat and not table.snapshots.is_stale(request["version"]):
            table.course.play(seat, _text(request["text"]))
            table.snapshots.computers[seat] = player_words(str(request["player"]))
            table.ask = None
            table.snapshots.grow()
            self._unsettled.add(table.course.table)
        return self._frames(table, request)

    def settle(self) -> bool:
        """Let what was played outlast a power failure, table by table; False if all of it does."""
        if not self._unsettled:
            return False
        table = self._tables.get(self._unsettled.pop())
        if table is not None:
            table.course.record.settle()
        return True

    def _play(self, table: _Open, audience: Audience, text: str) -> None:
        seat = table.snapshots.mover(audience)
        if seat is None:
            raise Declined(table.course.why_not_asked())
        table.course.play(seat, text)
        table.ask = None

    def _players(self, table: _Open, audience: Audience) -> list[int]:
        """The seats for which an audience may decide."""
        if audience.role == "screen":
            return list(table.course.people)
        if audience.role != "seat" or audience.seat is None:
            raise Declined("Spectators cannot play.")
        return [audience.seat]

    def _want_undo(self, table: _Open, audience: Audience) -> None:
        seats, course = self._players(table, audience), table.course
        if not course.can_undo(seats):
            raise Declined("Nothing to undo.")
        others = [seat for seat in course.people if seat not in seats]
        if not others:
            course.undo(seats)
            return
        if table.ask is not None:
            raise Declined("There is already an open undo request.")
        table.ask = {"kind": "undo", "by": seats[0], "answered": [], "others": others}

    def _consent(self, table: _Open, audience: Audience, yes: bool) -> None:
        ask = table.ask
        seats = self._players(table, audience)
        if ask is None:
            raise Declined("There is no open undo request.")
        if not yes and ask["by"] in seats:  # thought better of it
            table.ask = None
            return
        mine = [seat for seat in seats if seat in ask["others"]]
        if not mine:
            raise Declined("This request is for other players.")
        if not yes:
            table.ask = None
            return
        answered = sorted({*ask["answered"], *mine})
        table.ask = {**ask, "answered": answered}
        if set(ask["others"]) <= set(answered):
            table.ask = None
            table.course.undo([ask["by"]])

    def _resigning(self, table: _Open, audience: Audience, wanted: object) -> int:
        seats = self._players(table, audience)
        if audience.role == "screen":
            asked = table.snapshots.screen_seat()
            wanted = asked if wanted is None else wanted
        else:
            wanted = seats[0]
        if wanted is None and len(seats) == 1:
            wanted = seats[0]
        if wanted not in seats or not isinstance(wanted, int):
            raise Declined("The request does not name who resigns.")
        return wanted

    # ---- thinking and following up

    def _job(self, request: Request) -> Reply:
        """What a thinking process has to know; nothing, if there is nothing to think about."""
        table = self._open(str(request["table"]))
        course, audience = table.course, Audience.read(request["by"])
        job: Reply = {
            "save": course.record.text(),
            "seed": course.header.seed,
            "names": list(course.names),
            "version": table.snapshots.version,
        }
        match request["for"]:
            case "choose":
                seat = course.computer
                if seat is None:
                    return {"job": None}
                job |= {"seat": seat, "player": course.seats[seat]}
            case "hint":
                mover = table.snapshots.mover(audience)
                if mover is None:
                    raise Declined("It is not your turn.")
                job["seat"] = mover
            case _:
                if course.outcome is None:
                    raise Declined("The game is not over. You can review it afterwards.")
                open_ = may_branch(course)
                job["eyes"] = [] if open_ else list(table.snapshots.eyes(audience))
        return {"job": job}

    def _follow_up(self, request: Request) -> Reply:
        """A new table: once more with sides swapped, or from a position of a game that is over."""
        table = self._open(str(request["table"]))
        course, new = table.course, str(request["new"])
        if course.outcome is None:
            raise Declined("The game is not over.")
        if request["op"] == "rematch":
            header = again(course.header)
            begun = GameCourse.begin(new, course.game, header)
            people = swapped(range(len(header.names)), course.game, course.header.first)
            later = swapped(range(len(header.names)), course.game, header.first)
            moved = [later.index(person) for person in people]  # the new seat of each old one
            return {**self._begun(begun), "moved": moved}
        if not may_branch(course):
            raise Declined("No review: the game was resigned, and hidden information stays hidden.")
        cut = request["cut"]
        line = course.session.line
        if not isinstance(cut, int) or not 0 <= cut <= len(line):
            raise Declined("Unknown position.")
        entries = course.line_entries(cut)
        return self._begun(GameCourse.begin(new, course.game, branched(course.header), entries))


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 2000:
        raise Declined("A move must be text.")
    return value
