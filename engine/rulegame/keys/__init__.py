"""The keys of the ruleset format, each declared once. In: nothing. Out: the declarations, the place
of every key, and the JSON schema.
"""
