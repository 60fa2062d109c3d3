"""Games for other libraries. In: a game, as it is loaded. Out: the same game as a game or an
environment of OpenSpiel, PettingZoo or Gymnasium, which are imported only by their own modules.
"""
