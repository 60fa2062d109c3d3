"""How quickly the studio answers when a whole school plays: real sockets, real games.

    python benchmarks/studio_load.py [--tables 100] [--seconds 60] [--warm-up 20] [--pause 5]
    python benchmarks/studio_load.py --tables 50 --computers easy,medium
    python benchmarks/studio_load.py --tables 24 --computers hard

Starts `rulegame studio` with a home of its own, lays the tables, and lets two players at each make
a move every so many seconds. An answer counts from sending the move until the snapshot with it is
there, once for the player who moved and once for the other. At the end tables are laid until the
studio says that it is full.

With `--computers` one person plays at each table against one of these players, and moves a pause
after each reply. Then a reply counts from sending the move until the person is asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

GAMES = ("tic_tac_toe", "connect_four", "zero_sum_duel", "dice_duel", "number_duel", "kuhn_poker")
WANTED = 0.1  # seconds, for 95 of 100 answers
REPLIES = {"easy": 1.5, "medium": 1.5}  # seconds, for 95 of 100 replies of a computer;
SLOW = 30.0  # of any other
RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
Data = dict[str, Any]


class School:
    """All tables, and what was measured at them."""

    def __init__(self, port: int, pause: float, until: float, computers: list[str]) -> None:
        self.port = port
        self.computers = computers
        self.replies: dict[str, list[float]] = {player: [] for player in computers}
        self.pause = pause
        self.until = until
        self.own: list[float] = []
        self.other: list[float] = []
        self.refused = 0

    def post(self, body: Data) -> tuple[int, Data]:
        """Lay a table."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("POST", "/api/tables", json.dumps(body))
        response = connection.getresponse()
        data: Data = json.loads(response.read())
        connection.close()
        return response.status, data

    async def table(self, number: int) -> None:
        """One table, with one game after the other."""
        rng = random.Random(number)
        status, laid = await asyncio.to_thread(self.post, {"game": GAMES[number % len(GAMES)]})
        assert status == 200, laid
        links = laid["links"]["seats"]
        while time.monotonic() < self.until:
            players = [Player(await self._open(link)) for link in links]
            reading = [asyncio.create_task(player.read()) for player in players]
            links = await self._game(players, rng)
            for player, task in zip(players, reading, strict=True):
                await player.socket.close()
                task.cancel()

    async def lonely_table(self, number: int) -> None:
        """One person against a computer, with one game after the other."""
        rng = random.Random(number)
        player = self.computers[number % len(self.computers)]
        seats = [{"kind": "person"}, {"kind": "computer", "player": player}]
        wanted = {"game": GAMES[number % len(GAMES)], "seats": seats}
        status, laid = await asyncio.to_thread(self.post, wanted)
        assert status == 200, laid
        link = laid["links"]["seats"][0]
        while time.monotonic() < self.until:
            person = Player(await self._open(link))
            reading = asyncio.create_task(person.read())
            while time.monotonic() < self.until:
                await asyncio.wait_for(person.asked(), 120)
                if person.seen["over"]:
                    link = (await _rematch([person]))[0]
                    break
                await asyncio.sleep(rng.uniform(0.8, 1.2) * self.pause)
                await self._answered(person, self.replies[player], rng)
            await person.socket.close()
            reading.cancel()

    async def _answered(self, person: Player, replies: list[float], rng: random.Random) -> None:
        began, version = time.monotonic(), person.version
        text = rng.choice(person.moves())
        message = {"kind": "move", "text": text, "version": version}
        await person.socket.send(json.dumps(message))
        self.own.append(await asyncio.wait_for(person.grown(version), 120) - began)
        if not person.seen["over"] and not person.moves():
            replies.append(await asyncio.wait_for(person.asked(), 120) - began)

    async def _open(self, link: str) -> ClientConnection:
        address = f"ws://127.0.0.1:{self.port}{link.replace('/table/', '/socket/')}"
        return await connect(address, max_size=None, compression=None)

    async def _game(self, players: list[Player], rng: random.Random) -> list[str]:
        """One game; the links of the next one."""
        await asyncio.sleep(rng.uniform(0, self.pause))
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(0.8, 1.2) * self.pause / len(players))
            if players[0].seen.get("over"):
                return await _rematch(players)
            mover = next((player for player in players if player.moves()), None)
            if mover is not None:
                await self._move(mover, players, rng)
        return []

    async def _move(self, mover: Player, players: list[Player], rng: random.Random) -> None:
        began = time.monotonic()
        waiting = [asyncio.create_task(player.grown(player.version)) for player in players]
        text = rng.choice(mover.moves())
        message = {"kind": "move", "text": text, "version": mover.version}
        await mover.socket.send(json.dumps(message))
        for player, task in zip(players, waiting, strict=True):
            arrived = await asyncio.wait_for(task, 60)
            (self.own if player is mover else self.other).append(arrived - began)


