"""What ``jtau doctor`` asks: one module per subject, each returning facts, problems and notes.

Looks only; nothing is repaired, written or sent anywhere.
"""
