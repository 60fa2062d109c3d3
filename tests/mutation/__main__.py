"""`python tests/mutation --count 300`: do the tests notice small changes? See `campaign`."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from mutation.campaign import main

    main()
