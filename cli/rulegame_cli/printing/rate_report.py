"""The rating of players, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulegame.wording import counted
from rulegame_cli.printing.simulate_report import between, percent
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import Style, one_line

if TYPE_CHECKING:
    from rulegame.rating import Rating, Standing


def rating_text(rating: Rating, style: Style) -> str:
    """A table of the players, best first, and one of each against each."""
    table = _standings(rating)
    lines = [style.bold(one_line(rating.title)), *_how(rating), "", style.bold(table[0])]
    lines += table[1:]
    if len(rating.standings) > 2 and not _is_alone(rating):
        lines += ["", style.bold("Scores, row against column"), *_against(rating)]
    return "".join(f"{line}\n" for line in lines)


def _is_alone(rating: Rating) -> bool:
    return all(first == second for first, second in (p.players for p in rating.pairings))


def _how(rating: Rating) -> Iterator[str]:
    games = rating.pairings[0].games
    each = "each player" if _is_alone(rating) else "each pair"
    where = "" if rating.seats == 1 else ", in all seats"
    played = f"{counted(rating.games, 'game')}, seed {rating.seed}"
    yield f"{played}: {each} {counted(games, 'game')}{where}"
    if rating.unfinished:
        left = counted(rating.unfinished, "game")
        yield f"Unfinished after {rating.max_moves:,} moves, counted as draws: {left}"


def _standings(rating: Rating) -> list[str]:
    ordered = [rating.standings[number] for number in rating.ranked]
    scored = any(one.wins or one.draws or one.losses for one in ordered)
    heading = ["Player", "games"]
    heading += ["wins", "draws", "losses", "score", "95% interval"] if scored else []
    heading += ["mean payoff", "95% interval"] if ordered[0].payoff is not None else []
    return columns([heading, *(_row(one, scored) for one in ordered)])


def _row(one: Standing, scored: bool) -> list[str]:
    row = [f"  {one_line(one.player)}", f"{one.games:,}"]
    if scored:
        row += [f"{count:,}" for count in (one.wins, one.draws, one.losses)]
        row += [percent(one.score), between(one.interval)]
    if one.payoff is not None:
        low, high = one.payoff.interval
        row += [f"{one.payoff.value:+.4f}", f"{low:+.4f} to {high:+.4f}"]
    return row


def _against(rating: Rating) -> list[str]:
    names = [one_line(rating.standings[number].player) for number in rating.ranked]
    rows = [["", *names]]
    for name, number in zip(names, rating.ranked, strict=True):
        scores = [rating.score(number, other) for other in rating.ranked]
        rows.append([f"  {name}", *("" if s is None else percent(s) for s in scores)])
    return columns(rows)


def as_data(rating: Rating) -> dict[str, Any]:
    """The same for programs; players in the order in which they were given."""
    names = [one.player for one in rating.standings]
    return {
        "title": rating.title,
        "games": rating.games,
        "seed": rating.seed,
        "max_moves": rating.max_moves,
        "unfinished": rating.unfinished,
        "players": [
            {
                "player": one.player,
                "games": one.games,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
                "score": one.score,
                "interval": list(one.interval),
                "payoff": None
                if one.payoff is None
                else {"mean": one.payoff.value, "interval": list(one.payoff.interval)},
            }
            for one in rating.standings
        ],
        "pairs": [
            {
                "players": list(dict.fromkeys(names[number] for number in pairing.players)),
                "games": pairing.games,
                "unfinished": pairing.unfinished,
                "score": pairing.score,
                "interval": list(pairing.interval),
            }
            for pairing in rating.pairings
        ],
    }
