"""What stands on the table, to be drawn. In: a state, the moves that led to it, and the seats that
look on. Out: a `Picture`, made of boards, bars, heaps, hands, dice and values, in which nothing is
that one of those seats may not see. How it is drawn is for a terminal or a browser to say.
"""
