"""Who may do what: the keys of seats, watchers and shared screens, and those of the studio."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hmac import compare_digest

from rulegame.playing.seating import HUMAN
from rulegame_studio.places import (
    TABLE,
    forget_private,
    private_tables,
    read_private,
    write_private,
)


def new_key() -> str:
    """A text that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_table() -> str:
    """A name for a table, and for its save."""
    return f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(6)}"


def same_key(known: str, given: str) -> bool:
    """Compare keys in constant time."""
    return compare_digest(known.encode(), given.encode())


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a table; None for seats that have none."""

    seats: tuple[str | None, ...]
    watch: str
    screen: str | None
    rematch: str = ""  # the table that follows
    moved: tuple[int, ...] = ()  # the seat there of whoever sits in each seat here

    @staticmethod
    def made(players: Sequence[str], shared: bool) -> TableKeys:
        """New keys for a table at which these sit."""
        people = [spec == HUMAN for spec in players]
        seats = tuple(new_key() if person and not shared else None for person in people)
        return TableKeys(seats, new_key(), new_key() if shared and any(people) else None)

    def audience(self, key: str) -> str | None:
        """Whose key it is: `seat:0`, `watch`, `screen`; None if it is nobody's."""
        roles = [f"seat:{seat}" for seat in range(len(self.seats))] + ["watch", "screen"]
        known = zip((*self.seats, self.watch, self.screen), roles, strict=True)
        found = [role for one, role in known if same_key(one or "", key) and one]
        return found[-1] if found else None

    def key_of(self, audience: str) -> str | None:
        """The key of an audience."""
        role, _, seat = audience.partition(":")
        if role == "seat":
            return self.seats[int(seat)]
        return self.screen if role == "screen" else self.watch


def read_keys(table: str) -> TableKeys | None:
    """The keys of a table; None if there is none of that name."""
    data = read_private(f"{table}.json") if TABLE.fullmatch(table) else None
    if data is None:
        return None
    try:
        return TableKeys(
            tuple(None if key is None else str(key) for key in data["seats"]),
            str(data["watch"]),
            None if data["screen"] is None else str(data["screen"]),
            str(data.get("rematch", "")),
            tuple(int(seat) for seat in data.get("moved", ())),
        )
    except (KeyError, TypeError, ValueError):
        return None


def write_keys(table: str, keys: TableKeys) -> None:
    """Keep the keys of a table."""
    write_private(f"{table}.json", asdict(keys))


@dataclass(frozen=True, slots=True)
class StudioKeys:
    """The keys that `--host` demands: the owner's, and the one in the links of seats."""

    owner: str
    guest: str


def studio_keys() -> StudioKeys:
    """The same after every start, so that links stay good."""
    data = read_private("keys.json") or {}
    owner, guest = data.get("owner"), data.get("guest")
    if not isinstance(owner, str) or not isinstance(guest, str) or len(owner + guest) < 48:
        owner, guest = new_key(), new_key()
        write_private("keys.json", {"owner": owner, "guest": guest})
    return StudioKeys(owner, guest)


def renew_keys() -> None:
    """Replace the studio's keys and those of all tables: nobody gets in with an old link or
    cookie.
    """
    forget_private("keys.json")
    for table in private_tables():
        keys = read_keys(table)
        if keys is not None:
            seats = tuple(None if key is None else new_key() for key in keys.seats)
            screen = None if keys.screen is None else new_key()
            write_keys(table, replace(keys, seats=seats, watch=new_key(), screen=screen))
