"""What a call says and means: declared options, help and completion, the rulesets and files that it
names, and what is wrong with it.
"""
