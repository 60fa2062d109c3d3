"""Expressions: their grammar, their syntax tree and how text becomes one."""
