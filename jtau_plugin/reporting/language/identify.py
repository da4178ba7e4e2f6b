"""In which language a turn is: by its letters, and by its words where letters do not tell.

A sentence is in the target language, in another, in both, or says nothing of it (names, ids,
marks). A turn is what its sentences are together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from jtau_plugin.models.measures import ScriptRules
from jtau_plugin.reporting.language.masking import NOTHING, Shown, drop_tokens, mask_data
from jtau_plugin.reporting.language.rules import load_latin_words, load_rules
from jtau_plugin.reporting.language.scripts import Run, iter_runs

Label = Literal["target", "code-switched", "other", "too short", "no text"]
TARGET: Label = "target"
SWITCHED: Label = "code-switched"
OTHER: Label = "other"
SHORT: Label = "too short"
NO_TEXT: Label = "no text"
LABELS = (TARGET, SWITCHED, OTHER, SHORT, NO_TEXT)

_SENTENCE = re.compile(r"[^\n。！？!?]+?(?:[。！？!?\n]+|\.+(?=\s|\Z)|\Z)|[^\n。！？!?]")
_QUOTED = re.compile(r"[「『\"“‘（(]([^「」『』\"“”‘’（）()\n]{1,48})[」』\"”’）)]")
_OTHER_LETTERS = re.compile(r"[^\x00-\u02af\s]+")
_MARKS = "「」『』“”‘’（）、。・,"
#: So few words between quotation marks or brackets are mentioned, not used.
_MENTIONED = 4
#: What is quoted from a tool has at least so many words and characters.
_QUOTED_WORDS, _QUOTED_LENGTH = 2, 8
#: So many words that nobody knows are a sentence of some language.
_SENTENCE_WORDS = 4


@dataclass(frozen=True)
class Reading:
    """In which language a turn is.

    Attributes:
        label: one of ``LABELS``.
        rule: what decided.
        is_shared: whether only letters were seen that other languages use too.
    """

    label: Label
    rule: str
    is_shared: bool = False


@dataclass
class _Evidence:
    """What a sentence holds.

    Attributes:
        own: letters that prove the target language; of Latin ones, known words.
        shared: letters that it shares with others.
        foreign: letters of scripts that it does not have.
        doubtful: letters of shared scripts that it does not use.
    """

    own: int = 0
    shared: int = 0
    foreign: int = 0
    doubtful: int = 0


class ScriptIdentifier:
    """Tells whether turns are in one language.

    Args:
        language: the target language.
        rules: its rules.
        names: names in other letters or languages that its sentences may hold, in lower case.
    """

    def __init__(self, language: str, rules: ScriptRules, names: Iterable[str] = ()) -> None:
        self.language = language
        self._rules = rules
        self._names = frozenset(names) | load_latin_words(language)
        self._name_words = frozenset(word for name in self._names for word in name.split())
        self._words = frozenset(rules.words).union(*map(_words_of, rules.beside))
        self._foreign = frozenset(rules.foreign_words)
        self._foreign_letter = _letter_pattern(rules.foreign_letters)
        self._patterns = [re.compile(pattern) for pattern in rules.shared_rules.patterns]
        self._switches = [re.compile(pattern, re.IGNORECASE) for pattern in rules.switches]
        self._is_doubtful = find_doubt(rules)
        self._judge = self._judge_latin if "latin" in rules.own else self._judge_letters

    def read(self, text: str, shown: Shown = NOTHING) -> Reading:
        """Return in which language a turn is.

        Args:
            text: what was said.
            shown: what tools had returned before.
        """
        said = drop_tokens(text)
        if not said.strip():
            return Reading(NO_TEXT, "nothing was said")
        found = [
            verdict
            for sentence in _SENTENCE.findall(mask_data(said))
            if (verdict := self._judge(sentence, shown)) is not None
        ]
        return _combine(found)

    def _collect(self, runs: Iterable[Run]) -> _Evidence:
        evidence, rules = _Evidence(), self._rules
        for run in runs:
            if run.script == "latin":
                continue
            if run.script in rules.own:
                evidence.own += len(run.text)
            elif run.script in rules.shared:
                evidence.shared += len(run.text)
                evidence.doubtful += sum(map(self._is_doubtful, run.text))
            else:
                evidence.foreign += len(run.text)
        return evidence

    def _judge_letters(self, sentence: str, shown: Shown) -> Reading | None:
        """Return what a sentence is, for a language that has letters of its own."""
        runs = list(iter_runs(sentence))
        evidence = self._collect(runs)
        if not evidence.own and not evidence.shared:
            if evidence.foreign:
                return Reading(OTHER, "letters of another script")
            return self._judge_words(list(_stretches(sentence, runs)), shown)
        if not evidence.own:
            return self._judge_shared(sentence, evidence)
        if evidence.foreign > 1 or evidence.doubtful > 1:
            return Reading(SWITCHED, "letters of another language beside the target's")
        if any(r.script == "latin" for r in runs) and self._has_foreign_words(sentence, shown):
            return Reading(SWITCHED, "words of another language in a sentence of the target's")
        return Reading(TARGET, "letters that only the target language has")

    def _judge_shared(self, sentence: str, evidence: _Evidence) -> Reading:
        if evidence.foreign > 1:
            return Reading(OTHER, "letters of another script")
        if evidence.doubtful:
            return Reading(OTHER, "letters that the target language does not use", True)
        if any(pattern.search(sentence) for pattern in self._patterns):
            return Reading(OTHER, "wording of another language in shared letters", True)
        if evidence.shared > self._rules.shared_rules.longest:
            return Reading(OTHER, "long, and in shared letters only", True)
        return Reading(TARGET, "shared letters, and nothing of another language", True)

    def _judge_words(self, stretches: list[list[str]], shown: Shown) -> Reading | None:
        """Return what a sentence is that has Latin letters only; names say nothing."""
        for words in stretches:
            is_used = any(map(self._is_common, words)) and not _is_name(words)
            is_used = is_used or any(map(self._may_be_word, words))
            if is_used and not self._is_shown(words, shown):
                return Reading(OTHER, "words of another language")
        return None

    def _has_foreign_words(self, sentence: str, shown: Shown) -> bool:
        if any(pattern.search(sentence) for pattern in self._switches):
            return True
        unquoted = _QUOTED.sub(_drop_mentioned, sentence)
        return any(
            any(map(self._is_common, words))
            and not _is_name(words)
            and not self._is_known(words)
            and not self._is_shown(words, shown)
            for words in _stretches(unquoted, list(iter_runs(unquoted)))
        )

    def _judge_latin(self, sentence: str, shown: Shown) -> Reading | None:  # noqa: ARG002
        """Return what a sentence is, for a language that is written in Latin letters."""
        words = [run.text for run in iter_runs(sentence) if run.script == "latin"]
        if len(words) < _SENTENCE_WORDS:
            words = [word for word in words if len(word) > 1]
        known = sum(map(self._is_common, words))
        foreign = sum(map(self._is_foreign, words))
        if known:
            sentence = _OTHER_LETTERS.sub(self._drop_name, sentence)
        if self._collect(iter_runs(sentence)).foreign > (1 if known else 0):
            label = SWITCHED if known else OTHER
            return Reading(label, "letters of another script")
        if foreign > 1 or (foreign and not known):
            label = SWITCHED if known > 1 else OTHER
            return Reading(label, "words of another language")
        if known:
            return Reading(TARGET, "words of the target language")
        if sum(word.islower() for word in words) >= _SENTENCE_WORDS:
            return Reading(OTHER, "words that the target language does not have")
        return None

    def _drop_name(self, match: re.Match[str]) -> str:
        return " " if match[0].strip(_MARKS).lower() in self._names else match[0]

    def _is_common(self, word: str) -> bool:
        return word.lower() in self._words

    def _is_foreign(self, word: str) -> bool:
        lower = word.lower()
        if lower in self._words or (word.isupper() and len(word) > 1):
            return False
        return lower in self._foreign or bool(word.islower() and self._foreign_letter(word))

    def _may_be_word(self, word: str) -> bool:
        """Tell whether a word may be one of a sentence: names have capitals, or are known."""
        return len(word) > 1 and word.islower() and word not in self._name_words

    def _is_known(self, words: list[str]) -> bool:
        return " ".join(words).lower() in self._names

    @staticmethod
    def _is_shown(words: list[str], shown: Shown) -> bool:
        quotation = " ".join(words)
        if len(words) < _QUOTED_WORDS or len(quotation) < _QUOTED_LENGTH:
            return False
        return shown.holds(quotation)


def _words_of(language: str) -> frozenset[str]:
    rules = load_rules(language)
    return frozenset(rules.script.words) if rules is not None else frozenset()


def _letter_pattern(letters: str) -> Callable[[str], object]:
    return re.compile(f"[{re.escape(letters)}]").search if letters else lambda _: None


def find_doubt(rules: ScriptRules) -> Callable[[str], bool]:
    """Return the function that tells whether a letter of a shared script is another language's."""
    shared = rules.shared_rules
    known = {**dict.fromkeys(shared.also, False), **dict.fromkeys(shared.letters, True)}

    def is_doubtful(letter: str) -> bool:
        if letter not in known:
            known[letter] = not _is_in(letter, shared.charset)
        return known[letter]

    return is_doubtful


