"""Frozen pydantic models, one per file format; unknown keys are errors."""
