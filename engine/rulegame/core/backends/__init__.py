"""Backends that translate the intermediate representation."""
