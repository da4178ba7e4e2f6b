"""Has units of text translated by a model: asks, verifies, tries again, keeps what was paid.

Knows no overlay format; what is asked and what becomes of the answers is decided above.
"""
