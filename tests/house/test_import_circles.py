"""No modules import each other in a circle, including imports inside functions and for types."""

from graphlib import CycleError, TopologicalSorter

import grimp

PACKAGES = ("armybuilder", "roster", "catalogue")


def find_circle(imports: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle, the first again at the end, or []."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found() -> None:
    assert find_circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert set(find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == {"b", "c"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=False, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 100
    assert find_circle(imports) == []
