from dataclasses import dataclass

from catalogue.formats.packs.pack import Pack, Preset, RulesetInfo
from catalogue.models import PackVersion


@dataclass(frozen=True, kw_only=True, slots=True)
class GameInfo:
    """`label`, `edition`, `source`, `presets` and `rulesets` belong to the version, so changing them makes a new
    version. The others belong to the game, and `family` to all editions.
    """

    slug: str
    name: str
    family: str = ""
    title: str = ""
    edition: str = ""
    label: str = ""
    publisher: str = ""
    summary: str = ""
    notice: str = ""
    unofficial: bool = True
    example: bool = False
    emblem: str = ""
    accent: str = ""
    accent_dark: str = ""
    presets: tuple[Preset, ...] = ()
    rulesets: tuple[RulesetInfo, ...] = ()
    source: str = PackVersion.Source.PACK.value
    source_hash: str = ""

    @classmethod
    def from_pack(cls, pack: Pack, source_hash: str = "") -> "GameInfo":
        return cls(
            slug=pack.id,
            family=pack.game_id,
            name=pack.game,
            title=pack.title,
            edition=pack.edition,
            label=pack.version,
            publisher=pack.publisher,
            summary=pack.about,
            notice=pack.notice,
            unofficial=pack.unofficial,
            example=pack.example,
            emblem=pack.identity.emblem,
            accent=pack.identity.dark,
            accent_dark=pack.identity.light,
            presets=pack.presets,
            rulesets=pack.rulesets,
            source_hash=source_hash,
        )
