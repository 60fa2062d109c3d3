"""Kernels: what is done around the rules at machine speed. In: cells, tables. Out: counts, tables.

These modules are read, not imported: `kernel_code` turns them into machine code, together with the
functions of one game's rules. What they may call is declared in `machine`. The search tree is also
run by Python (`players.python_tree`).
"""
