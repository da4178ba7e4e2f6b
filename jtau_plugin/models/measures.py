"""The files of the language measures: a language's rules, tau2's tools, and the error tags.

Shapes only. What is done with them is decided by ``reporting``.
"""

from __future__ import annotations

import codecs
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from jtau_plugin.models.base import FrozenModel, Text
from jtau_plugin.models.checks import Pattern, Patterns

Script = Literal[
    "latin",
    "hiragana",
    "katakana",
    "han",
    "hangul",
    "thai",
    "cyrillic",
    "greek",
    "arabic",
    "hebrew",
    "devanagari",
    "other",
]


def _check_codec(name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError:
        raise ValueError(f"{name!r} is no character set of Python's") from None
    return name


class SharedScript(FrozenModel):
    """What tells a language from others that share one of its scripts.

    Attributes:
        charset: a codec; a letter that it cannot write is another language's.
        also: letters that the codec lacks and the language has.
        letters: further letters that the language does not use.
        patterns: wordings of other languages, looked for where no own script stands beside.
        longest: so many letters without one of an own script are still the language's.
    """

    charset: Annotated[str, AfterValidator(_check_codec)] | None = None
    also: str = ""
    letters: str = ""
    patterns: Patterns = ()
    longest: int = Field(default=24, ge=1)


class ScriptRules(FrozenModel):
    """By which letters and words a language is told.

    Attributes:
        own: one letter of these proves the language; for ``latin``, its words decide.
        shared: scripts that others use too.
        shared_rules: what tells it from those others.
        words: common words in Latin letters.
        foreign_words: common words of other languages in Latin letters.
        foreign_letters: Latin letters that its words do not have.
        beside: languages whose words are looked for beside it.
        switches: wordings in which a foreign word is used, not mentioned.
    """

    own: tuple[Script, ...]
    shared: tuple[Script, ...] = ()
    shared_rules: SharedScript = SharedScript()
    words: tuple[Text, ...] = ()
    foreign_words: tuple[Text, ...] = ()
    foreign_letters: str = ""
    beside: tuple[Text, ...] = ()
    switches: Patterns = ()


class RegisterRule(FrozenModel):
    """How a sentence may end, and what register that is.

    Attributes:
        id: how reports name it.
        level: ``slip`` for a wording that customer service avoids; it decides no register.
        pattern: regular expression; of ``polite`` and ``plain`` the sentence's end must match.
        why: what it is, in a line.
        examples: sentences for which this rule is the one that fires.
        not_examples: sentences for which it does not.
    """

    id: Text
    level: Literal["polite", "plain", "slip"]
    pattern: Pattern
    why: Text
    examples: tuple[Text, ...] = Field(min_length=1)
    not_examples: tuple[Text, ...] = ()


class RegisterRules(FrozenModel):
    """By which sentence ends a register is told; of the ends the first that matches counts.

    Attributes:
        sentence: regular expression of one sentence, its mark included.
        ignored: what is taken out first: quotations, asides.
        list_item: regular expression of a line that is no sentence.
        trailing: characters at a sentence's end that say nothing.
        rules: in order.
    """

    sentence: Pattern
    ignored: Patterns = ()
    list_item: Pattern
    trailing: str
    rules: tuple[RegisterRule, ...]

    @model_validator(mode="after")
    def _have_own_ids(self) -> RegisterRules:
        ids = [rule.id for rule in self.rules]
        double = sorted({one for one in ids if ids.count(one) > 1})
        if double:
            raise ValueError(f"expected an id of its own for each rule, found twice {double}")
        return self


class LanguageFile(FrozenModel):
    """``measures.yaml`` of a locale.

    Attributes:
        script: by which letters and words its language is told.
        register_: by which sentence ends its register is told; without it none is.
    """

    script: ScriptRules
    register_: RegisterRules | None = Field(default=None, alias="register")


class LookUp(FrozenModel):
    """A tool that tells who the caller is.

    Attributes:
        tool: the agent's tool.
        parameters: what it is told by.
        key: where the person's id stands in a JSON result; without it the result is the id.
    """

    tool: Text
    parameters: tuple[Text, ...]
    key: Text | None = None


class DomainTools(FrozenModel):
    """What tau2's tools of one domain do.

    Attributes:
        look_ups: the tools that tell who the caller is.
        owner_arguments: arguments that name the caller in any call.
        owner_keys: where a result names whose it is.
        object_arguments: arguments that name something which somebody owns.
        caller: arguments of initial actions that say who the caller is, by the look-up's parameter.
        writes: tools with which the agent changes something.
        gives_up: tools with which it hands the conversation over.
    """

    look_ups: tuple[LookUp, ...]
    owner_arguments: tuple[Text, ...]
    owner_keys: tuple[Text, ...]
    object_arguments: tuple[Text, ...] = ()
    caller: dict[Text, Text] = {}
    writes: tuple[Text, ...]
    gives_up: tuple[Text, ...] = ()


class ToolsOfDomains(FrozenModel):
    """``domains.yaml``: what tau2's tools do, by domain."""

    domains: dict[Text, DomainTools]


Side = Literal["agent", "caller", "grading", "infrastructure", "task"]
TagId = Annotated[str, Field(pattern=r"^[a-z]+(?:-[a-z]+)*$")]


class Tag(FrozenModel):
    """An error tag.

    Attributes:
        title: for people, in a few words.
        meaning: when it is given, in a sentence.
        side: whose error it is.
        by: whether a rule gives it or the judge.
        when: ``failed`` explains a lost conversation; ``always`` is told of any.
        aliases: other spellings that mean exactly this.
    """

    title: Text
    meaning: Text
    side: Side
    by: Literal["rule", "judge"]
    when: Literal["failed", "always"] = "failed"
    aliases: tuple[Text, ...] = ()


class TagsFile(FrozenModel):
    """``tags.yaml``: the vocabulary of error tags.

    Attributes:
        version: raised when a tag is renamed, removed or given another meaning.
        tags: by id.
    """

    version: int = Field(ge=1)
    tags: dict[TagId, Tag]
