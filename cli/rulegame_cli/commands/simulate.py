"""`rulegame simulate`: many games at once, and what came of them."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rulegame_cli.arguments import (
    ALTERNATE,
    AsJson,
    Disable,
    Enable,
    FirstOrAll,
    MaxMemory,
    NoColor,
    Output,
    RulesetName,
    Seed,
    Set,
    read_count,
    read_memory,
    read_players,
    read_seed,
    read_turns,
)
from rulegame_cli.opening import open_game, open_ruleset
from rulegame_cli.output import check_output, deliver, problems_apart
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.simulate_report import report_text
from rulegame_cli.printing.terminal import style_for, visible
from rulegame_cli.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game, GameError
    from rulegame.simulation import Mean, Report, Share, Usage

GAMES: Final = 10_000
PERCENTILES: Final = (5, 25, 50, 75, 95)
LONGEST_STORY: Final = 2000  # characters of the moves that led to an error


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """What is simulated, as the call said it."""

    sets: Sequence[str] = ()
    enable: Sequence[str] = ()
    disable: Sequence[str] = ()
    games: str = ""
    seed: str = ""
    players: str = "random"
    first: str = "1"
    max_moves: str = ""
    max_states: str = ""
    max_memory: str = ""
    batch: str = ""
    as_json: bool = False
    output: str = ""
    no_color: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What the options mean."""

    games: int
    seed: int
    players: tuple[str, ...]
    first: int | None
    max_moves: int
    max_states: int
    max_memory: int | None
    batch: int | None


def read_plan(options: SimulateOptions, players: int) -> Plan:
    """The plan of some options, for a game of so many players."""
    from rulegame.simulation import MAX_MOVES, MAX_STATES

    seed = read_seed(options.seed)
    return Plan(
        read_count("--games", options.games) or GAMES,
        fresh_seed() if seed is None else seed,
        read_players(options.players, players),
        read_turns(options.first, players),
        read_count("--max-moves", options.max_moves) or MAX_MOVES,
        read_count("--max-states", options.max_states) or MAX_STATES,
        read_memory(options.max_memory),
        read_count("--batch", options.batch),
    )


def fresh_seed() -> int:
    """A seed that nobody gave; short enough to be typed again."""
    return secrets.randbelow(10**9)


def command(
    ruleset: RulesetName,
    games: Annotated[str, typer.Option(metavar="NUMBER", help="How many; 10000 if left out.")] = "",
    seed: Seed = "",
    players: Annotated[
        str,
        typer.Option(metavar="random,perfect", help="Who plays, in seat order; or one for all."),
    ] = "random",
    first: FirstOrAll = "1",
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    max_moves: Annotated[
        str, typer.Option(metavar="NUMBER", help="Leave a game unfinished after so many.")
    ] = "",
    max_states: Annotated[
        str, typer.Option(metavar="NUMBER", help="The largest state graph to play over.")
    ] = "",
    max_memory: MaxMemory = "",
    batch: Annotated[
        str, typer.Option(metavar="NUMBER", help="Games side by side; never changes the result.")
    ] = "",
    as_json: AsJson = False,
    output: Output = "",
    no_color: NoColor = False,
) -> int:
    """Play many games at once: who wins how often, by which rules, how long games are."""
    options = SimulateOptions(
        sets or (),
        enable or (),
        disable or (),
        games,
        seed,
        players,
        first,
        max_moves,
        max_states,
        max_memory,
        batch,
        as_json,
        output,
        no_color,
    )
    return run(ruleset, options)


