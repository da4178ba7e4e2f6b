"""Where a locale's files are and where they are to be written."""

from __future__ import annotations

import shutil
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import Problem, SettingError
from jtau_plugin.models.overlay import LocaleFile
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.translation.writing.locale import LocaleFacts, new_locale_facts

STYLE = "style.md"


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
    origin = dict(resources.iter_locales()).get(locale)
    if origin is None or folder.exists() or origin.resolve() == folder:
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(origin, folder)
    return True


def origin_of(locale: str, folder: Path) -> Path:
    """Return the folder whose texts count: what is written, or what will be copied to it."""
    if folder.exists():
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
