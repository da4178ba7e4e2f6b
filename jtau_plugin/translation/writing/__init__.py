"""Writes the files of an overlay: whole or not at all, a person's edits left as they are."""
