"""`python -m rulegame_cli`: the same as `rulegame`."""

from rulegame_cli.main import main

main()
