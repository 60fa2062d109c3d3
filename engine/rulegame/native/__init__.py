"""Rules at machine speed. In: a kernel (`compiling`). Out: the same rules as machine code, and
kernels around them that play, expand and search many states.

`rules` translates the very functions that Python runs (statement by statement: `lowering`, with
`listing` for lists and `functions` for what they call) into LLVM's `assembly`; `kernel_code` does
so for what lies around them, the folder `kernels`; `module` puts both together for one game,
`compiler` makes machine code of it, which is kept, and `machine_kernel` is the door to it.
"""
