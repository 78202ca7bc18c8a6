"""Read from datasheet abilities which units may lead which.

Data for Warhammer 40,000 only has prose: "This model can be attached to the following units: ■ Boyz ■ Nobz". Each known
sentence is one row of `FORMS`. Other sentences are kept as `unread`, never guessed.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Names = tuple[str, ...]

ANY_NUMBER = -1


@dataclass(frozen=True, slots=True)
class Companions:
    """Others that may lead the same unit: at most `most` (or `ANY_NUMBER`) among `names`, units or keywords.

    "character" and "leader" mean any. `hosts` limits it to these units, `unlike` forbids two of the same kind.
    """

    names: Names
    most: int = 1
    hosts: Names = ()
    unlike: bool = False


@dataclass(frozen=True, slots=True)
class StandIn:
    """Units that it can represent: `who` except `excluding` may join it instead."""

    names: Names
    who: Names = ()
    excluding: Names = ()


@dataclass(frozen=True, slots=True)
class RoomText:
    """How many may join a unit of `size` models (0: any) at once.

    `needs` must include one of them, `single` may include at most one, `unlike` forbids two of a kind.
    """

    most: int
    size: int = 0
    needs: Names = ()
    single: Names = ()
    unlike: bool = False


@dataclass(slots=True)
class LeaderText:
    """The content of one ability. Its owner may join `leads` and be joined by `led_by`.

    If it `joins`, it becomes part of the other unit and leads nothing. If it `must`, it cannot deploy alone. One of
    `needs` must be attached to it. `replaces`: `leads` replaces the datasheet's list. `equipment` pairs units with what
    is needed to lead them.
    """

    leads: list[str] = field(default_factory=list)
    led_by: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    companions: list[Companions] = field(default_factory=list)
    stand_ins: list[StandIn] = field(default_factory=list)
    equipment: list[tuple[str, str]] = field(default_factory=list)
    room: RoomText | None = None
    joins: bool = False
    must: bool = False
    replaces: bool = False
    unread: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.leads or self.led_by or self.needs or self.companions or self.stand_ins or self.room)


# ---- names -----------------------------------------------------------------------------------------------------------

_COMMA = re.compile(r"[,;](?![^(]*\))")
_OR = re.compile(r",?\s+or\s+|[,;](?![^(]*\))", re.IGNORECASE)
_ARTICLE = re.compile(
    r"^(?:or |and )?(?:an?|the|one|any|other|one other|one or more|one or more other) ", re.IGNORECASE
)
_MANY = re.compile(r"^one or more (?:other )?", re.IGNORECASE)
_KIND = re.compile(r"(?: (?:units?|models?))+$", re.IGNORECASE)
_EXCLUDING = re.compile(r"\s*\(excluding ([^)]+)\)", re.IGNORECASE)


def clean_name(text: str) -> str:
    name = " ".join(text.strip(" .:;,'\"*†■").split())
    while (shorter := _KIND.sub("", _ARTICLE.sub("", name))) != name:
        name = shorter
    return name


def split_names(text: str, *, sentence: bool = False) -> list[str]:
    """Split a list of names; in a `sentence`, split at "or", too."""
    parts = (_OR if sentence else _COMMA).split(_MANY.sub("", text.strip()))
    names: list[str] = []
    for part in parts:
        name, _, rest = part.partition("(including ")
        included = re.split(r",| and ", rest.rstrip(") "))
        names += [cleaned for cleaned in map(clean_name, (name, *included)) if cleaned]
    return names


# ---- forms -----------------------------------------------------------------------------------------------------------

_ABOVE = re.compile(r"^(?:(?:one of )?the above units?|an? unit(?: it can lead)?(?: units)?|that unit)$", re.IGNORECASE)
_UNLIKE = re.compile(r"cannot have two|more than one|cannot attach more", re.IGNORECASE)


def _read_companions(text: LeaderText, match: re.Match[str]) -> None:
    """Read "attach this model to one of the above units even if one Captain has already been attached to it"."""
    where = match["to"].strip(" ,")
    hosts = () if _ABOVE.match(where) else tuple(split_names(where, sentence=True))
    text.leads += [name for name in hosts if name not in text.leads]
    text.must = text.must or match["must"].lower() == "must"
    text.companions.append(
        Companions(
            names=tuple(split_names(match["who"], sentence=True)),
            most=ANY_NUMBER if _MANY.match(match["who"]) else 1,
            hosts=hosts,
            unlike=bool(_UNLIKE.search(match["rest"])),
        )
    )


def _read_targets(text: LeaderText, match: re.Match[str]) -> None:
    """Read "the bearer can be attached to a Kommandos unit"."""
    text.leads += split_names(match["to"], sentence=True)


def _read_replacement(text: LeaderText, match: re.Match[str]) -> None:
    """Read "replace the list of units this model can be attached to: Gargoyles"."""
    text.leads += split_names(match["to"])
    text.replaces = match["what"].lower() == "replace"


def _read_stand_in(text: LeaderText, match: re.Match[str]) -> None:
    """Read "if a Character unit can be attached to a Tactical Squad, it can be attached to this unit instead"."""
    who = match["who"] + (match["more"] or "")
    excluding = [name for part in _EXCLUDING.findall(who) for name in split_names(part, sentence=True)]
    named = split_names(_EXCLUDING.sub("", who), sentence=True)
    text.stand_ins.append(
        StandIn(
            names=tuple(split_names(match["to"], sentence=True)),
            who=tuple(name for name in named if name.lower() not in ("character", "model", "unit")),
            excluding=tuple(excluding),
        )
    )


def _read_led_by(text: LeaderText, match: re.Match[str]) -> None:
    """Read "Marneus Calgar can be attached to this unit"."""
    text.led_by += split_names(match["who"], sentence=True)


def _read_need(text: LeaderText, match: re.Match[str]) -> None:
    """Read "you must attach one Captain or Chapter Master model to this unit"."""
    text.needs += split_names(match["who"], sentence=True)


def _read_joining(text: LeaderText, match: re.Match[str]) -> None:
    """Read "this unit can join one Guardian Defenders or Storm Guardians unit from your army"."""
    text.joins = True
    text.must = text.must or match["must"].lower() == "must"
    where = match["to"]
    if not where.lower().startswith("of the following"):
        text.leads += split_names(where, sentence=True)


def _read_only_companion(text: LeaderText, match: re.Match[str]) -> None:
    """Read "this unit cannot join an Attached unit, and only X can join a unit this unit has joined"."""
    text.companions.append(Companions(names=tuple(split_names(match["who"], sentence=True))))


def _read_equipment(text: LeaderText, match: re.Match[str]) -> None:
    """Read "this model cannot be attached to a Hellblaster Squad unless it is equipped with a plasma pistol"."""
    for part in _EQUIPPED.finditer(match[0]):
        text.equipment.append((clean_name(part["to"]), clean_name(part["with"])))


def _read_room(text: LeaderText, match: re.Match[str]) -> None:
    """Read "you can attach up to two Leader units to it instead of one (but only if ...)"."""
    rest = match["rest"]
    needs = re.search(r"only if one of those is (.+?)(?:\)|$)", rest, re.IGNORECASE)
    single = re.search(r"no more than one of those units is (.+?)(?:\)|$)", rest, re.IGNORECASE)
    text.room = RoomText(
        most={"two": 2, "three": 3}[(match["most"] or match["most_ever"]).lower()],
        size=int(match["size"] or 0),
        needs=tuple(split_names(needs[1], sentence=True)) if needs else (),
        single=tuple(split_names(single[1], sentence=True)) if single else (),
        unlike="duplicates" in rest.lower(),
    )


def _pass_over(text: LeaderText, match: re.Match[str]) -> None:
    """Ignore a sentence that does not concern the list or repeats another."""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_EQUIPPED = _compile(r"cannot be attached to (?P<to>.+?) unless it is equipped with (?P<with>.+?)(?=, and cannot|$)")
_TARGET = r"(?P<to>.+?)"
_WHO = r"(?P<who>.+?)"
FORMS: tuple[tuple[re.Pattern[str], Callable[[LeaderText, re.Match[str]], None]], ...] = (
    (
        _compile(
            r"(?:you |this (?:model|unit) )(?P<must>can|must) (?:be )?attach(?:ed)?(?: this (?:model|unit))?(?: to)? "
            rf"{_TARGET},? (?:(?:and can do so )?even if) {_WHO} ha(?:s|ve) ?(?:already )?been attached to "
            r"(?:it|that unit|this unit)?(?P<rest>.*)"
        ),
        _read_companions,
    ),
    (_compile(rf"you must attach {_WHO} to this unit"), _read_need),
    (
        _compile(
            rf"if (?:an? )?{_WHO}(?: from your army)?(?: with the leader ability)?(?P<more> \(excluding [^)]+\))? "
            rf"can be attached to {_TARGET}, it can (?:instead )?be attached to this unit(?: instead)?"
        ),
        _read_stand_in,
    ),
    (_compile(rf"{_WHO} can be attached to this unit"), _read_led_by),
    (_compile(r"\W*this (?:model|unit) cannot be attached to .+ unless it is equipped with .+"), _read_equipment),
    (
        _compile(
            r"(?:at the start of the declare battle formations step, )?(?:if this unit is not an attached unit, )?"
            rf"this (?:unit|model) (?P<must>can|must) join one {_TARGET}(?: units?)?(?: from your army)?"
            r"(?: \(an? .+ cannot have more than one .+ joined to it\)| \(a unit cannot have .+\))?"
        ),
        _read_joining,
    ),
    (
        _compile(
            r"this unit cannot join an attached unit,? and only (?P<who>.+?) can join a unit (?:that )?this unit has "
            r"joined"
        ),
        _read_only_companion,
    ),
    (
        _compile(
            r"\*?(?:if this unit has a starting strength of (?P<size>\d+), you can attach up to (?P<most>two|three) "
            r"leader units to it instead of one|"
            r"this unit can have up to (?P<most_ever>two|three) leader units attached to it)(?P<rest>.*)"
        ),
        _read_room,
    ),
    (
        _compile(
            r"(?:.+, )?(?P<what>replace|add) (?:the list of units this model can be attached to|the following units? "
            rf"to the list of units this model can be attached to): {_TARGET}"
        ),
        _read_replacement,
    ),
    (
        _compile(
            r"(?:.+ and )?(?:(?:during|in) the declare battle formations step, )?(?:the bearer|this model|it) can be "
            rf"attached to {_TARGET}"
        ),
        _read_targets,
    ),
    (_compile(r".+ (?:model|unit)s? only"), _pass_over),
    (_compile(r"(?:if you do|if it does|if it is|in such cases)\b.*"), _pass_over),
    (_compile(r"if (?:it is not possible to (?:attach|join)|you cannot attach) .*"), _pass_over),
    (_compile(r"if this is not possible, this (?:unit|model) does not take part in the battle.*"), _pass_over),
    (_compile(r"if this unit.s bodyguard unit is destroyed, .*"), _pass_over),
    (_compile(r"(?:this|that) unit then counts as (?:being )?part of .*"), _pass_over),
    (_compile(r"this model then counts as part of .*"), _pass_over),
    (_compile(r"for the rest of the battle, every model in this unit counts as part of .*"), _pass_over),
    (_compile(r"while (?:attached to|leading) .*"), _pass_over),
    (_compile(r"if .+ is attached to this unit during the declare battle formations step, that .*"), _pass_over),
    (_compile(r"if this unit has a leader unit attached to it during .*"), _pass_over),
)

_LIST_HEAD = _compile(
    r"(?P<before>.*?\b)?this (?:model|unit) (?P<must>can|must) (?:be attached to|lead|join)(?: any of| one of)? the "
    r"following units?\s*[:.]?\s*(?P<names>.*)"
)
_BULLET = re.compile(r"^\s*(?:[■•▪●◦–—\-*])\s*(?P<name>.*)$")
_SENTENCE = re.compile(r"^\W*(?:you|if|this|that|at|while|in|during|when|each|for|models?) ", re.IGNORECASE)
_END = re.compile(r"(?<=[.!])\s+(?=[A-Z*])")
_MENTION = _compile(r"\battach|\bcan join\b|\bmust join\b|\bcan lead\b")
MOST_LETTERS = 4_000


def may_say_who_leads(words: str) -> bool:
    """Return whether a text is short enough and mentions leaders. Most do not."""
    return len(words) <= MOST_LETTERS and _MENTION.search(words) is not None


def read_leader_text(words: str, *, is_list: bool = False) -> LeaderText:
    """Expect names without an introduction if `is_list`.

    >>> text = read_leader_text("This model can be attached to the following units:\\n■ ^^**Boyz**^^\\n■ Nobz")
    >>> text.leads, text.unread
    (['Boyz', 'Nobz'], [])
    """
    text = LeaderText()
    sentences: list[str] = []
    in_list = is_list
    for line in _split_lines(words):
        bullet = _BULLET.match(line)
        if bullet and _SENTENCE.match(bullet["name"]):
            sentences.append(bullet["name"])
        elif bullet and in_list:
            text.leads += split_names(bullet["name"])
        elif head := _LIST_HEAD.fullmatch(line):
            text.must = text.must or head["must"].lower() == "must"
            text.joins = text.joins or " join " in line.lower()
            names, *rest = _END.split(head["names"])
            text.leads += split_names(names)
            sentences += rest
            in_list = True
        elif in_list and not _SENTENCE.match(line) and not sentences:
            # Some authors leave out the bullets.
            text.leads += split_names(line)
        else:
            sentences.append(line)
    for sentence in _END.split(" ".join(sentences)):
        if stripped := sentence.strip(" *"):
            _read_sentence(text, stripped.rstrip("."))
    return text


def _split_lines(words: str) -> Iterable[str]:
    plain = re.sub(r"<br */?>", "\n", words.replace("**", "").replace("^^", "").replace("\u00a0", " "))
    plain = plain.replace("\u2019", "'").replace("\u2018", "'").replace("\u2011", "-")
    for line in plain.splitlines():
        if line.strip():
            yield " ".join(line.split())


def _read_sentence(text: LeaderText, sentence: str) -> None:
    for pattern, read in FORMS:
        if match := pattern.fullmatch(sentence):
            read(text, match)
            return
    text.unread.append(sentence)
