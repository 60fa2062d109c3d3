"""The rules for many states at once. In: a kernel, and states as one array for each cell.
Out: their moves and what follows them, as arrays.
"""
