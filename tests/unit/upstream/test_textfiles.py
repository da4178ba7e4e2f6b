"""Documents, docstrings and fields: new texts where the old ones are known."""

from __future__ import annotations

import ast
import inspect

import pytest

from jtau_plugin.models.patches import DocumentRepair, ToolTextRepair
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.documents import fingerprint_lines
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError
from jtau_plugin.upstream.textfiles import edit_docstring, edit_document, edit_field

TOOLS = '''
class Tools:
    def pay(self, card, bill):
        """
        Pay a bill.
        At once.

        Args:
            card: The card
                of the user.
            bill (str): The bill.

        Returns:
            Nothing.
        """
        return None

    def look(self):
        """Look around."""

    def mute(self):
        return 1
'''
FIELDS = """
class Payment(BaseModel):
    card: str = Field(description="The card")
    amount: int = Field(default=0, description="The amount")
"""


def tool_text(tool: str, old: str, new: str, parameter: str = "") -> ToolTextRepair:
    return ToolTextRepair.model_validate(
        {
            "id": "text",
            "title": "Title",
            "class": "tools",
            "why": "Why",
            "evidence": "Read",
            "tool": tool,
            "parameter": parameter,
            "guard": fingerprint_text(old),
            "value": new,
            "localized": {},
        }
    )


def docstring(source: str, name: str) -> str:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return inspect.cleandoc(ast.get_docstring(node))
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("repair", "expected"),
    [
        (
            tool_text("pay", "Pay a bill.\n\nAt once.", "Pay it.\n\nOr not,\nas you like."),
            ("pay", "Pay it.\n\nOr not,\nas you like.\n\nArgs:\n    card: The card\n"),
        ),
        (
            tool_text("pay", "The card\nof the user.", "A card.", "card"),
            ("pay", "Args:\n    card: A card.\n    bill (str): The bill.\n"),
        ),
        (
            tool_text("pay", "The bill.", "A bill,\nor two.", "bill"),
            ("pay", "    bill (str): A bill,\n        or two.\n\nReturns:\n"),
        ),
        (tool_text("look", "Look around.", "Look."), ("look", "Look.")),
    ],
)
def test_descriptions_change_in_the_docstring(repair, expected):
    name, text = expected
    edited = edit_docstring(TOOLS, repair)
    assert text in docstring(edited, name)
    with pytest.raises(AlreadyThereError):
        edit_docstring(edited, repair)
    others = {"pay", "look"} - {name}
    assert all(docstring(edited, other) == docstring(TOOLS, other) for other in others)


@pytest.mark.parametrize(
    ("repair", "said"),
    [
        (tool_text("sell", "a", "b"), "the tool sell: found 0"),
        (tool_text("mute", "a", "b"), "has no docstring"),
        (tool_text("look", "Another text.", "b"), "no guard fits"),
        (tool_text("pay", "a", "b", "coupon"), "coupon in Args: found 0"),
        (tool_text("look", "Look around.", 'A """ b'), "cannot stand in a docstring"),
    ],
)
def test_unknown_texts_are_refused(repair, said):
    with pytest.raises(AnchorError, match=said):
        edit_docstring(TOOLS, repair)


def test_fields_change_in_the_model():
    short = tool_text("pay", "The card", "A card", "payments.items.card")
    assert 'card: str = Field(description="A card")\n' in edit_field(FIELDS, short)
    long = tool_text("pay", "The card", 'A "card" ' + "x" * 60, "payments.items.card")
    edited = edit_field(FIELDS, long)
    assert 'Field(\n        description="A \\"card\\" xxx' in edited
    ast.parse(edited)
    with pytest.raises(AlreadyThereError):
        edit_field(edited, long)
    other = tool_text("pay", "The amount", "An amount", "payments.items.amount")
    assert 'Field(default=0, description="An amount")' in edit_field(FIELDS, other)
    with pytest.raises(AnchorError, match="a field card whose description is known"):
        edit_field(FIELDS, tool_text("pay", "Another", "b", "payments.items.card"))


def document_repair(old: str, new: str) -> DocumentRepair:
    edit = {"op": "replace", "guard": fingerprint_lines([old]), "value": new, "localized": {}}
    return DocumentRepair.model_validate(
        {
            "id": "lines",
            "title": "Title",
            "class": "rules",
            "why": "Why",
            "evidence": "Read",
            "documents": {"policy": [edit]},
        }
    )


def test_lines_of_a_document_change():
    repair = document_repair("two", "2")
    assert edit_document("policy", "one\ntwo\nthree", repair) == "one\n2\nthree"
    with pytest.raises(AlreadyThereError):
        edit_document("policy", "one\n2\nthree", repair)
    with pytest.raises(AnchorError, match="nowhere"):
        edit_document("policy", "one\nthree", repair)
