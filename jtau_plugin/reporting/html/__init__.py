"""The report: one HTML file that shows a comparison, from disk and without a network.

What stands in a results file is text written by strangers: it is shown, and nothing in it can run.
"""

from __future__ import annotations

from jtau_plugin.reporting.html.page import render_page

__all__ = ["render_page"]
