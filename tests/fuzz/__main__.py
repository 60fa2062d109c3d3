"""`python tests/fuzz --minutes 60`: makes inputs and keeps those that fail."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from fuzz.command import main

    sys.exit(main())
