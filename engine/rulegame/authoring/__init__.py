"""What an editor asks about a ruleset: what a name means and where, what may stand at a place, how
to rename something. Knows rulesets and text, and nothing of any editor or protocol.
"""
