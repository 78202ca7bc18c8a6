"""What rules count: constraints, conditions, repeats and modifiers in their context."""

import msgspec
import pytest

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import (
    NOTHING,
    Bound,
    Change,
    Condition,
    Effect,
    Guard,
    Modifier,
    Operator,
    Query,
    Repeat,
)
from catalogue.graph.compiled_constraints import is_mendable
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.tree import Force, RosterTree, Selection
from tests.catalogue.battlescribe_files import codes, read_entry, read_game, unit


def constraint(attributes: str) -> Constraint:
    return read_entry(f'<constraints><constraint id="c" {attributes}/></constraints>').constraints[0]


def condition(ident: str = "any", joined: str = "atLeast", value: str = "1", field: str = "selections") -> str:
    return f'<condition field="{field}" scope="force" value="{value}" childId="{ident}" type="{joined}" shared="true"/>'


def expected(ident: str = "any", operator: Operator = Operator.AT_LEAST) -> Condition:
    return Condition(operator=operator, query=Query(scope="force", child_id=ident), value=1)


def test_constraint_defaults() -> None:
    assert constraint('type="max" value="2.0"') == Constraint(id="c", bound=Bound.MAX, value=2, query=Query())


def test_constraint_with_everything() -> None:
    found = constraint(
        'type="min" value="10" field="pts" scope="roster" shared="false" percentValue="true"'
        ' includeChildSelections="true" includeChildForces="true" childId="bird"'
    )
    assert found.query == Query(
        field="pts", scope="roster", child_id="bird", shared=False, deep=True, include_child_forces=True, percent=True
    )


def test_constraint_with_a_message_and_a_true_negative() -> None:
    found = constraint('type="max" value="-1" negative="true" message="Too wet"')
    assert found.text == "Too wet"
    assert found.value == -1
    assert found.terms[0].coefficient == 0
    assert constraint('type="max" value="1" negative="true"').terms, "modifiers may lower it"


def test_constraint_without_a_value_binds_nothing() -> None:
    assert constraint('type="max"').value == -1


def test_the_message_of_a_constraint_names_its_holder() -> None:
    assert constraint('type="max" value="2" message="{this}: {value} at most"').text == "Duck: {value} at most"


def test_limit_field() -> None:
    entry = read_entry(
        '<modifiers><modifier type="set" field="hidden" value="true"><conditions>'
        '<condition type="greaterThan" value="9" field="limit::pts" scope="roster" childId="any"/>'
        "</conditions></modifier></modifiers>"
    )
    assert entry.modifiers[0].guard.conditions[0].query.field == "limit::pts"


def test_conditions_default_to_the_entry_itself() -> None:
    entry = read_entry(
        '<modifiers><modifier type="set" field="hidden" value="true"><conditions>'
        '<condition type="lessThan" value="1" childId="model"/></conditions></modifier></modifiers>'
    )
    assert entry.modifiers[0].guard.conditions[0].query == Query(scope="self", child_id="model")


def test_condition_groups_nest() -> None:
    entry = read_entry(
        f"""<modifiers><modifier type="set" field="hidden" value="true">
          <conditions>{condition()}</conditions>
          <conditionGroups><conditionGroup type="or"><conditions>{condition("unit")}{condition("model")}</conditions>
            <conditionGroups><conditionGroup type="and"><conditions>{condition("upgrade")}{condition("bird")}
            </conditions></conditionGroup></conditionGroups></conditionGroup></conditionGroups>
        </modifier></modifiers>"""
    )
    inner = Guard(conditions=(expected("upgrade"), expected("bird")))
    either = Guard(any_of=True, conditions=(expected("unit"), expected("model")), guards=(inner,))
    assert entry.modifiers[0].guard == Guard(conditions=(expected(),), guards=(either,))


def test_groups_of_modifiers_are_flattened() -> None:
    repeat = '<repeat field="selections" scope="parent" value="5" repeats="2" childId="%s" roundUp="true"/>'
    entry = read_entry(
        f"""<constraints><constraint id="c" type="max" value="1"/></constraints>
        <modifierGroups><modifierGroup>
          <conditions>{condition("unit")}</conditions><repeats>{repeat % "model"}</repeats>
          <modifiers><modifier type="increment" field="c" value="1"/></modifiers>
          <modifierGroups><modifierGroup><modifiers>
            <modifier type="set" field="name" value="Drake"><conditions>{condition("model")}</conditions>
              <repeats>{repeat % "any"}</repeats></modifier>
          </modifiers></modifierGroup></modifierGroups>
        </modifierGroup></modifierGroups>"""
    )

    def times(ident: str) -> tuple[Repeat, ...]:
        return (Repeat(query=Query(scope="parent", child_id=ident), value=5, times=2, round_up=True),)

    assert entry.modifiers == (
        Modifier(
            change=Change.INCREMENT,
            field="c",
            value="1",
            guard=Guard(conditions=(expected("unit"),)),
            repeats=(times("model"),),
        ),
        Modifier(
            change=Change.SET,
            field="name",
            value="Drake",
            guard=Guard(conditions=(expected("unit"), expected("model"))),
            repeats=(times("model"), times("any")),
        ),
    )


