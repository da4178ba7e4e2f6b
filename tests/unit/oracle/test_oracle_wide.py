"""Each wide form of an argument means the canonical value that it was made from."""

from datetime import date
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.localization.arguments import ArgumentCompiler
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.normalization import get_rules
from jtau_plugin.oracle import wide as ways
from jtau_plugin.oracle.book import load_book
from jtau_plugin.oracle.writing import ArgumentWriter, localized_forms
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.scoring.communicate import is_communicated

CATALOG = get_catalog("ja", "retail")
BOOK = load_book(CATALOG)
WIDE = BOOK.locale.wide
COMPILER = ArgumentCompiler(get_rules("ja"), CATALOG.tables, CATALOG.names)
STRING = {"type": "string"}


def canonical(parameter, written, schema=MappingProxyType(STRING)):
    """Return what a tool with this one parameter receives."""
    tool = ToolText(source=(), description="。", parameters={"value": parameter})
    node = COMPILER.compile(tool, {"properties": {"value": dict(schema)}})
    return node({"value": written}, "", [])["value"]


@pytest.mark.parametrize("kind", ["id", "email", "phone", "zip"])
@given(value=st.from_regex(r"[#A-Za-z0-9][A-Za-z0-9_@.-]{0,20}[A-Za-z0-9]", fullmatch=True))
def test_codes(kind, value):
    for form in ways.code_forms(value, WIDE):
        assert canonical(Parameter(kind=kind), form) == value


