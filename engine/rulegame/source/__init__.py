"""The text of rulesets. In: the bytes of a file and of those that it extends.
Out: one mapping of nodes, each with its place, and diagnostics.
"""
