"""`rulegame sweep`: solve or simulate a game over a range of settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rulegame.extras import require
from rulegame_cli.calling.gathering import ruleset_of
from rulegame_cli.calling.hiring import Hiring, WorkerOptions
from rulegame_cli.calling.opening import open_document, settings
from rulegame_cli.calling.options import (
    OUTPUT,
    PLOT_FILE,
    SETTINGS,
    ReportOptions,
    Texts,
    option,
    repeatable,
)
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.calling.plotting import check_plot, write_plot
from rulegame_cli.calling.simulated import PLAYED_BY, PLAYERS, SimulatedOptions, read_plan
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count, read_fairness, read_first, read_memory
from rulegame_cli.calling.varying import read_vary, refuse_mappings
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.sweep_report import Sweep, csv_text, json_text, table_text

if TYPE_CHECKING:
    from rulegame.loading import RulesetText
    from rulegame.model import Ruleset
    from rulegame.sweeping import Method, SweepResult

FAIR_WITHIN: Final = 0.05


class SweepOptions(SimulatedOptions, WorkerOptions, ReportOptions):
    """Solve or simulate a game over a range of settings and show which are fair."""

    vary: Texts = repeatable(
        "NAME=VALUES",
        "Values of a parameter: 10..40, 10..40..5, 1,2,4 or [1,2],[3]. Repeatable: tries all "
        "combinations.",
        heading=SETTINGS,
    )
    players: str = PLAYED_BY._replace(default="")
    by: str = option("solve|simulate", "Solve or simulate each setting. Default: solve.")
    fair_within: str = option(
        "ADVANTAGE", "Largest advantage that still counts as fair. Default: 0.05."
    )
    format: str = option("table|csv|json", "Output format.", default="table", heading=OUTPUT)
    plot: str = PLOT_FILE


def run(options: SweepOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or no setting came to a result."""
    check_plot(options.plot)
    if _method(options) == "solve":
        require("solve")
    with problems_apart(options.format != "table"):
        ruleset, document = open_document(options.ruleset, options)
    if ruleset is None or document is None:
        return 1
    fixed = _fixed(options)
    vary = read_vary(options.vary, ruleset, document, list(fixed))
    call = _call(options, ruleset)
    hiring = Hiring(options)
    within = read_fairness(options.fair_within)
    found = _sweep(ruleset_of(options.ruleset), vary, fixed, call, hiring)
    by = call["by"]
    seed = call["seed"] if by == "simulate" else None
    result = Sweep(
        ruleset.title, by, seed, FAIR_WITHIN if within is None else within, tuple(vary), found
    )
    write_plot(found, options.plot)
    page(_text(result, options))
    return 0 if any(not setting.problem for setting in found) else 1


def _fixed(options: SweepOptions) -> dict[str, Any]:
    """The parameters that are the same in all settings."""
    given = settings(options).values()
    for name, value in given.items():
        refuse_mappings(name, value)
    return given


def _call(options: SweepOptions, ruleset: Ruleset) -> dict[str, Any]:
    """What `rulegame.sweep` is called with, beside what is varied."""
    by = _method(options)
    call: dict[str, Any] = {
        "by": by,
        "enable": options.enable,
        "disable": options.disable,
    }
    if by == "simulate":
        call |= read_plan(options, options.players or PLAYERS, ruleset)._asdict()
        if len(set(call["players"])) == 1:  # however many there are in a setting
            call["players"] = call["players"][:1]
    else:
        call |= {
            "first": read_first(options.first, ruleset),
            "max_memory": read_memory(options.max_memory),
        }
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
                raise WrongCall(f"{simulated[0]} works only with --by simulate")
            return "solve"
        case "simulate":
            return "simulate"
    raise WrongCall(f"--by: expected solve or simulate, not '{options.by}'")


def _sweep(
    name: str | RulesetText,
    vary: dict[str, list[Any]],
    fixed: dict[str, Any],
    call: dict[str, Any],
    hiring: Hiring,
) -> SweepResult:
    from rulegame.sweeping import sweep

    with hiring.hired() as workers, working() as progress:
        return sweep(name, vary, parameters=fixed, progress=progress, **call, **workers._asdict())


def _text(result: Sweep, options: SweepOptions) -> str:
    match options.format:
        case "json":
            return json_text(result)
        case "csv":
            return csv_text(result)
    return table_text(result, options.style)