def test_an_or_group_of_modifiers_stays_an_or() -> None:
    entry = read_entry(
        f"""<modifierGroups><modifierGroup type="or"><conditions>{condition("unit")}{condition("model")}</conditions>
          <modifiers><modifier type="set" field="hidden" value="true"><conditions>{condition()}</conditions></modifier>
          </modifiers></modifierGroup></modifierGroups>"""
    )
    either = Guard(any_of=True, conditions=(expected("unit"), expected("model")))
    assert entry.modifiers[0].guard == Guard(conditions=(expected(),), guards=(either,))


def test_modifiers_keep_the_order_of_the_file() -> None:
    entry = read_entry(
        """<modifierGroups><modifierGroup><modifiers><modifier type="set" field="name" value="1"/></modifiers>
        </modifierGroup></modifierGroups><modifiers><modifier type="append" field="name" value="2"/></modifiers>"""
    )
    assert [m.value for m in entry.modifiers] == ["1", "2"]


def test_text_modifiers_of_new_recruit() -> None:
    entry = read_entry(
        """<modifiers><modifier type="append" field="annotation" value="wet" join=", "/>
        <modifier type="increment" field="name" value="1" position="-1"/>
        <modifier type="replace" field="name" arg="Duck" value="Drake"/></modifiers>"""
    )
    append, increment, replace = entry.modifiers
    assert (append.field, append.join) == ("annotation", ", ")
    assert increment.position == -1
    assert (replace.change, replace.arg, replace.value) == (Change.REPLACE, "Duck", "Drake")


def test_effects_on_profiles_elsewhere() -> None:
    entry = read_entry(
        '<modifiers><modifier type="set" field="name" value="Wet" scope="model-or-unit"'
        ' affects="self.entries.recursive.profiles.Beaks"/></modifiers>'
    )
    assert entry.modifiers == ()
    assert entry.effects == (
        Effect(
            modifier=Modifier(change=Change.SET, field="name", value="Wet"),
            scope="model-or-unit",
            profile_type="Beaks",
            reaches_itself=True,
            children=True,
            deep=True,
        ),
    )


def read_message(conditions: str) -> Constraint:
    (message,) = read_entry(
        f"""<modifiers><modifier type="add" field="error" value="{{this}} cannot swim">{conditions}</modifier>
        </modifiers>"""
    ).constraints
    assert (message.text, message.severity) == ("Duck cannot swim", Severity.ERROR)
    return message


def test_messages_of_the_author_are_demands_that_nothing_meets() -> None:
    message = read_message(f"<conditions>{condition(joined='instanceOf')}</conditions>")
    assert (message.bound, message.value, message.query.child_id) == (Bound.MIN, 1, NOTHING)
    assert message.when == Guard(conditions=(expected(operator=Operator.INSTANCE_OF),))
    assert not is_mendable(message)
    first, second = read_entry(
        """<modifiers><modifier type="add" field="warning" value="Feed it"/>
        <modifier type="add" field="info" value="Fed"/></modifiers>"""
    ).constraints
    assert (first.severity, second.severity) == (Severity.WARNING, Severity.REMARK)
    assert first.id != second.id


@pytest.mark.parametrize(
    ("joined", "bound", "limit"),
    [("lessThan", Bound.MIN, 2), ("atMost", Bound.MIN, 3), ("greaterThan", Bound.MAX, 2), ("atLeast", Bound.MAX, 1)],
)
def test_a_message_about_a_number_is_a_limit_to_it(joined: str, bound: Bound, limit: int) -> None:
    both = condition(joined=joined, value="2") + condition(joined="instanceOf")
    message = read_message(f"<conditions>{both}</conditions>")
    assert (message.bound, message.value) == (bound, limit)
    assert message.query == expected().query
    assert message.when == Guard(conditions=(expected(operator=Operator.INSTANCE_OF),))
    assert is_mendable(message) == (bound is Bound.MIN)


@pytest.mark.parametrize(
    "conditions",
    [
        condition(joined="notEqualTo"),
        condition(joined="lessThan", value="0"),
        condition(joined="atLeast", value="0"),
        condition(joined="lessThan", field="pts"),
        condition(joined="lessThan", field="limit::pts"),
    ],
)
def test_a_message_about_something_else_stays_as_it_is(conditions: str) -> None:
    message = read_message(f"<conditions>{conditions}</conditions>")
    assert (message.query.child_id, len(message.when.conditions)) == (NOTHING, 1)


