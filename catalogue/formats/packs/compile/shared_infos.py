"""Compile abilities and weapons once, with links from everything else."""

from collections.abc import Iterable, Mapping

from catalogue.definitions.citations import Citation
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.infos import Characteristic, CharacteristicType, Info, InfoKind, ProfileType
from catalogue.definitions.queries import Change, Guard, Modifier
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.compile.name_index import NameIndex
from catalogue.formats.packs.syntax.base import AbilityUse, CarriedItem, Reference
from catalogue.formats.packs.syntax.infos import AbilitySyntax, TableRow, TableSyntax, WeaponSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def make_column_id(table: str, column: str) -> str:
    return f"{table}/{make_id(column) or column}"


def build_profile_type(table: TableSyntax) -> ProfileType:
    columns = tuple(CharacteristicType(id=make_column_id(table.id, name), name=name) for name in table.columns)
    glance = tuple(make_column_id(table.id, name) for name in table.glance)
    return ProfileType(id=table.id, name=table.name, characteristic_types=columns, glance=glance)


def hide_while(guard: Guard) -> tuple[Modifier, ...]:
    return (Modifier(change=Change.SET, field="hidden", value="true", guard=guard),)


TEMPLATE = "{}"
ZEROS = ("0", "+0", "-0")
NEVER_GONE: Mapping[str, Guard] = {}


def build_text_info(owner: str, name: str, text: str, citation: Citation) -> tuple[Info, ...]:
    if not text:
        return ()
    return (Info(id=f"{owner}~text", kind=InfoKind.RULE, name=name, description=text, citation=citation),)


