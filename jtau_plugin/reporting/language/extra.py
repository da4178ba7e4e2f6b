"""Languages that nobody has written rules for: told by a model, if the extra ``langid`` is there.

The extra carries its model; nothing is fetched. Where it is missing, nothing is measured, which is
another thing than a measure of zero.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jtau_plugin.reporting.language.identify import (
    NO_TEXT,
    OTHER,
    SHORT,
    SWITCHED,
    TARGET,
    Label,
    Reading,
)
from jtau_plugin.reporting.language.masking import NOTHING, Shown, drop_tokens, mask_data, quotable
from jtau_plugin.reporting.language.scripts import iter_runs

#: How to get it, for messages.
HINT = "pip install 'jtau-plugin[langid]'"
#: Languages between which the model chooses; the fewer there are, the surer it is of a short text.
_CANDIDATES = (
    "ar", "bn", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it",
    "ja", "ko", "nl", "no", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "ur", "vi", "zh",
)  # fmt: skip
_SENTENCE = re.compile(r"[^\n。！？!?]+?(?:[。！？!?\n]+|\.+(?=\s|\Z)|\Z)")
#: A sentence with fewer Latin letters, or fewer words, is too short for the model.
_LETTERS, _WORDS = 12, 3
_SURE = 0.7


@cache
def load_model(language: str) -> Any:
    """Return the model for a target language; ``None`` if the extra is not installed."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415
    except ImportError:
        return None
    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    try:
        model.set_languages(sorted({*_CANDIDATES, language}))
    except ValueError:
        return None  # the model does not know the language
    return model


class ModelIdentifier:
    """Tells whether turns are in one language, by the model.

    Args:
        language: the target language, as ISO 639-1.
        model: what ``load_model`` returned for it.
    """

    def __init__(self, language: str, model: Any) -> None:
        self.language = language
        self._model = model

    def read(self, text: str, shown: Shown = NOTHING) -> Reading:
        """Return in which language a turn is; see ``identify.ScriptIdentifier.read``."""
        said = drop_tokens(text)
        if not said.strip():
            return Reading(NO_TEXT, "nothing was said")
        labels = {self._judge(sentence, shown) for sentence in _SENTENCE.findall(mask_data(said))}
        labels.discard(SHORT)
        if not labels:
            return Reading(SHORT, "too short for the model")
        if len(labels) > 1:
            return Reading(SWITCHED, "sentences in two languages, by the model")
        (label,) = labels
        return Reading(label, "by the model")

    def _judge(self, sentence: str, shown: Shown) -> Label:
        words = [run.text for run in iter_runs(sentence)]
        is_latin = all(run.script == "latin" for run in iter_runs(sentence))
        is_short = sum(map(len, words)) < _LETTERS or len(words) < _WORDS
        quotation = quotable(sentence)
        if not words or (is_latin and (is_short or (quotation and shown.holds(quotation)))):
            return SHORT
        found, probability = self._model.rank(sentence.strip())[0]
        if probability < _SURE:
            return SHORT
        return TARGET if found == self.language else OTHER