def test_conditions_of_unknown_meaning_switch_nothing() -> None:
    result = read_game(
        unit(
            f"""<modifiers><modifier type="set" field="hidden" value="true">
            <conditions>{condition(joined="behind")}</conditions></modifier>
            <modifier type="set" field="name" value="Drake"/></modifiers>"""
        )
    )
    assert codes(result) == ["unknown-conditions"]
    assert result.data is not None
    pond = result.data.catalogues[1]
    assert [m.field for m in pond.entries[0].modifiers] == ["name"]
    assert [(u.code, u.subject_id) for u in pond.unchecked] == [("unknown-conditions", "duck")]


def hidden_when(joined: str, inside: str) -> Guard:
    group = f'<conditionGroups><conditionGroup type="{joined}">{inside}</conditionGroup></conditionGroups>'
    entry = read_entry(f'<modifiers><modifier type="set" field="hidden" value="true">{group}</modifier></modifiers>')
    return entry.modifiers[0].guard


def test_a_group_that_must_not_hold() -> None:
    one = f"<conditions>{condition()}</conditions>"
    assert hidden_when("not", one) == Guard(negated=True, conditions=(expected(),))
    inner = f'<conditionGroups><conditionGroup type="or">{one}</conditionGroup></conditionGroups>'
    assert hidden_when("not", inner) == Guard(negated=True, guards=(Guard(any_of=True, conditions=(expected(),)),))


def test_a_group_that_must_not_hold_stays_whole_in_a_group_of_modifiers() -> None:
    one = f'<conditionGroup type="not"><conditions>{condition()}</conditions></conditionGroup>'
    entry = read_entry(
        f"<modifierGroups><modifierGroup><conditionGroups>{one}</conditionGroups><modifiers>"
        f'<modifier type="set" field="hidden" value="true"><conditions>{condition("model")}</conditions></modifier>'
        "</modifiers></modifierGroup></modifierGroups>"
    )
    assert entry.modifiers[0].guard == Guard(
        conditions=(expected("model"),), guards=(Guard(negated=True, conditions=(expected(),)),)
    )


def test_conditions_that_ask_nothing() -> None:
    for joined, operator in (("always", Operator.AT_LEAST), ("never", Operator.LESS_THAN)):
        found = hidden_when("and", f'<conditions><condition type="{joined}"/></conditions>')
        (made,) = found.conditions
        assert (made.operator, made.query.scope, made.value) == (operator, "roster", 0)


def test_a_condition_for_another_program_asks_nothing() -> None:
    comment = "<comment>app: NewRecruit</comment>"
    asked = condition().replace("/>", f">{comment}</condition>")
    (made,) = hidden_when("and", f"<conditions>{asked}</conditions>").conditions
    assert (made.operator, made.query.scope, made.value) == (Operator.AT_LEAST, "roster", 0)
    ordinary = asked.replace("app: NewRecruit", "see page 4")
    assert hidden_when("and", f"<conditions>{ordinary}</conditions>") == Guard(conditions=(expected(),))


@pytest.mark.parametrize("field", ["forces", "selections", "pts"])
def test_forces_of_a_roster_are_all_of_them_unless_it_says_otherwise(field: str) -> None:
    for said, deep in (("", True), ('includeChildForces="false"', False), ('includeChildForces="true"', True)):
        asked = f'<condition type="atMost" value="1" field="{field}" scope="roster" childId="any" {said}/>'
        (made,) = hidden_when("and", f"<conditions>{asked}</conditions>").conditions
        assert made.query.include_child_forces is deep
        inside = asked.replace('"roster"', '"force"')
        (made,) = hidden_when("and", f"<conditions>{inside}</conditions>").conditions
        assert made.query.include_child_forces is (deep and bool(said))


def test_a_count_of_conditions_that_each_selection_is_asked() -> None:
    result = read_game(
        unit(
            """<modifiers><modifier type="increment" field="pts" value="10"><localConditionGroups>
            <localConditionGroup type="atLeast" value="2" scope="parent" field="selections" repeats="1">
            <conditions><condition type="before" value="1" field="selections" scope="self" childId="any"/>
            <condition type="instanceOf" value="1" field="selections" scope="self" childId="duck"/></conditions>
            </localConditionGroup></localConditionGroups></modifier></modifiers>"""
        )
    )
    assert codes(result) == []
    assert result.data is not None
    (modifier,) = result.data.catalogues[1].entries[0].modifiers
    (count,) = modifier.guard.conditions
    query = count.query
    assert (count.operator, count.value, query.scope, query.child_id) == ("atLeast", 2, "parent", "any")
    assert query.where is not None
    assert [inner.operator for inner in query.where.conditions] == ["before", "instanceOf"]


