"""`rulegame sweep`: a game with a range of parameters, solved or simulated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rulegame_cli.arguments import (
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
    read_fairness,
    read_memory,
    read_seat,
)
from rulegame_cli.commands.simulate import Plan, read_plan
from rulegame_cli.commands.simulate import SimulateOptions as SimulateOptions
from rulegame_cli.opening import open_ruleset
from rulegame_cli.output import check_output, deliver, problems_apart
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.sweep_report import Sweep, csv_text, json_text, table_text
from rulegame_cli.printing.terminal import style_for, visible
from rulegame_cli.usage_errors import WrongCall, settings
from rulegame_cli.varying import plain, read_vary

if TYPE_CHECKING:
    from rulegame.model import Ruleset
    from rulegame.sweeping import Method, Setting

FAIR_WITHIN: Final = 0.05
FORMATS: Final = ("table", "csv", "json")


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """What is varied and how, as the call said it."""

    vary: Sequence[str] = ()
    sets: Sequence[str] = ()
    enable: Sequence[str] = ()
    disable: Sequence[str] = ()
    by: str = ""
    first: str = "1"
    games: str = ""
    seed: str = ""
    players: str = ""
    max_moves: str = ""
    max_states: str = ""
    max_memory: str = ""
    fair_within: str = ""
    format: str = "table"
    jobs: str = ""
    output: str = ""
    no_color: bool = False


def command(
    ruleset: RulesetName,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES", help="10..40, 10..40..5, 1,2,4 or [1,2],[3]. Repeatable."
        ),
    ] = None,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    by: Annotated[
        str, typer.Option(metavar="solve|simulate", help="What is done with each setting.")
    ] = "",
    first: FirstOrAll = "1",
    games: Annotated[str, typer.Option(metavar="NUMBER", help="How many to simulate.")] = "",
    seed: Seed = "",
    players: Annotated[
        str, typer.Option(metavar="random,perfect", help="Who plays the simulated games.")
    ] = "",
    max_moves: Annotated[
        str, typer.Option(metavar="NUMBER", help="Leave a simulated game after so many.")
    ] = "",
    max_states: Annotated[
        str, typer.Option(metavar="NUMBER", help="Give up on a setting beyond so many states.")
    ] = "",
    max_memory: MaxMemory = "",
    fair_within: Annotated[
        str, typer.Option(metavar="NUMBER", help="Up to which advantage a game is fair: 0.05.")
    ] = "",
    report: Annotated[
        str, typer.Option("--format", metavar="table|csv|json", help="How it is printed.")
    ] = "table",
    jobs: Annotated[
        str, typer.Option(metavar="NUMBER", help="Processes; as many as cores if left out.")
    ] = "",
    output: Output = "",
    no_color: NoColor = False,
) -> int:
    """Solve or simulate a game with a range of parameters: which settings are fair?"""
    options = SweepOptions(
        vary or (),
        sets or (),
        enable or (),
        disable or (),
        by,
        first,
        games,
        seed,
        players,
        max_moves,
        max_states,
        max_memory,
        fair_within,
        report,
        jobs,
        output,
        no_color,
    )
    return run(ruleset, options)


def run(name: str, options: SweepOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or no setting came to a result."""
    with problems_apart(options.format != "table"):
        ruleset = open_ruleset(
            name, options.sets, options.enable, options.disable, options.no_color
        )
    if ruleset is None:
        return 1
    if options.format not in FORMATS:
        raise WrongCall(f"--format: expected table, csv or json, not '{options.format}'")
    fixed = _fixed(options)
    vary = read_vary(options.vary, ruleset, list(fixed))
    call = _call(options, ruleset)
    within = read_fairness(options.fair_within)
    check_output(options.output)
    found = _sweep(name, vary, fixed, call)
    if found is None:
        return 1
    by = call["by"]
    seed = call["seed"] if by == "simulate" else None
    result = Sweep(
        ruleset.title, by, seed, FAIR_WITHIN if within is None else within, tuple(vary), found
    )
    deliver(_text(result, options), options.output)
    return 0 if any(not setting.problem for setting in found) else 1


def _fixed(options: SweepOptions) -> dict[str, Any]:
    """The parameters that are the same in all settings."""
    given = settings(options.sets, options.enable, options.disable)
    return {name: plain(name, node) for name, node in given.parameters.items()}


def _call(options: SweepOptions, ruleset: Ruleset) -> dict[str, Any]:
    """What `rulegame.sweep` is called with, beside what is varied."""
    players = len(ruleset.players)
    by = _method(options)
    call: dict[str, Any] = {
        "by": by,
        "enable": tuple(options.enable),
        "disable": tuple(options.disable),
        "jobs": read_count("--jobs", options.jobs),
        "max_memory": read_memory(options.max_memory),
    }
    if by == "simulate":
        plan = _plan(options, players)
        call |= {
            "first": plan.first,
            "games": plan.games,
            "seed": plan.seed,
            "players": plan.players,
            "max_moves": plan.max_moves,
            "max_states": plan.max_states,
        }
    else:
        call["first"] = read_seat(options.first, players)
        max_states = read_count("--max-states", options.max_states)
        if max_states is not None:
            call["max_states"] = max_states
    return call


def _method(options: SweepOptions) -> Method:
    """`--by`; what only simulated games have tells it too."""
    given = {
        "--games": options.games,
        "--seed": options.seed,
        "--players": options.players,
        "--max-moves": options.max_moves,
    }
    simulated = [option for option, text in given.items() if text]
    match options.by.strip().lower():
        case "":
            return "simulate" if simulated else "solve"
        case "solve":
            if simulated:
                raise WrongCall(f"{simulated[0]} is for --by simulate")
            return "solve"
        case "simulate":
            return "simulate"
    raise WrongCall(f"--by: expected solve or simulate, not '{options.by}'")


def _plan(options: SweepOptions, players: int) -> Plan:
    return read_plan(
        SimulateOptions(
            games=options.games,
            seed=options.seed,
            players=options.players or "random",
            first=options.first,
            max_moves=options.max_moves,
            max_states=options.max_states,
        ),
        players,
    )


def _sweep(
    name: str, vary: dict[str, list[Any]], fixed: dict[str, Any], call: dict[str, Any]
) -> tuple[Setting, ...] | None:
    from rulegame.sweeping import WorkersLost, sweep

    try:
        with working() as progress:
            return sweep(name, vary, parameters=fixed, progress=progress, **call)
    except WorkersLost as loss:
        print(f"{loss}; --jobs 1 or --max-memory may help", file=sys.stderr)
    except OSError as error:  # no more processes, no more files
        print(visible(f"the work cannot be done: {error}"), file=sys.stderr)
    return None


def _text(result: Sweep, options: SweepOptions) -> str:
    match options.format:
        case "json":
            return json_text(result)
        case "csv":
            return csv_text(result)
    return table_text(result, style_for(sys.stdout, options.no_color or bool(options.output)))
