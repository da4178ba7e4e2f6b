"""What an agent wrote, brought to the canonical form that the real tool must receive.

Never sees a database, a gold action or the history, and never repairs what an English agent
would have got wrong: what no rule recognises comes back as the object that went in.
"""

from __future__ import annotations

from jtau_plugin.normalization.rules import RuleSet, get_rules, register_rules

__all__ = ["RuleSet", "get_rules", "register_rules"]
