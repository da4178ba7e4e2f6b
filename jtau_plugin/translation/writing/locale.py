"""The files that a new locale starts with: who it is, and what its checks go by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jtau_plugin.errors import Problem, SettingError
from jtau_plugin.models.checks import Sense, TermRules
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.writing.yamldump import dump_file

#: English name and own name of languages by their code.
LANGUAGES: dict[str, tuple[str, str]] = {
    "ar": ("Arabic", "العربية"),
    "bg": ("Bulgarian", "български"),
    "bn": ("Bengali", "বাংলা"),
    "ca": ("Catalan", "català"),
    "cs": ("Czech", "čeština"),
    "da": ("Danish", "dansk"),
    "de": ("German", "Deutsch"),
    "el": ("Greek", "Ελληνικά"),
    "es": ("Spanish", "español"),
    "et": ("Estonian", "eesti"),
    "fa": ("Persian", "فارسی"),
    "fi": ("Finnish", "suomi"),
    "fil": ("Filipino", "Filipino"),
    "fr": ("French", "français"),
    "he": ("Hebrew", "עברית"),
    "hi": ("Hindi", "हिन्दी"),
    "hr": ("Croatian", "hrvatski"),
    "hu": ("Hungarian", "magyar"),
    "id": ("Indonesian", "Bahasa Indonesia"),
    "it": ("Italian", "italiano"),
    "ja": ("Japanese", "日本語"),
    "km": ("Khmer", "ខ្មែរ"),
    "ko": ("Korean", "한국어"),
    "lo": ("Lao", "ລາວ"),
    "lt": ("Lithuanian", "lietuvių"),
    "lv": ("Latvian", "latviešu"),
    "mn": ("Mongolian", "монгол"),
    "ms": ("Malay", "Bahasa Melayu"),
    "my": ("Burmese", "မြန်မာ"),
    "nb": ("Norwegian", "norsk"),
    "ne": ("Nepali", "नेपाली"),
    "nl": ("Dutch", "Nederlands"),
    "pl": ("Polish", "polski"),
    "pt": ("Portuguese", "português"),
    "pt-br": ("Brazilian Portuguese", "português do Brasil"),
    "ro": ("Romanian", "română"),
    "ru": ("Russian", "русский"),
    "si": ("Sinhala", "සිංහල"),
    "sk": ("Slovak", "slovenčina"),
    "sl": ("Slovenian", "slovenščina"),
    "sr": ("Serbian", "српски"),
    "sv": ("Swedish", "svenska"),
    "sw": ("Swahili", "Kiswahili"),
    "ta": ("Tamil", "தமிழ்"),
    "te": ("Telugu", "తెలుగు"),
    "th": ("Thai", "ไทย"),
    "tr": ("Turkish", "Türkçe"),
    "uk": ("Ukrainian", "українська"),
    "ur": ("Urdu", "اردو"),
    "uz": ("Uzbek", "oʻzbekcha"),
    "vi": ("Vietnamese", "Tiếng Việt"),
    "zh": ("Chinese", "中文"),
    "zh-hans": ("Simplified Chinese", "简体中文"),
    "zh-hant": ("Traditional Chinese", "繁體中文"),
}
_REGISTER = "polite and clear, as a company writes to its customers and its staff"


@dataclass(frozen=True)
class LocaleFacts:
    """What is known of a locale.

    Attributes:
        locale: its id.
        name: its name in its own language.
        language: its name in English.
        register: how it is spoken here.
        style: further rules for a translator; may be empty.
    """

    locale: str
    name: str
    language: str
    register: str
    style: str = ""


def new_locale_facts(locale: str, language: str = "", register: str = "") -> LocaleFacts:
    """Return what is known of a locale that has no files yet.

    Raises:
        SettingError: for a code that is not known, if no language is named.
    """
    code = locale.lower().replace("_", "-")
    known = LANGUAGES.get(code) or LANGUAGES.get(code.partition("-")[0])
    if known is None and not language:
        raise SettingError(
            str(Problem(f"locale {locale!r}", "the language is not known", "name it: --language"))
        )
    english, own = known or (language, language)
    return LocaleFacts(locale, own, language or english, register or _REGISTER)


def new_locale(facts: LocaleFacts, date: str) -> dict[str, Any]:
    """Return the content of a new ``locale.yaml``."""
    return {
        "locale": facts.locale,
        "name": facts.name,
        "language": facts.language,
        "register": facts.register,
        "version": "0.1.0",
        "changelog": {"0.1.0": f"First texts, translated by a model on {date}."},
        "review": "No person has reviewed this locale yet.",
    }


def neutral_senses(rules: TermRules) -> tuple[Sense, ...]:
    """Return what is known of English words that are not always the term."""
    why = "another sense of the word"
    return tuple(
        sense.model_copy(update={"also": (), "why": why}) for sense in rules.senses if sense.unless
    )


def new_checks(structure: Structure) -> str:
    """Return a new ``checks.yaml``: how the termbase is applied, which is the same everywhere."""
    rules = structure.term_rules
    terms: dict[str, Any] = {"keys": list(rules.keys), "tables": dict(rules.tables)}
    if rules.everyday:
        terms["everyday"] = list(rules.everyday)
    senses = neutral_senses(rules)
    if senses:
        terms["senses"] = [s.model_dump(mode="json", exclude_defaults=True) for s in senses]
    header = "The words that `jtau check` goes by. Only how terms are applied is filled in."
    return dump_file({"terms": terms}, header)