BALANCE = """<modifiers><modifier type="set" field="error" value="As many ducks as drakes"><localConditionGroups>
<localConditionGroup type="always" value="1" scope="roster" field="selections" includeChildSelections="true"
 repeats="-1"><conditions><condition type="instanceOf" value="1" field="selections" scope="self" childId="duck"/>
</conditions></localConditionGroup>
<localConditionGroup type="always" value="1" scope="roster" field="selections" includeChildSelections="true"
 repeats="1"><conditions><condition type="instanceOf" value="1" field="selections" scope="self" childId="drake"/>
</conditions></localConditionGroup></localConditionGroups></modifier></modifiers>"""


def test_a_message_that_is_there_unless_two_numbers_are_equal() -> None:
    drakes = unit(ident="drake").replace("<selectionEntries>", "").replace("</selectionEntries>", "")
    result = read_game(unit(BALANCE).replace("</selectionEntries>", f"{drakes}</selectionEntries>"))
    assert codes(result) == []
    assert result.data is not None
    (constraint,) = result.data.catalogues[1].entries[0].constraints
    force = ForceEntry(id="f", name="F")
    system = msgspec.structs.replace(result.data.catalogues[0], forces=(force,))
    ruleset = compile_ruleset(DataSet(catalogues=(system, result.data.catalogues[1])))
    for names, is_broken in ((["duck", "drake"], False), (["duck", "drake", "drake"], True), (["duck"], True)):
        taken = tuple(Selection(id=f"s{place}", entry_id=name) for place, name in enumerate(names))
        roster = RosterTree(id="r", forces=(Force(id="1", entry_id="f", catalogue_id="pond", selections=taken),))
        broken = {violation.constraint_id: violation.text for violation in evaluate(ruleset, roster).violations}
        assert broken == ({constraint.id: "As many ducks as drakes"} if is_broken else {})


def test_so_many_times_as_others_fulfil_conditions() -> None:
    result = read_game(unit(BALANCE.replace('type="set" field="error"', 'type="increment" field="pts"')))
    assert "unknown-conditions" not in codes(result)
    assert result.data is not None
    (modifier,) = result.data.catalogues[1].entries[0].modifiers
    assert [[repeat.times for repeat in level] for level in modifier.repeats] == [[-1, 1]]


def test_a_category_in_a_force_has_messages_of_its_own() -> None:
    message = '<modifiers><modifier type="add" field="error" value="No birds here"/></modifiers>'
    link = f'<categoryLink id="slot" name="Bird" targetId="bird">{message}</categoryLink>'
    force = f'<forceEntry id="f" name="F"><categoryLinks>{link}</categoryLinks></forceEntry>'
    result = read_game(unit(), f"<forceEntries>{force}</forceEntries>")
    assert codes(result) == []
    assert result.data is not None
    roster = RosterTree(id="r", forces=(Force(id="1", entry_id="f", catalogue_id="pond"),))
    violations = evaluate(compile_ruleset(result.data), roster).violations
    assert [violation.text for violation in violations] == ["No birds here"]


def test_attributes_of_texts_change_no_verdict() -> None:
    result = read_game(unit('<rules><rule id="r" name="Swims" scope="self" novel="yes"/></rules>'))
    assert codes(result) == ["display-only", "display-only"]
    assert result.data is not None
    assert result.data.catalogues[1].unchecked == ()


def test_so_many_of_several_conditions() -> None:
    entry = read_entry(
        f"""<modifiers><modifier type="set" field="hidden" value="true"><conditionGroups>
        <conditionGroup type="count" min="2"><conditions>{condition()}{condition("bird")}</conditions></conditionGroup>
        </conditionGroups></modifier></modifiers>"""
    )
    (modifier,) = entry.modifiers
    assert (modifier.guard.least, len(modifier.guard.conditions)) == (2, 2)


def test_a_change_of_other_selections() -> None:
    result = read_game(
        unit(
            """<constraints><constraint id="c" type="min" value="1" automatic="true" message="Take it."/></constraints>
            <modifiers><modifier type="add" field="category" value="bird" scope="force"
                                 affects="self.entries.recursive.bird"/></modifiers>""",
            'collapsible="true" flatten="true" step="5"',
        )
    )
    assert codes(result) == []
    assert result.data is not None
    duck = result.data.catalogues[1].entries[0]
    assert (duck.collapsible, duck.flatten, duck.step) == (True, True, 5)
    assert (duck.constraints[0].automatic, duck.constraints[0].text) == (True, "Take it.")
    (effect,) = duck.effects
    assert (effect.scope, effect.reaches_itself, effect.deep, effect.entry_id) == ("force", False, True, "bird")
    assert (effect.profile_type, effect.modifier.field) == ("", "category")
