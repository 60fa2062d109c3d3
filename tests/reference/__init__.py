"""Hand-written reference implementations of small games, used as test oracles."""
