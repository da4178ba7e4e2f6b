"""Loads a locale's data, validates it, and compiles it once into read-only maps."""
