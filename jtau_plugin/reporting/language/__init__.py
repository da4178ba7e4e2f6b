"""In which language and register a turn is, told by its letters and by rules that are data.

Knows no language itself: each one's rules lie beside its overlay, English's in ``reporting/data``.
"""