@given(value=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9 .#-]{0,20}", fullmatch=True))
def test_street_lines(value):
    for form in ways.line_forms(value):
        assert canonical(Parameter(kind="address.line"), form) == value


@given(
    value=st.lists(
        st.tuples(st.sampled_from("+-*/"), st.decimals(0, 9999, places=2)), min_size=1, max_size=5
    ).map(lambda pairs: "1" + "".join(f" {sign} ({number})" for sign, number in pairs))
)
def test_expressions(value):
    for form in ways.expression_forms(value, WIDE):
        assert canonical(Parameter(kind="expression"), form) == value


@given(day=st.dates(min_value=date(1913, 1, 1), max_value=date(2099, 12, 31)))
def test_dates(day):
    forms = ways.date_forms(day.isoformat(), WIDE)
    assert len(forms) > 5
    for form in forms:
        assert canonical(Parameter(kind="date"), form) == day.isoformat()


def test_dates_name_their_era():
    assert "令和6年5月15日" in ways.date_forms("2024-05-15", WIDE)
    assert "２０２４年５月１５日（水）" in ways.date_forms("2024-05-15", WIDE)
    assert "二〇二四年五月十五日" in ways.date_forms("2024-05-15", WIDE)
    assert ways.date_forms("tomorrow", WIDE) == ["tomorrow"]


@given(number=st.integers(0, 999_999))
def test_whole_numbers(number):
    for form in ways.number_forms(number, ("個", "点", "$")):
        parameter = Parameter(kind="int", units=("個", "点", "$"))
        result = canonical(parameter, form, {"type": "integer"})
        assert result == number
        assert isinstance(result, int)


@given(number=st.decimals(0, 9999, places=1).map(float))
def test_numbers(number):
    for form in ways.number_forms(number, ("ギガ",)):
        parameter = Parameter(kind="float", units=("ギガ",))
        assert canonical(parameter, form, {"type": "number"}) == number


@pytest.mark.parametrize("value", [True, False])
def test_booleans(value):
    forms = ways.boolean_forms(value, WIDE)
    assert len(forms) == 3
    for form in forms:
        assert canonical(Parameter(kind="bool"), form, {"type": "boolean"}) is value


@pytest.mark.parametrize("role", ["given", "family"])
def test_every_name(role):
    for name in CATALOG.names[role].display:
        words = localized_forms(CATALOG.names[role], name)
        for form in ways.name_forms(words, name, WIDE):
            assert canonical(Parameter(kind=f"name.{role}"), form) == name


@pytest.mark.parametrize("role", ["city", "state", "country"])
def test_every_place(role):
    for place in CATALOG.names[role].display:
        words = localized_forms(CATALOG.names[role], place)
        for form in ways.place_forms(words, place):
            assert canonical(Parameter(kind=f"address.{role}"), form) == place


@pytest.mark.parametrize("domain", ["retail", "airline", "telecom"])
def test_every_word_of_every_enumeration(domain):
    catalog = get_catalog("ja", domain)
    compiler = ArgumentCompiler(get_rules("ja"), catalog.tables, catalog.names)
    for side in (catalog.tools.agent, catalog.tools.user):
        for tool in side.values():
            for name, parameter in tool.parameters.items():
                if parameter.table is None:
                    continue
                node = compiler.compile(tool, {"properties": {name: dict(STRING)}})
                for value in catalog.tables[parameter.table].display:
                    words = localized_forms(catalog.tables[parameter.table], value)
                    for form in ways.word_forms(words, value, WIDE):
                        assert node({name: form}, "", [])[name] == value, form


@given(number=st.integers(1, 999_999))
def test_amounts_are_understood(number):
    for form in ways.amount_forms(str(number), WIDE):
        assert is_communicated(str(number), f"合計は{form}ドルでございます。"), form


@given(number=st.decimals(1, 99_999, places=2).map(str))
def test_amounts_with_cents_are_understood(number):
    for form in ways.amount_forms(number, WIDE):
        assert is_communicated(number, f"合計は{form}ドルでございます。"), form


def test_identifiers_are_understood():
    for form in ways.identifier_forms("746342064230"):
        assert is_communicated("746342064230", f"追跡番号は{form}でございます。")


def test_forms_take_turns_and_do_so_alike_every_time():
    order = {"order_id": "#W2378156"}
    first, again = (ArgumentWriter(lambda *_: CATALOG, WIDE, "7") for _ in range(2))
    written = [first.write("get_order_details", order, "assistant")["order_id"] for _ in range(12)]
    assert written == [
        again.write("get_order_details", order, "assistant")["order_id"] for _ in range(12)
    ]
    assert len(set(written)) == len(ways.code_forms("#W2378156", WIDE))
    assert "#W2378156" not in written


def test_plain_arguments_are_japanese_where_there_is_a_form():
    writer = ArgumentWriter(lambda *_: CATALOG, None, "0")
    named = {"first_name": "Yusuf", "last_name": "Rossi", "zip": "19122"}
    assert writer.write("find_user_id_by_name_zip", named, "assistant") == {
        "first_name": "ユスフ",
        "last_name": "ロッシ",
        "zip": "19122",
    }
    cancel = {"order_id": "#W2378156", "reason": "no longer needed"}
    assert writer.write("cancel_pending_order", cancel, "assistant") == {
        "order_id": "#W2378156",
        "reason": "不要になった",
    }
    assert writer.write("no_such_tool", {"a": 1}, "assistant") == {"a": 1}


def test_nested_arguments_keep_their_shape():
    writer = ArgumentWriter(lambda *_: get_catalog("ja", "airline"), WIDE, "3")
    arguments = {
        "cabin": "economy",
        "flights": [{"flight_number": "HAT001", "date": "2024-05-15"}],
        "passengers": [{"first_name": "Yusuf", "last_name": "Rossi", "dob": "1990-03-05"}],
        "payment_methods": [{"payment_id": "gift_card_1", "amount": 1200}],
        "total_baggages": 3,
    }
    written = writer.write("book_reservation", arguments, "assistant")
    assert list(written) == list(arguments)
    assert list(written["passengers"][0]) == ["first_name", "last_name", "dob"]
    assert written["flights"][0]["date"] != "2024-05-15"
    assert arguments["total_baggages"] == 3
