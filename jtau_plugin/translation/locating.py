"""Where a locale's files are and where they are to be written."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import Problem, SettingError
from jtau_plugin.models.overlay import LocaleFile
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.translation.writing.locale import LocaleFacts, new_locale_facts

STYLE = "style.md"
#: A language by its code, and what tells its varieties apart: ``th``, ``pt-br``, ``zh-hant``.
_LOCALE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*")


def require_locale(locale: str) -> None:
    """Refuse what is no id of a locale.

    Raises:
        SettingError: with the id that was meant, if it can be told.
    """
    if _LOCALE.fullmatch(locale):
        return
    meant = locale.lower().replace("_", "-")
    hint = f"write {meant}" if _LOCALE.fullmatch(meant) else "such as th, pt-br or zh-hant"
    raise SettingError(str(Problem(f"locale {locale!r}", "is no code of a language", hint)))


def reading_folder(locale: str, out: Path | None) -> Path:
    """Return where the texts of a locale are that count; a new one has none.

    Args:
        locale: its id.
        out: a folder for locales that somebody named.
    """
    if out is not None:
        return origin_of(locale, out.expanduser().resolve() / locale)
    return dict(resources.iter_locales()).get(locale, Path(locale))


def find_locale(locale: str, out: Path | None) -> Path:
    """Return the folder of a locale that is read and written; a new one need not exist.

    Args:
        locale: its id.
        out: a folder for locales that somebody named; ``None`` stays where the locale is.

    Raises:
        SettingError: for a new locale without a folder, and for one inside an installed package.
    """
    if out is not None:
        return out.expanduser().resolve() / locale
    folders = dict(resources.iter_locales())
    if locale not in folders:
        known = ", ".join(folders) or "none"
        what = f"there is none yet (found: {known})"
        raise SettingError(
            str(Problem(f"locale {locale!r}", what, "name a folder for it: --out DIR"))
        )
    folder = folders[locale]
    if resources.data_root().name == "_data" and resources.data_root() in folder.parents:
        what = "lies inside the installed package, where no overlay is written"
        raise SettingError(str(Problem(str(folder), what, "name another folder: --out DIR")))
    return folder


def start_from_existing(locale: str, folder: Path) -> bool:
    """Copy a locale that exists elsewhere into the folder that is written; return whether it did.

    Nothing is copied over files that are there.
    """
    origin = origin_of(locale, folder)
    if origin == folder:
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: half of a locale would look like one that lacks the rest.
    with tempfile.TemporaryDirectory(prefix=".jtau-", dir=folder.parent) as name:
        copy = Path(name) / folder.name
        shutil.copytree(origin, copy)
        with contextlib.suppress(FileNotFoundError):
            folder.rmdir()
        copy.rename(folder)
    return True


def origin_of(locale: str, folder: Path) -> Path:
    """Return the folder whose texts count: what is written, or what will be copied to it."""
    if folder.is_dir() and any(folder.iterdir()):
        return folder
    return dict(resources.iter_locales()).get(locale, folder)


def locale_facts(locale: str, folder: Path, language: str = "", register: str = "") -> LocaleFacts:
    """Return what is known of a locale: what its files say, or what its code says.

    Args:
        locale: its id.
        folder: where its files are.
        language: the language's English name, for a locale without files.
        register: how it is spoken, for a locale without files.

    Raises:
        OverlayError: for a ``locale.yaml`` that cannot be used.
        SettingError: for a new locale whose language is not known.
    """
    path = folder / "locale.yaml"
    if not path.is_file():
        return new_locale_facts(locale, language, register)
    about, _ = load_model(path, LocaleFile)
    style = read_text(folder / STYLE) if (folder / STYLE).is_file() else ""
    return LocaleFacts(
        locale,
        about.name,
        language or about.language,
        register or about.register_,
        style,
    )
