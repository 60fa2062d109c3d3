"""The language of expressions and texts. In: their text, and the names that are known at a place.
Out: typed trees and templates, and diagnostics.
"""