def _is_in(letter: str, charset: str | None) -> bool:
    try:
        letter.encode(charset or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _stretches(sentence: str, runs: list[Run]) -> Iterator[list[str]]:
    """Yield the Latin words that stand together: with nothing but marks between them."""
    words: list[str] = []
    end = 0
    for run in runs:
        is_word = run.script == "latin"
        if words and not (is_word and _is_joint(sentence[end : run.start])):
            yield words
            words = []
        if is_word and len(run.text) > 1:
            words.append(run.text)
        end = run.end
    if words:
        yield words


def _is_joint(between: str) -> bool:
    return not any(mark in between for mark in "、「」『』（）()")


def _is_name(words: list[str]) -> bool:
    """Tell whether words look like a name: several, each with a capital."""
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _drop_mentioned(match: re.Match[str]) -> str:
    runs = list(iter_runs(match[1]))
    is_mentioned = len(runs) <= _MENTIONED and all(run.script == "latin" for run in runs)
    return "、" if is_mentioned else match[0]


def _combine(found: list[Reading]) -> Reading:
    if not found:
        return Reading(SHORT, "names, ids and marks only")
    foreign = next((reading for reading in found if reading.label == OTHER), None)
    if foreign is not None and foreign.is_shared:
        # Beside a sentence of the other language, what both may write is that language's.
        found = [one for one in found if one.label != TARGET or not one.is_shared]
    labels = {reading.label for reading in found}
    if labels == {TARGET}:
        return found[0]
    if labels == {OTHER}:
        return found[0]
    switched = next((reading for reading in found if reading.label == SWITCHED), None)
    return switched or Reading(SWITCHED, "sentences in two languages")