class SharedInfos:
    def __init__(self, pack: PackSyntax, index: NameIndex) -> None:
        self.pack = pack
        self.problems = index.problems
        self.weapons = {syntax.id: syntax for syntax in pack.weapons}
        self.abilities = {syntax.id: syntax for syntax in pack.abilities}
        self.shared: dict[str, Info] = {}
        everything: tuple[WeaponSyntax | AbilitySyntax, ...] = (*pack.weapons, *pack.abilities)
        for syntax in everything:
            index.claim_id(f"item/{syntax.id}", syntax.where, f"“{syntax.name}”")
        # Rules for abilities depend on the parameter, so they are made on first use.
        for weapon in pack.weapons:
            self.shared[_make_shared_id(weapon)] = self._build_weapon(weapon)

    def build_profile(
        self, row: TableRow, profile_id: str, cite: Citation, modifiers: tuple[Modifier, ...] = ()
    ) -> Info:
        table = self.pack.tables[row.table]
        given = dict(row.values)
        characteristics = tuple(
            Characteristic(type_id=make_column_id(table.id, name), name=name, value=given.get(name, ""))
            for name in table.columns
        )
        return Info(
            id=profile_id,
            kind=InfoKind.PROFILE,
            name=row.name,
            type_id=table.id,
            type_name=table.name,
            characteristics=characteristics,
            modifiers=modifiers,
            citation=cite,
        )

    def link_ability(
        self, use: AbilityUse, owner: str, origin: QueryOrigin | None, gone: Guard | None = None
    ) -> Info | None:
        """Hide the link if the ability's condition fails or `gone` holds."""
        syntax = self.abilities.get(make_id(use.name.text))
        if syntax is None:
            names = [ability.name for ability in self.abilities.values()]
            message, mend = f"The pack has no ability “{use.name.text}”.", "Add it under `abilities:`."
            self.problems.add_unknown(use.name.where, use.name.text, names, message, mend, "unknown-ability")
            return None
        if use.parameter in ZEROS and TEMPLATE in syntax.text and not syntax.text_at_zero:
            text = syntax.text.replace(TEMPLATE, use.parameter)
            message = f"The text of “{syntax.name}” is written for numbers above 0. Now it says: {text}"
            mend = "Add `text at zero:` to the ability, with what 0 means."
            self.problems.add(use.name.where, "zero-in-text", message, mend, Level.WARNING)
        target = self._share_ability(syntax, use.parameter)
        modifiers = hide_while(gone) if gone else ()
        if use.when and origin:
            modifiers += hide_while(build_guard(use.when, origin, negated=True))
        return Info(
            id=f"{owner}~{target.removeprefix('ability/')}",
            kind=InfoKind.LINK,
            name=syntax.name,
            target_id=target,
            modifiers=modifiers,
        )

    def link_item(self, carried: CarriedItem, owner: str, gone: Guard | None = None) -> Info | None:
        """Use a number above one as parameter."""
        syntax = self.find_item(carried.name)
        if syntax is None:
            return None
        if isinstance(syntax, AbilitySyntax):
            self._share_ability(syntax, "")
        return Info(
            id=f"{owner}~{_make_shared_id(syntax)}",
            kind=InfoKind.LINK,
            name=syntax.name,
            target_id=_make_shared_id(syntax),
            parameter=str(carried.count) if carried.count > 1 else "",
            modifiers=hide_while(gone) if gone else (),
        )

    def build_owned(
        self,
        syntax: UnitSyntax | PartSyntax,
        owner: str,
        carries: Iterable[CarriedItem],
        origin: QueryOrigin,
        changes: tuple[Modifier, ...] = (),
        gone: Mapping[str, Guard] = NEVER_GONE,
    ) -> list[Info]:
        """Build a unit's or part's profiles, gear and abilities.

        `changes` modify its own row. `gone` maps the slug of an item or ability to the guard under which the unit loses
        it.
        """
        infos: list[Info | None] = []
        if syntax.row and origin.unit:
            infos.append(self.build_profile(syntax.row, f"{owner}~profile", syntax.cite, changes))
        for row in syntax.rows:
            infos.append(self.build_profile(row, f"{owner}~{row.table}/{make_id(row.name)}", syntax.cite))
        infos += [self.link_item(item, owner, gone.get(make_id(item.name.text))) for item in carries]
        infos += [self.link_ability(use, owner, origin, gone.get(make_id(use.name.text))) for use in syntax.abilities]
        return list(filter(None, infos))

    def has_item(self, name: str) -> bool:
        item_id = make_id(name)
        return item_id in self.weapons or item_id in self.abilities

    def find_item(self, named: Reference) -> WeaponSyntax | AbilitySyntax | None:
        item_id = make_id(named.text)
        syntax = self.weapons.get(item_id) or self.abilities.get(item_id)
        if syntax is None:
            names = [syntax.name for syntax in (*self.weapons.values(), *self.abilities.values())]
            message, mend = f"The pack has no weapon or gear “{named.text}”.", "Add it under `weapons:` or `gear:`."
            self.problems.add_unknown(named.where, named.text, names, message, mend, "unknown-item")
        return syntax

    def is_weapon(self, named: Reference) -> bool:
        return make_id(named.text) in self.weapons

    def _build_weapon(self, weapon: WeaponSyntax) -> Info:
        weapon_id = _make_shared_id(weapon)
        rows = tuple(self.build_profile(row, f"{weapon_id}/{make_id(row.name)}", weapon.cite) for row in weapon.rows)
        # Shared weapons cannot have conditions of one unit.
        links = tuple(link for use in weapon.abilities if (link := self.link_ability(use, weapon_id, None)))
        return Info(id=weapon_id, kind=InfoKind.GROUP, name=weapon.name, infos=(*rows, *links), citation=weapon.cite)

    def _share_ability(self, ability: AbilitySyntax, parameter: str) -> str:
        rule_id = f"{_make_shared_id(ability)}({parameter})" if parameter else _make_shared_id(ability)
        if rule_id not in self.shared:
            is_zero = parameter in ZEROS and ability.text_at_zero
            self.shared[rule_id] = Info(
                id=rule_id,
                kind=InfoKind.RULE,
                name=ability.name,
                parameter=parameter,
                description=ability.text_at_zero if is_zero else ability.text.replace(TEMPLATE, parameter or "X"),
                phase=ability.phase,
                citation=ability.cite,
            )
        return rule_id


def _make_shared_id(syntax: WeaponSyntax | AbilitySyntax) -> str:
    if isinstance(syntax, WeaponSyntax):
        return f"weapon/{syntax.id}"
    return f"gear/{syntax.id}" if syntax.gear else f"ability/{syntax.id}"
