"""The server's side of all tables: who is connected, who is told what, and which worker does it."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from rulegame.playing.seating import REPLY_PAUSE
from rulegame_studio.connections import Peer
from rulegame_studio.keys import TableKeys, new_table, read_keys, write_keys
from rulegame_studio.limits import LIMITS
from rulegame_studio.places import delete_table
from rulegame_studio.processes import Pool, Worker, WorkerLost

Reply = dict[str, Any]
TRIES: Final = 3  # workers that a table may cost
LOST: Final = "This took too long and was stopped. The game continues from the last move."
HOPELESS: Final = "This game needs too much time or memory and cannot continue here."
MOST_BRANCHES: Final = 50  # of a table
RATED: Final = "{} of {} positions, rated in {:g} s."
RATE_GRACE: Final = 5.0  # seconds that one position may take beyond the time of a review
QUICK: Final = frozenset({"random", "greedy", "easy", "medium"})  # players that go first;
SLICED: Final = QUICK | {"hard", "search"}  # they and others that think in slices
MOST_THOUGHTS: Final = 8  # of slower players in a process, each with a tree in memory
NICENESS: Final = 10  # of the processes for hints, reviews and players that cannot be interrupted


class Full(Exception):
    """There is no room for more."""


class Problem(Exception):
    """An answer that says what is wrong."""

    def __init__(self, status: int, text: str, problems: list[str] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.problems = problems or []


class Seating:
    """One table while somebody is connected, or a computer thinks."""

    def __init__(self, table: str, keys: TableKeys, worker: Worker) -> None:
        self.table = table
        self.keys = keys
        self.worker = worker
        self.peers: list[Peer] = []
        self.busy = asyncio.Lock()  # one thing after the other
        self.thinking: asyncio.Task[None] | None = None
        self.closing: asyncio.TimerHandle | None = None
        self.wanted: set[tuple[Peer, object]] = set()  # hints and reviews in progress
        self.branches = 0
        self.wishes = self.granted = 0  # to be told how things stand
        self.handover: int | None = None  # for whose eyes alone a shared screen must be
        self.over = False  # nobody has to come back for this game
        self.player: str | None = None  # the computer player that has to move
        self.moved = 0.0  # when a move was last shown

    def present(self) -> list[bool]:
        """Who is there."""
        here = {peer.audience for peer in self.peers}
        screen = "screen" in here
        return [
            f"seat:{seat}" in here or (key is None and screen)
            for seat, key in enumerate(self.keys.seats)
        ]

    def audiences(self) -> list[str]:
        """All who are to be told."""
        return sorted({audience_of(peer) for peer in self.peers})


def audience_of(peer: Peer) -> str:
    """A shared screen that is for one player alone gets what that one sees."""
    return peer.audience if peer.ready is None else f"{peer.audience}:{peer.ready}"


class Lobby:
    """All tables of a studio."""

    def __init__(self, folder: str, cores: int | None = None) -> None:
        count = max(2, min(4, cores or os.cpu_count() or 2))
        self._tables = Pool(count, folder)
        self._library = Pool(1, folder)
        cores = cores or os.cpu_count() or 1
        self._thinking = Pool(cores, folder)
        self._analysis = Pool(cores, folder, NICENESS)
        self._thoughts = asyncio.Semaphore(MOST_THOUGHTS * cores)
        self._open: dict[str, Seating] = {}
        self._sockets = 0
        self._warmed = False  # whether the first process for hints and reviews was started
        self._tasks: set[asyncio.Task[None]] = set()
        self._cuts: dict[tuple[str, str], list[int]] = {}
        self._lost: Counter[str] = Counter()  # workers, by the table that cost them

    async def end(self) -> None:
        """End everything; all moves are on disk."""
        for task in list(self._tasks):
            task.cancel()
        pools = (self._tables, self._library, self._thinking, self._analysis)
        await asyncio.gather(*(pool.end() for pool in pools))

    # ---- the library

    async def library(self, request: Mapping[str, Any]) -> Reply:
        """What is known of a game; it may be any file, so that a process can be ended for it.
        Cards, of which there may be hundreds, let others go first.
        """
        urgent = request["op"] != "card"
        try:
            reply = await self._library.ask(request, LIMITS.load_seconds, urgent)
        except WorkerLost:
            raise Problem(503, "This ruleset needs too much time or memory.") from None
        return checked(reply)

    async def explain(self, game: str, wanted: Mapping[str, Any]) -> Reply:
        """Who wins with best play, and why."""
        request = {"op": "explain", "game": game, "wanted": wanted}
        try:
            reply = await self._analysis.ask(request, LIMITS.explain_seconds + LIMITS.load_seconds)
        except WorkerLost:
            raise Problem(503, "This game needs too much time or memory.") from None
        return checked(reply)

    # ---- tables

    def _worker(self) -> Worker:
        """The worker with the fewest tables."""
        counts = {id(worker): 0 for worker in self._tables.workers}
        for seating in self._open.values():
            counts[id(seating.worker)] += 1
        return min(self._tables.workers, key=lambda worker: counts[id(worker)])

    def _seating(self, table: str, keys: TableKeys) -> Seating:
        found = self._open.get(table)
        if found is None:
            if len(self._open) >= LIMITS.tables:
                raise Full
            found = self._open[table] = Seating(table, keys, self._worker())
        return found

    async def create(self, wanted: Mapping[str, Any]) -> tuple[str, TableKeys]:
        """A new table."""
        await self.library({"op": "check", "game": wanted.get("game"), "wanted": wanted})
        request = {"op": "create", "wanted": wanted}
        return await self._lay(request, wanted.get("screen") is True, None)

    async def _lay(
        self, request: dict[str, Any], shared: bool, worker: Worker | None
    ) -> tuple[str, TableKeys]:
        if len(self._open) >= LIMITS.tables:
            raise Full
        table, chosen = new_table(), worker or self._worker()
        key = "table" if request["op"] == "create" else "new"
        try:
            reply = checked(await chosen.ask({**request, key: table}, LIMITS.load_seconds))
        except WorkerLost:
            raise Problem(503, LOST) from None
        keys = TableKeys.made(reply["seats"], shared)
        if request["op"] == "rematch":
            keys = replace(keys, moved=tuple(reply["moved"]))
        write_keys(table, replace(keys, moved=()))
        seating = Seating(table, replace(keys, moved=()), chosen)
        self._open[table] = seating
        self._follow(seating, reply)
        self._close_later(seating)
        return table, keys

    async def _ask(self, seating: Seating, request: Mapping[str, Any]) -> Reply:
        """Ask the table's worker; once more if that one was lost, from what is on disk."""
        whole = {
            "present": seating.present(),
            "audiences": seating.audiences(),
            **request,
            "table": seating.table,
        }
        while self._lost[seating.table] < TRIES:
            try:
                reply = await seating.worker.ask(whole, LIMITS.act_seconds)
            except WorkerLost:
                self._lost[seating.table] += 1
                if request["op"] in ("act", "answer", "computer"):
                    again = await self._ask(seating, {"op": "frames", "grow": True})
                    return {**again, "refused": LOST}
            else:
                if request["op"] in ("act", "computer") and "refused" not in reply:
                    del self._lost[seating.table]  # the game goes on
                return reply
        raise Problem(503, HOPELESS)

    # ---- who comes and goes

    async def enter(self, table: str, key: str, peer: Peer) -> Seating:
        """Somebody connects; from now on they are told everything."""
        keys = read_keys(table)
        audience = None if keys is None else keys.audience(key)
        if keys is None or audience is None:
            raise Problem(404, "No such table, or the link is not valid.")
        if self._sockets >= LIMITS.sockets:
            raise Full
        seating = self._seating(table, keys)
        if len(seating.peers) >= LIMITS.sockets_at_table:
            raise Full
        peer.audience = audience
        if not self._warmed:
            self._warmed = True
            self._spawn(self._warm_up())
        self._sockets += 1
        seating.peers.append(peer)
        if seating.closing is not None:
            seating.closing.cancel()
            seating.closing = None
        try:
            await self.refresh(seating)
        except Problem:
            self.leave(seating, peer)
            raise
        return seating

    def leave(self, seating: Seating, peer: Peer) -> None:
        """Somebody is gone."""
        if peer not in seating.peers:
            return
        seating.peers.remove(peer)
        self._sockets -= 1
        if seating.peers:
            self._spawn(self._refreshed(seating))
        else:
            self._close_later(seating)

    async def _refreshed(self, seating: Seating) -> None:
        try:
            await self.refresh(seating)
        except Problem as problem:
            self._tell_all(seating, {"kind": "gone", "text": str(problem)})

    def _close_later(self, seating: Seating) -> None:
        loop = asyncio.get_running_loop()
        if seating.closing is not None:
            seating.closing.cancel()
        wait = LIMITS.over_seconds if seating.over else LIMITS.idle_seconds
        seating.closing = loop.call_later(wait, lambda: self._spawn(self._close(seating)))

    async def _close(self, seating: Seating) -> None:
        """Nobody is left: others, at a terminal for instance, may go on with the game."""
        async with seating.busy:
            if seating.peers or seating.thinking is not None:
                if not seating.peers:
                    self._close_later(seating)
                return
            self._open.pop(seating.table, None)
            for known in [key for key in self._cuts if key[0] == seating.table]:
                del self._cuts[known]
            try:
                request = {"op": "close", "table": seating.table}
                await seating.worker.ask(request, LIMITS.act_seconds)
            except WorkerLost:
                return

    async def delete(self, table: str) -> None:
        """Delete a table and its save; whoever sits there is told."""
        if read_keys(table) is None:
            raise Problem(404, "No such table.")
        seating = self._open.pop(table, None)
        if seating is not None:
            self._tell_all(seating, {"kind": "gone", "text": "This game was deleted."})
            async with seating.busy:
                with suppress(WorkerLost):
                    request = {"op": "close", "table": table}
                    await seating.worker.ask(request, LIMITS.act_seconds)
        delete_table(table)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- telling

    async def refresh(self, seating: Seating) -> None:
        """Tell all how things stand: once for all who wait for that."""
        seating.wishes += 1
        mine = seating.wishes
        async with seating.busy:
            if seating.granted >= mine:
                return
            seating.granted = seating.wishes
            reply = checked(await self._ask(seating, {"op": "frames", "grow": True}))
            self._publish(seating, reply)
            self._follow(seating, reply)

    def _publish(self, seating: Seating, reply: Reply) -> None:
        frames = reply["frames"]
        if reply["over"] and not seating.over:
            self._spawn(self._prepare_review(seating))
        seating.handover, seating.over = reply["handover"], reply["over"]
        texts: dict[str, str] = {}
        for peer in list(seating.peers):
            if peer.ready is not None and peer.ready != reply["handover"]:
                peer.ready = None
            audience = audience_of(peer)
            if audience not in frames:
                if "private" not in reply:
                    self._spawn(self._refreshed(seating))
                continue
            if audience not in texts:
                data = {**frames[audience], "rematch": self._rematch_path(seating, peer)}
                texts[audience] = dumps(data)
            peer.tell(texts[audience])

    def _rematch_path(self, seating: Seating, peer: Peer) -> str | None:
        """The place at the table that follows, for whoever sits here."""
        table = seating.keys.rematch
        keys = read_keys(table) if table else None
        if keys is None:
            return None
        role, _, seat = peer.audience.partition(":")
        if role == "seat":
            role = f"seat:{seating.keys.moved[int(seat)]}"
        key = keys.key_of(role)
        return None if key is None else f"/table/{table}/{key}"

    def _tell_all(self, seating: Seating, data: Reply) -> None:
        text = dumps(data)
        for peer in seating.peers:
            peer.tell(text)

    # ---- what people do

    async def act(self, seating: Seating, peer: Peer, message: Mapping[str, Any]) -> None:
        """One message of somebody who is connected."""
        kind = message.get("kind")
        if kind in ("ready", "away"):
            await self._hand_over(seating, peer, message if kind == "ready" else {})
        elif kind in ("hint", "review"):
            if (peer, kind) not in seating.wanted:  # once is enough
                seating.wanted.add((peer, kind))
                self._spawn(self._think_for(seating, peer, str(kind)))
        elif kind in ("rematch", "branch"):
            await self._follow_up(seating, peer, message)
        elif kind == "refresh":
            await self.refresh(seating)
        elif kind == "share":
            cuts, at = self._cuts.get((seating.table, peer.audience), []), message.get("at")
            cut = cuts[at] if isinstance(at, int) and 0 <= at < len(cuts) else None
            reply = checked(await self._ask(seating, {"op": "position", "cut": cut}))
            peer.tell(dumps({"kind": "position", "path": reply["path"]}))
        else:
            await self._decide(seating, peer, message)

    async def _decide(self, seating: Seating, peer: Peer, message: Mapping[str, Any]) -> None:
        async with seating.busy:
            op = "answer" if message["kind"] in ("answer", "back") else "act"
            request = {"op": op, "by": audience_of(peer), "message": message}
            reply = checked(await self._ask(seating, request))
            refused = reply.get("refused")
            if refused:
                peer.tell(dumps({"kind": "refused", "text": refused}))
            if not refused or refused == LOST:
                self._publish(seating, reply)
            self._follow(seating, reply)

    async def _hand_over(self, seating: Seating, peer: Peer, message: Mapping[str, Any]) -> None:
        if peer.audience == "screen":
            seat = message.get("seat")
            mine = seat is not None and seat is not True and seat == seating.handover
            peer.ready = seating.handover if mine else None
            await self.refresh(seating)

    # ---- computers

    def _follow(self, seating: Seating, reply: Reply) -> None:
        """Let a computer think whose turn it is."""
        if reply["player"] is not None and seating.thinking is None and seating.peers:
            loop = asyncio.get_running_loop()
            seating.player, seating.moved = reply["player"], loop.time()
            seating.thinking = task = loop.create_task(self._let_think(seating))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _let_think(self, seating: Seating) -> None:
        """Moves of computers, one after the other, until a person is asked."""
        try:
            while seating.peers and await self._let_choose(seating):
                pass
        except Problem as problem:
            self._tell_all(seating, {"kind": "refused", "text": str(problem)})
        finally:
            seating.thinking = None
            if not seating.peers:
                self._close_later(seating)

    async def _let_choose(self, seating: Seating) -> bool:
        now = asyncio.get_running_loop().time
        chosen = await self._chosen(seating)
        if chosen is None:
            return False
        await asyncio.sleep(seating.moved + REPLY_PAUSE - now())
        async with seating.busy:
            reply = checked(await self._ask(seating, {"op": "computer", **chosen}))
            self._publish(seating, reply)
            seating.player, seating.moved = reply["player"], now()
        return reply["player"] is not None

    async def _chosen(self, seating: Seating) -> Reply | None:
        """The computer's move: of a simpler player where one fails or takes too long; None if no
        computer has to move. A process that was lost may have been so through another table.
        """
        assert seating.player is not None
        for player in (seating.player, seating.player, "easy", "random"):
            try:
                if player in QUICK:
                    job, reply = await self._choose(seating, player)
                else:
                    async with self._thoughts:
                        job, reply = await self._choose(seating, player)
            except WorkerLost:
                continue
            if job is None:
                return None
            if isinstance(reply.get("move"), str):
                found = {"text": reply["move"], "player": reply["player"]}
                return {"seat": job["seat"], "version": job["version"], **found}
        raise Problem(503, "The computer found no move.")

    async def _choose(self, seating: Seating, player: str) -> tuple[Reply | None, Reply]:
        """A choice, slice by slice: between two, others have their turn, quick players first."""
        urgent, sliced = player in QUICK, player.partition(":")[0] in SLICED
        pool = self._thinking if sliced else self._analysis
        seconds = LIMITS.slice_seconds if sliced else LIMITS.think_seconds
        worker = pool.least(seating.table)
        request = {"for": "choose", "by": "watch", "player": player}
        job, reply = await self._think(seating, worker, request, seconds, urgent)
        while "thinking" in reply:
            going = {"op": "go_on", "job": {"table": seating.table, "urgent": urgent}}
            reply = await worker.ask(going, seconds, urgent)
        if "out_of_step" in reply:
            raise WorkerLost
        return job, reply

    async def _think(
        self,
        seating: Seating,
        worker: Worker,
        request: Reply,
        seconds: float,
        urgent: bool = True,
    ) -> tuple[Reply | None, Reply]:
        """A job of a table, and what a worker makes of it, which follows the table's match."""
        reply: Reply = {"out_of_step": True}
        while "out_of_step" in reply:
            wanted = {"op": "job", "since": worker.known.pop(seating.table, 0), **request}
            async with seating.busy:
                job: Reply | None = checked(await self._ask(seating, wanted))["job"]
            if job is None:
                return None, {}
            count: int = job["count"]
            job["urgent"] = urgent
            reply = await worker.ask({"op": request["for"], "job": job}, seconds, urgent)
        worker.known[seating.table] = count
        return job, reply

    async def _warm_up(self) -> None:
        """Start the process that the first hint or review needs, once somebody plays."""
        with suppress(WorkerLost):
            await self._analysis.ask({"op": "warm"}, LIMITS.load_seconds)

    async def _prepare_review(self, seating: Seating) -> None:
        """Let a process follow a game that is over: its review is there at once."""
        worker = self._analysis.least(seating.table)
        request = {"for": "follow", "by": "watch"}
        with suppress(WorkerLost, Problem):
            await self._think(seating, worker, request, LIMITS.review_seconds, urgent=False)

    async def _think_for(self, seating: Seating, peer: Peer, kind: str) -> None:
        """A hint, or the review."""
        try:
            worker = self._analysis.least(seating.table)
            request = {"for": kind, "by": audience_of(peer)}
            job, reply = await self._think(seating, worker, request, LIMITS.review_seconds)
            assert job is not None
            checked(reply)
            if kind == "review":
                self._cuts[seating.table, peer.audience] = reply.pop("cuts")
            peer.tell(dumps({"kind": kind, "version": job["version"], **reply}))
            if kind == "review" and reply["order"]:
                await self._rate(seating, peer, worker, job, reply["order"])
        except WorkerLost:
            peer.tell(dumps({"kind": "refused", "text": "This takes too long to compute."}))
        except Problem as problem:
            peer.tell(dumps({"kind": "refused", "text": str(problem)}))
        finally:
            seating.wanted.discard((peer, kind))

    async def _rate(
        self, seating: Seating, peer: Peer, worker: Worker, job: Reply, rated: list[int]
    ) -> None:
        """The ratings of a review, as they are found and as long as there is time."""
        now = asyncio.get_running_loop().time
        until, done = now() + LIMITS.rate_seconds, 0
        with suppress(WorkerLost):
            while done < len(rated) and (left := until - now()) > 0 and peer in seating.peers:
                part = {"table": job["table"], "at": rated[done:], "seconds": left}
                reply = await worker.ask({"op": "rate", "job": part}, left + RATE_GRACE)
                found = checked(reply).get("ratings")
                if not found:  # the worker no longer knows the review
                    break
                at = rated[done : done + len(found)]
                peer.tell(dumps({"kind": "ratings", "at": at, **reply, "over": False}))
                done += len(found)
        about = "" if done == len(rated) else RATED.format(done, len(rated), LIMITS.rate_seconds)
        peer.tell(dumps({"kind": "ratings", "at": [], "ratings": [], "over": True, "about": about}))

    # ---- tables that follow

    async def _follow_up(self, seating: Seating, peer: Peer, message: Mapping[str, Any]) -> None:
        if peer.audience == "watch":
            peer.tell(dumps({"kind": "refused", "text": "Spectators cannot play."}))
            return
        try:
            if message["kind"] == "rematch":
                await self._rematch(seating)
            else:
                await self._branch(seating, peer, message.get("at"))
        except (Problem, Full) as problem:
            text = "The studio is full." if isinstance(problem, Full) else str(problem)
            peer.tell(dumps({"kind": "refused", "text": text}))

    async def _rematch(self, seating: Seating) -> None:
        async with seating.busy:
            if not seating.keys.rematch:
                request = {"op": "rematch", "table": seating.table}
                shared = seating.keys.screen is not None
                table, keys = await self._lay(request, shared, seating.worker)
                seating.keys = replace(seating.keys, rematch=table, moved=keys.moved)
                write_keys(seating.table, seating.keys)
        await self.refresh(seating)

    async def _branch(self, seating: Seating, peer: Peer, at: object) -> None:
        cuts = self._cuts.get((seating.table, peer.audience), [])
        if not isinstance(at, int) or not 0 <= at < len(cuts):
            raise Problem(400, "Unknown position. Open the review first.")
        seating.branches += 1
        if seating.branches > MOST_BRANCHES:
            raise Full
        request = {"op": "branch", "table": seating.table, "cut": cuts[at]}
        async with seating.busy:
            table, keys = await self._lay(request, True, seating.worker)
        key = keys.screen or keys.watch
        peer.tell(dumps({"kind": "branched", "path": f"/table/{table}/{key}"}))

    async def table_rules(self, table: str, key: str) -> Reply:
        """The rulebook of a table, with its settings."""
        keys = read_keys(table)
        if keys is None or keys.audience(key) is None:
            raise Problem(404, "No such table, or the link is not valid.")
        seating = self._seating(table, keys)
        if not seating.peers and seating.closing is None:
            self._close_later(seating)
        async with seating.busy:
            return checked(await self._ask(seating, {"op": "table_rules"}))


def checked(reply: Reply) -> Reply:
    """A reply without an error."""
    if "error" in reply:
        raise Problem(int(reply.get("status", 500)), reply["error"], reply.get("problems"))
    return reply


def dumps(data: Mapping[str, Any]) -> str:
    """As it goes over a socket."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
