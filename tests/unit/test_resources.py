"""Where overlays and patches are found."""

from __future__ import annotations

import os

import pytest

from jtau_plugin import resources
from jtau_plugin.errors import SettingError


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package folder of its own, in a folder of its own."""
    folder = tmp_path / "site" / "jtau_plugin"
    folder.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", folder)
    monkeypatch.delenv("JTAU_OVERLAY_PATH", raising=False)
    return folder


def make_locale(root, locale, *domains):
    folder = root / locale
    folder.mkdir(parents=True)
    (folder / "locale.yaml").write_text("locale: x\n")
    for domain in domains:
        (folder / domain).mkdir()
        (folder / domain / "manifest.yaml").write_text("")
    return folder


def test_a_checkout_keeps_its_data_beside_the_package(package):
    assert resources.data_root() == package.parent


def test_a_wheel_carries_its_data_inside_the_package(package):
    (package / "_data").mkdir()
    assert resources.data_root() == package / "_data"


def test_locales_and_domains_are_found_in_order(package):
    overlays = package / "_data" / "overlays"
    folder = make_locale(overlays, "ja", "telecom", "airline")
    make_locale(overlays, "de")
    (overlays / "notes").mkdir()
    (folder / "draft").mkdir()
    assert [locale for locale, _ in resources.iter_locales()] == ["de", "ja"]
    assert list(resources.iter_domains(folder)) == ["airline", "telecom"]


def test_no_overlays_at_all_is_an_empty_list(package):
    assert list(resources.iter_locales()) == []


def test_a_folder_of_the_users_own_comes_first(package, tmp_path, monkeypatch):
    make_locale(package / "_data" / "overlays", "ja", "retail")
    own = make_locale(tmp_path / "own", "ja", "retail")
    other = make_locale(tmp_path / "other", "ja")
    extra = make_locale(tmp_path / "other", "ko")
    path = os.pathsep.join([str(tmp_path / "own"), "", str(tmp_path / "other")])
    monkeypatch.setenv("JTAU_OVERLAY_PATH", path)
    assert dict(resources.iter_locales()) == {"ja": own, "ko": extra}
    assert other not in dict(resources.iter_locales()).values()


def test_a_home_folder_is_expanded(package, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "overlays").mkdir()
    monkeypatch.setenv("JTAU_OVERLAY_PATH", "~/overlays")
    assert resources.overlay_roots()[0] == tmp_path / "overlays"


def test_a_folder_that_does_not_exist_is_an_error(package, tmp_path, monkeypatch):
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(tmp_path / "gone"))
    with pytest.raises(SettingError) as caught:
        resources.overlay_roots()
    assert str(caught.value) == (
        f"environment variable JTAU_OVERLAY_PATH: no folder {tmp_path / 'gone'} "
        "(name an existing folder)"
    )
