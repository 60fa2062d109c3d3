"""What an editor asks. In: rulesets, some of them open and unsaved, and a place in one. Out: what a
name means there, what may be written, edits. Knows nothing of any editor or protocol.
"""
