"""The intermediate representation (`ir`) between lowering and the backends that run it. In: typed
rules, lowered by `evaluation` and `compiling`. Out: Python functions, or machine code (`native`).
"""

from __future__ import annotations

from typing import Final

SEATS: Final = 8  # a joint write has its player, its cell and its site in one number
SITES: Final = 1 << 24
