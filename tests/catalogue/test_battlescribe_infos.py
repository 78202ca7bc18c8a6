"""Profiles, rules, info groups and links, publications and pages of an entry."""

from catalogue.definitions.citations import Citation
from catalogue.definitions.infos import InfoKind
from tests.catalogue.battlescribe_files import read_pond, unit

TYPES = """<publications><publication id="book" name="The Duck Book" shortName="DB" publisher="Mill"
  publicationDate="1999" publisherUrl="https://example.org"/></publications>
<profileTypes><profileType id="body" name="Body"><characteristicTypes>
  <characteristicType id="size" name="Size"/><characteristicType id="noise" name="Noise"/>
</characteristicTypes></profileType></profileTypes>"""


def test_profiles_with_their_figures() -> None:
    catalogue = read_pond(
        TYPES
        + unit("""<profiles><profile id="p" name="Duck" typeId="body" typeName="Body" publicationId="book" page="12">
      <characteristics><characteristic name="Size" typeId="size">Small &amp; round</characteristic>
      <characteristic name="Noise" typeId="noise"/></characteristics></profile></profiles>""")
    )
    (profile,) = catalogue.entries[0].infos
    assert [(c.name, c.value) for c in profile.characteristics] == [("Size", "Small & round"), ("Noise", "")]
    assert profile.citation == Citation(publication_id="book", page="12")
    assert [t.name for t in catalogue.profile_types[0].characteristic_types] == ["Size", "Noise"]
    assert catalogue.publications[0].short_name == "DB"


def test_profiles_of_older_files() -> None:
    catalogue = read_pond(
        TYPES
        + unit("""<profiles><profile id="p" name="Duck" profileTypeId="body" profileTypeName="Body"><characteristics>
      <characteristic name="Size" characteristicTypeId="size" value="Small"/></characteristics></profile></profiles>""")
    )
    (profile,) = catalogue.entries[0].infos
    assert (profile.type_id, profile.type_name) == ("body", "Body")
    assert (profile.characteristics[0].type_id, profile.characteristics[0].value) == ("size", "Small")


def test_groups_links_and_modifiers_of_texts() -> None:
    catalogue = read_pond("""<sharedRules><rule id="quack" name="Quack"/></sharedRules>
      <sharedInfoGroups><infoGroup id="g" name="Ways"><infoLinks>
        <infoLink id="l" name="Quack" targetId="quack" type="rule" hidden="true"><modifiers>
          <modifier type="set" field="name" value="Loud quack"/></modifiers></infoLink></infoLinks></infoGroup>
      </sharedInfoGroups>""")
    rule, group = catalogue.shared_infos
    assert rule.kind is InfoKind.RULE
    (link,) = group.infos
    assert (link.kind, link.target_id, link.hidden) == (InfoKind.LINK, "quack", True)
    assert link.modifiers[0].value == "Loud quack"
