"""The intermediate representation (`ir`) between lowering and the backends that run it. In: typed
rules, lowered by `evaluation` and `compiling`. Out: Python functions, or machine code (`native`).
"""
