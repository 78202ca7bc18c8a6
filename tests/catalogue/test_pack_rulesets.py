"""Several ways to organise the same units."""

from pathlib import Path

from tests.catalogue.pack_files import PACK, pond


def test_a_ruleset_has_its_kinds_of_detachment(tmp_path: Path) -> None:
    pack = PACK + "rulesets:\n- {ruleset: High water, detachments: [pond], text: All swim.}\n"
    reading = pond(tmp_path, "", pack)
    assert reading.pack is not None
    assert [(r.id, r.name, r.text, r.detachments) for r in reading.pack.rulesets] == [
        ("high-water", "High water", "All swim.", ("pond",))
    ]


def test_a_detachment_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", PACK + "rulesets:\n- {ruleset: High water, detachments: [lake]}\n")
    assert [found.code for found in reading.diagnostics] == ["unknown-detachment"]
