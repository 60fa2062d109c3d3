"""The studio: any game in the browser, on one screen or across devices. In: a folder of rulesets.
Out: pages, and a socket for each seat, watcher or screen, over which goes what those may see.
"""
