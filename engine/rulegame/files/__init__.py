"""Files on disk. In: paths that people name, and data to keep. Out: bytes, or why there are none;
files that are there as a whole or not at all; and a cache that never gets in the way.
"""
