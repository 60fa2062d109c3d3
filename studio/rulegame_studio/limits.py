"""What the studio takes on: beyond it says that it is full, or that something is too large."""

from typing import Final, NamedTuple


class StudioLimits(NamedTuple):
    """The numbers in force."""

    tables: int = 200  # open at a time
    sockets: int = 600
    sockets_at_table: int = 60
    waiting: int = 300  # connections whose request is not complete, in all
    waiting_per_address: int = 100  # and of one client
    request_seconds: float = 15.0  # until a request must be complete
    message_bytes: int = 16_384
    body_bytes: int = 65_536
    messages_per_second: float = 10.0
    messages_at_once: int = 30
    moves: int = 400  # in a list; beyond that they are asked for step by step
    files: int = 500  # of a folder, in the library
    name_length: int = 40
    positions: int = 400  # of a review
    act_seconds: float = 20.0  # what one step of a game may take in a worker
    load_seconds: float = 20.0  # what reading a ruleset may take
    slice_seconds: float = 20.0  # a slice of the thinking of a computer,
    think_seconds: float = 90.0  # and a move of one that cannot be interrupted
    review_seconds: float = 60.0  # a hint, or the positions of a review
    rate_seconds: float = 4.0  # the ratings of a review
    explain_seconds: float = 30.0  # solving a game to say who wins
    explained_states: int = 1_000_000  # of a game that is solved for that
    idle_seconds: float = 20.0  # after the last has left, a table is closed
    over_seconds: float = 1.0  # the same where the game is over
    worker_bytes: int = 3 * 2**30


LIMITS: Final = StudioLimits()
