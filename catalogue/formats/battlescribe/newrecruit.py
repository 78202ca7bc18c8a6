"""New Recruit's additions to modifiers: messages of the data's author, and effects on profiles elsewhere."""

import re

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.queries import ANY, Bound, Effect, Guard, Modifier, Query, Scope, Term
from catalogue.formats.battlescribe.source_file import Attributes
from catalogue.formats.battlescribe.xml_parser import Element

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.REMARK}

_WHATEVER = Query(scope=Scope.SELF, child_id=ANY, deep=True)
_THIS = "{this}"
_AFFECTS = re.compile(
    r"(?P<own>self\.)?(?P<children>entries\.)?(?P<forces>forces\.)?(?P<deep>recursive\.)?"
    r"(?:(?P<entry>[0-9a-f]+(?:-[0-9a-f]+)+)\.)?profiles\.(?P<type>.+)"
)


def build_message(element: Element, attrs: Attributes, guard: Guard, owner: str) -> Constraint:
    """Return the author's message while `guard` holds, as a constraint that nothing can meet: `count >= count + 1`.

    Whether other picks would mend it only the author knows, so it counts as not mendable.
    """
    holder = find_holder(element)
    return Constraint(
        id=f"{owner}/message/{attrs.get('id') or element.sourceline}",
        bound=Bound.MIN,
        value=1,
        query=_WHATEVER,
        terms=(Term(query=_WHATEVER),),
        when=guard,
        mendable=False,
        severity=SEVERITIES[attrs["field"]],
        text=attrs.get("value", "").replace(_THIS, holder.get("name", "")),
    )


def find_holder(element: Element) -> Element:
    """Return the definition that a modifier is in, past all groups of modifiers."""
    above = element.getparent()
    while above is not None and not above.get("name", ""):
        element, above = above, above.getparent()
    return element if above is None else above


def build_effect(modifier: Modifier, scope: str, affects: str) -> Effect | None:
    """Return `modifier` applied to the profiles that `affects` reaches from `scope`; None for paths of another form.

    >>> path = "self.entries.recursive.profiles.Weapon"
    >>> effect = build_effect(Modifier(change="set", field="name", value="Sharp"), "unit", path)
    >>> effect.own, effect.children, effect.deep, effect.profile_type
    (True, True, True, 'Weapon')
    """
    match = _AFFECTS.fullmatch(affects)
    if match is None:
        return None
    below = bool(match["children"] or match["forces"])
    return Effect(
        modifier=modifier,
        scope=scope,
        profile_type=match["type"],
        own=bool(match["own"]) or not below,
        children=below,
        deep=bool(match["deep"]),
        entry_id=match["entry"] or "",
    )
