"""`python -m rulegame_cli`: the same as `rulegame`."""

from rulegame_cli.main import main

if __name__ == "__main__":  # worker processes import this module too
    main()
