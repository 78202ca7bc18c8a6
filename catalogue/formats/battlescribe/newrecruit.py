"""New Recruit's additions to modifiers: messages of the data's author, and effects on profiles elsewhere."""

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.queries import ANY, Bound, Effect, Guard, Modifier, Query, Repeat, Scope, Term
from catalogue.formats.battlescribe.source_file import Attributes
from catalogue.formats.battlescribe.xml_parser import Element

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.REMARK}

_WHATEVER = Query(scope=Scope.SELF, child_id=ANY, deep=True)
_THIS = "{this}"
_PROFILES = "profiles."
_WAYS = frozenset(("self", "entries", "forces", "recursive"))


def build_message(
    element: Element, attrs: Attributes, guard: Guard, repeats: tuple[tuple[Repeat, ...], ...], owner: str
) -> Constraint:
    """Return the author's message while `guard` holds, as a constraint.

    With repeats it is there unless they come to nothing: "as many of these as of those" is one of each, the other below
    zero. Without them nothing can meet it, `count >= count + 1`, and whether other picks would mend it only the author
    knows, so it counts as not mendable.
    """
    holder = find_holder(element)
    ident = f"{owner}/message/{attrs.get('id') or element.sourceline}"
    severity, text = SEVERITIES[attrs["field"]], attrs.get("value", "").replace(_THIS, holder.get("name", ""))
    if len(repeats) == 1 and all(abs(repeat.times) == 1 == repeat.value for repeat in repeats[0]):
        first, *others = repeats[0]
        return Constraint(
            id=ident,
            bound=Bound.EXACTLY,
            value=0,
            query=first.query,
            terms=tuple(Term(query=other.query, coefficient=-first.times * other.times) for other in others),
            when=guard,
            severity=severity,
            text=text,
        )
    return Constraint(
        id=ident,
        bound=Bound.MIN,
        value=1,
        query=_WHATEVER,
        terms=(Term(query=_WHATEVER),),
        when=guard,
        mendable=False,
        severity=severity,
        text=text,
    )


def find_holder(element: Element) -> Element:
    """Return the definition that a modifier is in, past all groups of modifiers."""
    above = element.getparent()
    while above is not None and not above.get("name", ""):
        element, above = above, above.getparent()
    return element if above is None else above


def build_effect(modifier: Modifier, scope: str, affects: str) -> Effect | None:
    """Return `modifier` applied to what `affects` reaches from `scope`; None for paths of another form.

    A path is words with dots between them: `self`, `entries`, `forces` and `recursive` say where to go, any other what
    is meant there (an id or a type), and `profiles` with the name of a type ends it.

    >>> path = "self.entries.recursive.profiles.Weapon"
    >>> effect = build_effect(Modifier(change="set", field="name", value="Sharp"), "unit", path)
    >>> effect.own, effect.children, effect.deep, effect.profile_type
    (True, True, True, 'Weapon')
    >>> build_effect(Modifier(change="add", field="category"), "force", "self.entries.ab-1").entry_id
    'ab-1'
    """
    way, _, profile_type = f".{affects}".partition(f".{_PROFILES}")
    words = [word for word in way.split(".") if word]
    entry_id = _find_destination(words)
    if entry_id is None:
        return None
    below = "entries" in words or "forces" in words
    return Effect(
        modifier=modifier,
        scope=scope,
        profile_type=profile_type,
        # The profiles of `self.entries` are those of the bearer, too; the entries of `self.entries` are what is in it.
        own=not below or ("self" in words and bool(profile_type)),
        children=below,
        deep="recursive" in words,
        forces="forces" in words,
        entry_id=entry_id,
    )


def _find_destination(words: list[str]) -> str | None:
    """Return the id or type at the end of a path: empty where it has only ways, None where it is not at the end."""
    names = [word for word in words if word not in _WAYS]
    if not names:
        return ""
    return names[0] if names == words[-1:] else None
