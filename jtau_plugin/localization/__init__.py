"""Stands at the two doors that language passes through: what a model is shown, what it writes.

Between the doors everything stays canonical English: no database, gold action or tool code ever
sees a localized value.
"""
