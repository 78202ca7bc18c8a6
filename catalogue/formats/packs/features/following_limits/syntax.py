"""Read `limit by:` of costs."""

from dataclasses import dataclass

from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode
from catalogue.documents.section import NUMBER, Section, ValueType, key
from catalogue.formats.packs.syntax.base import Reference, read_reference


@dataclass(frozen=True, kw_only=True)
class LimitBySyntax:
    cost: Reference
    steps: tuple[tuple[Number, Number], ...]


LIMIT_BY_LABEL = "`cost: {limit: limit}`"
STEPS_SCHEMA = {"type": "object", "additionalProperties": NUMBER.schema}


def _read_limit_by(node: DocumentNode, _: object) -> LimitBySyntax | None:
    for name, value in node.read_pairs(LIMIT_BY_LABEL):
        steps = tuple((limit.read_number(), step.read_number()) for limit, step in value.read_pairs())
        return LimitBySyntax(cost=read_reference(name), steps=steps)
    return None


LIMIT_BY: ValueType[LimitBySyntax | None] = ValueType(
    LIMIT_BY_LABEL, _read_limit_by, lambda _: None, {"type": "object", "additionalProperties": STEPS_SCHEMA}
)


class FollowingLimitSyntax(Section):
    page = "following_limits"

    limit_by: LimitBySyntax | None = key(
        "limit by", LIMIT_BY, "its limit for each limit of another cost: `{points: {90: 6, 120: 8}}`"
    )
