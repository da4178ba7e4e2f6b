"""Offline work on results files: measures, comparisons, tags, charts and the report.

Reads what was recorded and never changes a results file, a verdict or a reward.
"""
