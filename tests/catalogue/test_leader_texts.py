"""Sentences in which datasheets say who may lead whom, with invented names."""

import pytest

from catalogue.graph.leader_texts import ANY_NUMBER, Companions, RoomText, StandIn, may_say_who_leads, read_leader_text

HEAD = "This model can be attached to the following units"
STAY = " If you do, and that Bodyguard unit is destroyed, the Leader units attached to it become separate units."
BEGIN = "At the start of the Declare Battle Formations step,"
DURING = "During the Declare Battle Formations step,"
NO_TWO = "a unit cannot have more than one Bell Ringer unit joined to it"
ABLE = "from your army with the Leader ability"
INSTEAD = "it can be attached to this unit instead."


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}:\n■ Reed Cutters\n■ Otter Riders",
        f"{HEAD}:\n\n- ^^**REED CUTTERS**^^\n- **^^OTTER RIDERS^^**",
        f"{HEAD}: Reed Cutters, Otter Riders.",
        f"{HEAD}: Reed Cutters; Otter Riders",
        f"{HEAD}:<br>• Reed Cutters*<br>• Otter Riders'",
        "This unit must be attached to the following unit:\nReed Cutters\nOtter Riders",
        "This model can lead the following units: ^^**Reed Cutters, Otter Riders**^^",
        "The bearer can be attached to a Reed Cutters or Otter Riders unit.",
        f"Marshal model only. {DURING} the bearer can be attached to a Reed Cutters or an Otter Riders unit.",
        "Add the following units to the list of units this model can be attached to: Reed Cutters, Otter Riders.",
        f"{BEGIN} this unit can join one Reed Cutters or Otter Riders unit from your army ({NO_TWO}).",
    ],
)
def test_units_that_may_be_joined(text: str) -> None:
    assert may_say_who_leads(text)
    read = read_leader_text(text)
    assert [name.title() for name in read.leads] == ["Reed Cutters", "Otter Riders"]
    assert read.unread == []


@pytest.mark.parametrize(
    ("text", "companions"),
    [
        (
            "even if one Marshal or Lock Warden model has already been attached to it",
            Companions(("Marshal", "Lock Warden")),
        ),
        ("even if one or more Herald units have already been attached to it", Companions(("Herald",), ANY_NUMBER)),
        (
            "even if one other Character model has already been attached to it (a unit cannot have two Seers attached)",
            Companions(("Character",), unlike=True),
        ),
    ],
)
def test_whom_it_may_join(text: str, companions: Companions) -> None:
    read = read_leader_text(
        f"{HEAD}:\n■ Reed Cutters\nYou can attach this model to one of the above units {text}.{STAY}"
    )
    assert (read.leads, read.companions, read.unread) == (["Reed Cutters"], [companions], [])


@pytest.mark.parametrize(
    ("text", "stand_in"),
    [
        (
            f"If a Character unit from your army with the Leader ability can be attached to a Guard, {INSTEAD}",
            StandIn(("Guard",)),
        ),
        (
            f"If a Seer or Marshal model from your army can be attached to a Guard unit, {INSTEAD}",
            StandIn(("Guard",), ("Seer", "Marshal")),
        ),
        (
            f"If a Character unit {ABLE} (excluding Heroes) can be attached to a Guard, {INSTEAD}",
            StandIn(("Guard",), (), ("Heroes",)),
        ),
    ],
)
def test_units_that_stand_in_for_others(text: str, stand_in: StandIn) -> None:
    read = read_leader_text(text)
    assert (read.stand_ins, read.unread) == ([stand_in], [])


def test_room_for_two() -> None:
    read = read_leader_text(
        "If this unit has a Starting Strength of 20, you can attach up to two Leader units to it instead of one (but "
        "only if one of those is a Marshal model)."
    )
    assert read.room == RoomText(2, 20, ("Marshal",))
    read = read_leader_text(
        "This unit can have up to two Leader units attached to it, provided no more than one of those units is a Staff "
        "unit."
    )
    assert read.room == RoomText(2, single=("Staff",))


def test_equipment_and_replacement() -> None:
    read = read_leader_text(
        f"{HEAD}:\n■ Guard\n* This model cannot be attached to a Guard unless it is equipped with a relic shield."
    )
    assert (read.leads, read.equipment) == (["Guard"], [("Guard", "relic shield")])
    read = read_leader_text("Replace the list of units this model can be attached to: Wasps, Bees")
    assert (read.leads, read.replaces) == (["Wasps", "Bees"], True)


def test_a_sentence_of_no_known_form_is_kept() -> None:
    read = read_leader_text(f"{HEAD}: Guard. This model hums while anybody is attached to it.")
    assert (read.leads, read.unread) == (["Guard"], ["This model hums while anybody is attached to it"])


@pytest.mark.parametrize(
    "text", ["", "■", "(excluding", "**^^", "This model can be attached to the following units:", "attach " * 5000]
)
def test_odd_texts_do_no_harm(text: str) -> None:
    assert read_leader_text(text).leads == []


@pytest.mark.parametrize(
    "bracket",
    [
        "",
        " (a Court cannot have more than one Loyal Heron model joined to it)",
        " (a Court unit cannot have more than one Envoy unit joined to it)",
    ],
)
def test_what_must_join_says_so(bracket: str) -> None:
    start = "At the start of the Declare Battle Formations step, this model must join one Court unit from your army"
    text = read_leader_text(
        f"{start}{bracket}. If it is not possible to join this model to a Court, it counts as destroyed."
    )
    assert (text.must, text.joins, text.leads, text.unread) == (True, True, ["Court"], [])


def test_a_unit_names_who_must_be_attached_to_it() -> None:
    text = read_leader_text(
        "You must attach one Captain or Chapter Master model to this unit. If this is not possible, this unit does not "
        "take part in the battle and counts as having been destroyed."
    )
    assert (text.must, text.needs, text.leads, text.unread) == (False, ["Captain", "Chapter Master"], [], [])
