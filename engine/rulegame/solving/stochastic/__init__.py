"""Positions with chance: exact values, or certified bounds."""
