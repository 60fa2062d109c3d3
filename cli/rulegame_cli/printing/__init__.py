"""What the commands print: reports, diagnostics, tables, progress. Nothing a file says can play
tricks with a terminal.
"""
