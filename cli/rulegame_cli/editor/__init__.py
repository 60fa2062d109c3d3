"""The language server: translates between an editor's protocol and `rulegame.authoring`."""
