"""What became of a roster file: which data it was linked to, and what that data does not have."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from roster.services.exchange import LinkedRosterFile

MOST_NAMED = 8


def summarize_import(linked: LinkedRosterFile) -> list[str]:
    """Return the sentences for whoever imported the file, the one about the data first."""
    return list(_list_remarks(linked))


def _list_remarks(linked: LinkedRosterFile) -> Iterator[str]:
    source, version = linked.file.game_system, str(linked.version)
    if linked.exact:
        yield _("Linked to the data it was made with: %(version)s.") % {"version": version}
    else:
        yield _("Linked to %(version)s, the nearest data that is installed; it was made with %(made)s.") % {
            "version": version,
            "made": _("%(name)s, revision %(revision)s")
            % {"name": source.name or source.id, "revision": source.revision or _("unknown")},
        }
    if linked.missing:
        yield ngettext(
            "%(count)d entry is not in this data and stays in the list as a placeholder: %(names)s.",
            "%(count)d entries are not in this data and stay in the list as placeholders: %(names)s.",
            len(linked.missing),
        ) % {"count": len(linked.missing), "names": _join_names(linked.missing)}
    if linked.file.uneven:
        yield _("Taken apart, because not all of them have the same options: %(names)s.") % {
            "names": _join_names(tuple(dict.fromkeys(linked.file.uneven)))
        }


def _join_names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown}, …"
