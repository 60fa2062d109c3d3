"""What `benchmarks/peers.py` measures: rulegame beside other programs for the same games.

`measuring` has what all sections share: one core, rounds in turns, the table. `versions` compares
with an older version of rulegame, for every benchmark. Each of the other modules is a section with
a function `run(options)`, or what such a section needs.
"""
