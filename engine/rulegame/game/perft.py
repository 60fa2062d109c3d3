"""perft: the number of sequences of moves of a given length; the measure by which implementations
of rules are compared.
"""

from rulegame.game.game import Game, State


def perft(game: Game, depth: int) -> int:
    """How many sequences of exactly `depth` calls of `play` there are from `start(0)`, rolls and
    picks included.
    """
    counts: dict[State, int] = {game.start(0): 1}
    for _ in range(depth):
        following: dict[State, int] = {}
        for state, count in counts.items():
            for move in state.moves:
                after = state.play(move)
                following[after] = following.get(after, 0) + count
        counts = following
    return sum(counts.values())
