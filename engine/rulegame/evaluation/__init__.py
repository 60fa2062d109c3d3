"""The values of expressions. In: typed trees. Out: Python functions over integers, and integers as
what people read and write.
"""
