"""What is wrong with a data set as a whole: links that lead nowhere or in a circle, ids given twice."""

from collections import Counter
from collections.abc import Iterator

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.definitions.entries import Entry
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.link_index import Binding, walk_entries, walk_infos


def check_data(binding: Binding) -> tuple[Diagnostic, ...]:
    """List all findings about a data set, file by file."""
    diagnostics: list[Diagnostic] = []
    for catalogue in binding.catalogues:
        diagnostics += _check_duplicates(catalogue)
        diagnostics += _check_catalogue_links(binding, catalogue)
        diagnostics += _check_links(binding, catalogue)
        diagnostics += _check_infos(binding, catalogue)
    diagnostics += _check_cycles(binding)
    return tuple(diagnostics)


def _walk_catalogue_entries(catalogue: Catalogue) -> Iterator[Entry]:
    return walk_entries((*catalogue.shared_entries, *catalogue.entries))


def _check_duplicates(catalogue: Catalogue) -> Iterator[Diagnostic]:
    counted = Counter(entry.id for entry in _walk_catalogue_entries(catalogue))
    for entry_id, times in counted.items():
        if times > 1:
            yield Diagnostic(
                code="duplicate-id",
                message=f"The id {entry_id} is given to {times} entries.",
                mend="Give each entry an id of its own; links find the first one.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _check_catalogue_links(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    for link in catalogue.links:
        if link.target_id not in binding.by_id:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link to the catalogue {link.name or link.target_id} leads nowhere.",
                mend="Add the catalogue to the data, or remove the link.",
                file=catalogue.name,
            )


def _check_links(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    for entry in _walk_catalogue_entries(catalogue):
        if entry.is_link and binding.find_entry(entry.target_id, catalogue) is None:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link {entry.name or entry.id} leads to {entry.target_id}, which is no entry or group.",
                mend="Correct the target's id, or remove the link.",
                file=catalogue.name,
            )
        for category in entry.categories:
            if category.target_id not in binding.categories:
                yield Diagnostic(
                    code="unknown-category",
                    message=f"{entry.name or entry.id} is put in {category.target_id}, which is no category.",
                    mend="Correct the category's id, or remove the link.",
                    file=catalogue.name,
                    level=Level.WARNING,
                )
        if entry.default_id and not _has_default(binding, entry, catalogue):
            yield Diagnostic(
                code="dangling-default",
                message=f"The default of the group {entry.name or entry.id} is {entry.default_id}, which is not in it.",
                mend="Name an entry or a link inside the group, or remove the default.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _has_default(binding: Binding, group: Entry, home: Catalogue) -> bool:
    target = binding.find_entry(group.target_id, home) if group.is_link else None
    inside = target.entry.entries if target else group.entries
    return any(group.default_id in (entry.id, entry.target_id) for entry in walk_entries(inside))


def _check_infos(binding: Binding, catalogue: Catalogue) -> Iterator[Diagnostic]:
    owned = (
        *catalogue.shared_infos,
        *catalogue.infos,
        *(i for e in _walk_catalogue_entries(catalogue) for i in e.infos),
    )
    for info in walk_infos(owned):
        if info.kind is InfoKind.LINK and binding.find_info(info.target_id, catalogue) is None:
            yield Diagnostic(
                code="dangling-link",
                message=f"The link {info.name or info.id} leads to {info.target_id}, which is no profile or rule.",
                mend="Correct the target's id, or remove the link.",
                file=catalogue.name,
                level=Level.WARNING,
            )


def _list_inside(binding: Binding, entry: Entry, home: Catalogue) -> Iterator[tuple[Entry, Catalogue]]:
    if entry.is_link:
        target = binding.find_entry(entry.target_id, home)
        if target:
            yield target
    for child in entry.entries:
        yield child, home


def _check_cycles(binding: Binding) -> Iterator[Diagnostic]:
    """Find links inside what they lead to: depth first, without recursion. An entry is done when all inside it is."""
    done: set[int] = set()
    for catalogue in binding.catalogues:
        for root in (*catalogue.shared_entries, *catalogue.entries):
            if id(root) in done:
                continue
            open_ids = {id(root)}
            path = [(root, catalogue, _list_inside(binding, root, catalogue))]
            while path:
                entry, home, inside = path[-1]
                child = next(inside, None)
                if child is None:
                    path.pop()
                    open_ids.discard(id(entry))
                    done.add(id(entry))
                elif id(child[0]) in open_ids:
                    yield _describe_cycle(entry, home)
                elif id(child[0]) not in done:
                    open_ids.add(id(child[0]))
                    path.append((*child, _list_inside(binding, *child)))


def _describe_cycle(link: Entry, home: Catalogue) -> Diagnostic:
    return Diagnostic(
        code="cyclic-link",
        message=f"The link {link.name or link.id} stands inside what it leads to.",
        mend="Remove the link: nothing can be taken inside itself.",
        file=home.name,
    )