def run(name: str, options: SimulateOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be played that way."""
    with problems_apart(options.as_json):
        ruleset = open_ruleset(
            name, options.sets, options.enable, options.disable, options.no_color
        )
        if ruleset is None:
            return 1
        plan = read_plan(options, len(ruleset.players))
        check_output(options.output)
        game = open_game(name, ruleset, options.no_color)
        if game is None:
            return 1
        report = _simulate(name, game, plan, options.no_color)
        if report is None:
            return 1
    if options.as_json:
        text = json.dumps(as_data(report), indent=2) + "\n"
    else:
        stream = sys.stdout
        style = style_for(stream, options.no_color or bool(options.output))
        text = report_text(report, style, "utf-8" if options.output else stream.encoding)
    deliver(text, options.output)
    return 0


def _simulate(name: str, game: Game, plan: Plan, no_color: bool) -> Report | None:
    from rulegame.exploring import TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.simulation import simulate
    from rulegame.solving import CannotSolve

    try:
        with working() as progress:
            return simulate(
                game,
                plan.games,
                seed=plan.seed,
                players=plan.players,
                first=plan.first,
                batch=plan.batch,
                max_moves=plan.max_moves,
                max_states=plan.max_states,
                max_memory=plan.max_memory,
                progress=progress,
            )
    except (CannotSolve, TooLarge) as refusal:
        why = f"{name} has no perfect players: it cannot be solved: {refusal}"
        print(visible(why), file=sys.stderr)
    except UnknownPlayer as problem:  # one that was registered, and cannot be made
        raise WrongCall(f"--players: {problem}") from None
    except PlayerFailed as failure:
        print(visible(f"{name}: {failure}"), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(_fault_text(error, no_color))
    return None


def _fault_text(error: GameError, no_color: bool) -> str:
    """Where the rules failed, and the moves that led there."""
    story = ", ".join(error.moves) or "none"
    if len(story) > LONGEST_STORY:
        story = f"… {story[-LONGEST_STORY:]}"
    problem = problems_text([error.diagnostic], style_for(sys.stdout, no_color))
    return f"{problem}The moves so far: {visible(story)}\n"


# ---- for programs


def as_data(report: Report) -> dict[str, Any]:
    """The report as JSON has it; seats count from 1."""
    advantage, lengths = report.advantage, report.lengths
    return {
        "title": report.title,
        "games": report.games,
        "seed": report.seed,
        "players": [seat.player for seat in report.seats],
        "first": ALTERNATE if report.first is None else report.first + 1,
        "max_moves": report.max_moves,
        "states": report.states,
        "seats": [
            {
                "seat": number,
                "name": seat.name,
                "player": seat.player,
                "wins": _share(seat.wins),
                "losses": _share(seat.losses),
                "draws": _share(seat.draws),
            }
            for number, seat in enumerate(report.seats, 1)
        ],
        "draws": _share(report.draws),
        "unfinished": _share(report.unfinished),
        "ends": [
            {
                "rule": end.rule,
                "winners": [seat + 1 for seat in end.winners],
                "losers": [seat + 1 for seat in end.losers],
                **_share(end.games),
            }
            for end in report.ends
        ],
        "never": list(report.never),
        "advantage": None
        if advantage is None
        else {
            "value": advantage.value,
            "interval": list(advantage.interval),
            "wins": _share(advantage.wins),
            "losses": _share(advantage.losses),
        },
        "payoffs": None if report.payoffs is None else [_mean(mean) for mean in report.payoffs],
        "lengths": {
            "games": lengths.games,
            "mean": lengths.mean,
            "shortest": lengths.shortest,
            "longest": lengths.longest,
            "percentiles": {str(p): lengths.percentile(p) for p in PERCENTILES},
            "counts": [list(pair) for pair in lengths.counts],
        },
        "operations": [_usage(usage) for usage in report.operations],
        "setup": [_usage(usage) for usage in report.setup],
        "rolls": [_usage(usage) for usage in report.rolls],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"games": share.times, "share": share.share, "interval": list(share.interval)}


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "interval": list(mean.interval)}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "name": usage.name,
        "times": usage.times,
        "share": usage.share,
        "per_game": usage.per_game,
        "in_games": _share(usage.games),
    }
