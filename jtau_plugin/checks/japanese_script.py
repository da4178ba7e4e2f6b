"""The shapes of Japanese script: which characters it has, and which it does not have."""

from __future__ import annotations

import re

JAPANESE = r"぀-ヿ㐀-鿿豈-﫿々〆、。「」『』（）・〜ー！？"
LATIN = r"A-Za-z0-9#$%"
BLANK_BETWEEN = re.compile(rf"(?:[{JAPANESE}] +[{LATIN}{JAPANESE}{{<]|[{LATIN}}}>] +[{JAPANESE}])")
WIDE = re.compile(r"[０-９Ａ-Ｚａ-ｚ＃＄％＆＊＋，－．／：；＜＝＞＠［＼］＾＿｀｛｜｝～　]|[｡-ﾟ]")
#: Wide signs that Japanese prose does use.
WIDE_ALLOWED = frozenset("／")
HALF_BRACKET = re.compile(r"\((?!\))|(?<!\()\)")
HALF_COMMA = re.compile(rf"[{JAPANESE}][,;]|[,;][{JAPANESE}]|[{JAPANESE}][.](?!\d|\w)")
HALF_MARK = re.compile(rf"[{JAPANESE}][!?]")
STRAIGHT_QUOTE = re.compile(rf"[\"'“”‘’](?=[{JAPANESE}])|(?<=[{JAPANESE}])[\"'“”‘’]")
#: What is no prose inside a text.
CODE = re.compile(r"`[^`]*`|\{\w*\}|\*\*")
#: What stands at the start of a line of a list or a heading.
MARKER = re.compile(r"^\s*(?:[-*+]|\d+\.|#+) +", re.MULTILINE)