class Player:
    """A seat, and the last snapshot that it was sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seen: Data = {}
        self.came = asyncio.Condition()
        self.at = 0.0

    @property
    def version(self) -> int:
        return int(self.seen.get("version", 0))

    def moves(self) -> list[str]:
        """The valid moves, if this one is asked."""
        return [move["text"] for move in self.seen.get("moves", ()) if move["valid"]]

    async def read(self) -> None:
        """Take what comes."""
        async for text in self.socket:
            now = time.monotonic()
            data = json.loads(text)
            if data["kind"] == "table":
                async with self.came:
                    self.seen, self.at = data, now
                    self.came.notify_all()

    async def asked(self) -> float:
        """When this one was asked, or the game was over."""
        async with self.came:
            await self.came.wait_for(lambda: bool(self.moves() or self.seen.get("over")))
        return self.at

    async def invited(self) -> None:
        """Until there is another table."""
        async with self.came:
            await self.came.wait_for(lambda: bool(self.seen["rematch"]))

    async def grown(self, version: int) -> float:
        """When a later snapshot came."""
        async with self.came:
            await self.came.wait_for(lambda: self.version > version)
        return self.at


async def _rematch(players: list[Player]) -> list[str]:
    """Both go on to the next table."""
    await players[0].socket.send(json.dumps({"kind": "rematch"}))
    for player in players:
        await asyncio.wait_for(player.invited(), 60)
    return [str(player.seen["rematch"]) for player in players]


def busy(pid: int) -> float:
    """The processor's seconds that a server and its workers have used; 0 if the system does not
    tell.
    """
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid or int(fields[1]) == pid:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def slowness() -> float:
    """How many times longer than on an idle processor a few milliseconds of work take, at the 95th
    of 100: above 2 others keep the machine busy, and the answers tell of them.
    """
    took = []
    for _ in range(100):
        began, used = time.monotonic(), time.process_time()
        sum(range(200_000))
        took.append((time.monotonic() - began) / max(1e-4, time.process_time() - used))
        time.sleep(0.005)
    return sorted(took)[95]


def percentile(values: list[float], share: float) -> float:
    """In milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(name: str, values: list[float]) -> None:
    shares = ", ".join(
        f"{percent} of 100 within {percentile(values, percent / 100):.0f} ms"
        for percent in (50, 90, 95, 99)
    )
    print(f"{name}: {len(values):,} answers, {shares}, the last {1000 * max(values):.0f} ms")


async def measure(port: int, pid: int, wanted: argparse.Namespace) -> tuple[School, float]:
    """All tables at once; and the processor's time for it. What comes before all are at work does
    not count.
    """
    until = time.monotonic() + wanted.warm_up + wanted.seconds
    school = School(port, wanted.pause, until, [c for c in wanted.computers.split(",") if c])
    kind = school.lonely_table if school.computers else school.table
    tables = [asyncio.create_task(kind(number)) for number in range(wanted.tables)]
    await asyncio.sleep(wanted.warm_up)
    for measured in (school.own, school.other, *school.replies.values()):
        measured.clear()
    own = time.process_time()
    before = busy(pid)
    await asyncio.gather(*tables)
    share = (time.process_time() - own) / wanted.seconds
    print(f"load generator: {100 * share:.0f} % of one core")
    return school, busy(pid) - before


def until_full(school: School) -> int:
    """How many more tables can be laid."""
    for count in range(2000):
        status, answer = school.post({"game": "nim"})
        if status == 503:
            print(f"{count} more tables, then: {answer['error']}")
            return count
    raise AssertionError("the studio never says that it is full")


def main() -> None:
    """Measure, print, and fail if it is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm-up", type=float, default=20)
    parser.add_argument("--pause", type=float, default=5, help="between a player's moves")
    parser.add_argument("--computers", default="", help="players: easy,medium")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "rulegame_cli", "studio", str(RULESETS), "--no-browser"]
        server = subprocess.Popen(
            [*command, "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RULEGAME_HOME": home},
        )
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found is not None
            school, used = asyncio.run(measure(int(found[1]), server.pid, wanted))
            if not school.computers:
                until_full(school)
        finally:
            server.terminate()
            server.wait()
    people = wanted.tables if school.computers else 2 * wanted.tables
    print(f"{wanted.tables} tables, {people} people, a move every {wanted.pause:g} s")
    print(f"processor: {1000 * used / len(school.own):.1f} ms for each move, in all processes")
    print(f"work takes up to {slowness():.1f} times as long as on an idle machine")
    passed = [judged("own move", school.own, WANTED)]
    if school.computers:
        passed += [
            judged(f"reply of {player}", values, REPLIES.get(player, SLOW))
            for player, values in school.replies.items()
        ]
    else:
        passed.append(judged("the other's move", school.other, WANTED))
    sys.exit(0 if all(passed) else 1)


def judged(name: str, values: list[float], wanted: float) -> bool:
    """Report some answers; whether 95 of 100 came in time."""
    report(name, values)
    within = sum(one <= wanted for one in values) / len(values)
    print(f"  within {1000 * wanted:.0f} ms: {100 * within:.1f} of 100 (95 are wanted)")
    return within >= 0.95


if __name__ == "__main__":
    main()
