"""What a large sweep or simulation costs on a cluster, reckoned from what a part of it costs here.

    python benchmarks/cluster_costs.py [--settings 12] [--games 1000000] [--before PYTHON]

A setting and a game are measured in seconds of processor time, in one thread, beside whatever else
the machine does.
"""

from __future__ import annotations

import argparse
from time import process_time

import rulegame
from field.versions import Measure, Seconds, add_option, compare_versions
from rulegame.progress import silent
from rulegame.simulation.spreading import GameChunk, play_chunk
from rulegame.workers.packing import pack

CORES = (8, 64, 1000)
GAMES = ("zero_sum_duel", "dice_duel", "pig")
SWEEPS = {"zero_sum_duel": ("start", 10), "dice_duel": ("target", 3), "nim": ("heaps", 0)}


def setting_seconds(name: str, settings: int) -> float:
    """Of processor time, to solve a setting."""
    parameter, begin = SWEEPS[name]
    values = (
        [[n % 9 + 1, n % 7 + 1, n % 5 + 1] for n in range(settings)]
        if parameter == "heaps"
        else list(range(begin, begin + settings))
    )
    began = process_time()
    rulegame.sweep(name, {parameter: values}, jobs=1)
    return (process_time() - began) / settings


def game_seconds(name: str, games: int) -> float:
    """Of processor time, to play a game at random in a worker, where machine code is warm."""
    chunk = GameChunk(pack(rulegame.load(name)), ("random",), 1, 0, 10_000, 1, None, range(games))
    play_chunk(chunk, silent)
    began = process_time()
    play_chunk(chunk, silent)
    return (process_time() - began) / games


def measure_setting(name: str, settings: int) -> Seconds:
    return {"a setting": setting_seconds(name, settings)}


def measure_game(name: str, games: int) -> Seconds:
    return {"a game": game_seconds(name, games)}


def hours(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds > 360 else f"{seconds:,.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--settings", type=int, default=12)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=10, help="with --before")
    add_option(parser)
    options = parser.parse_args()
    if options.before:
        measures = [
            Measure(n, "cluster_costs.measure_setting", (n, options.settings)) for n in SWEEPS
        ]
        measures += [Measure(n, "cluster_costs.measure_game", (n, options.games)) for n in GAMES]
        compare_versions("cluster costs", options.before, measures, options.rounds)
        return
    print("| work | for one | in all |", " | ".join(f"{cores} cores" for cores in CORES), "|")
    rows = [(f"10^6 settings of {n}", setting_seconds(n, options.settings), 1e6) for n in SWEEPS]
    rows += [(f"10^11 games of {n}", game_seconds(n, options.games), 1e11) for n in GAMES]
    for what, one, many in rows:
        spread = " | ".join(hours(one * many / cores) for cores in CORES)
        print(f"| {what} | {one:.3g} s | {hours(one * many)} | {spread} |")


if __name__ == "__main__":
    main()
