"""The words for points, sections, headers and footers of lists, as `simplify_words` returns them."""

import re
from enum import StrEnum
from functools import lru_cache

from roster.formats.list_text import simplify_name


@lru_cache(maxsize=1024)
def simplify_words(text: str) -> str:
    """Cache `simplify_name`: readers repeat lines."""
    return simplify_name(text)


def gather_words(*lines: str) -> frozenset[str]:
    return frozenset(simplify_name(word) for line in lines for word in line.split(","))


POINTS_WORDS = gather_words(
    "pts,pt,p,points,point,pnts,pkt,pkte,punkte,punkt,punkten,ptos,pto,puntos,punto,punti,punkty,punktow,punktów",
    "очок,очки,очко,балів,бали,бал,пунктів,пункти,оч",
)

BATTLE_SIZES = gather_words(
    "combat patrol,incursion,strike force,onslaught,patrol,battle size",
    "kampfpatrouille,überfall,einfall,vorstoß,stoßtrupp,angriffsstreitmacht,streitmacht,großangriff,ansturm",
    "angriffstruppe,einsatztruppe,stoßstreitmacht,sturmangriff,großoffensive,offensive",
    "patrouille,patrouille de combat,incursion,force de frappe,offensive,assaut",
    "patrulla,patrulla de combate,incursión,fuerza de ataque,fuerza de choque,fuerza de asalto,embestida,ofensiva",
    "asalto,pattuglia,pattuglia da combattimento,incursione,forza d'attacco,forza d'assalto,assalto,offensiva",
    "patrol,patrol bojowy,najazd,wtargnięcie,siły uderzeniowe,siła uderzeniowa,grupa uderzeniowa,natarcie,szturm",
    "бойовий патруль,вторгнення,ударна група,ударна сила,ударні сили,ударний загін,наступ,натиск,штурм",
)

SECTION_WORDS = gather_words(
    "character,characters,epic hero,epic heroes",
    "battleline,dedicated transport,dedicated transports,transport,transports",
    "other datasheets,other datasheet,other,others,allied units",
    "allies,allied,attached units,infantry,vehicle,vehicles",
    "mounted,monster,monsters,beast,beasts,swarm",
    "swarms,fortification,fortifications,walker,walkers,cavalry,artillery",
    "hq,troops,elites,elite,fast attack,heavy support,flyer,flyers,flier,lord of war,lords of war,no force org slot",
    "agents of the imperium,stratagems,configuration,reference,references,uncategorised,uncategorized,illegal units",
    "lords,heroes,hero,core,core units,special,special units,rare,rare units,mercenaries,legends,unbound,retinue",
    "general's regiment,generals regiment,roster regiment,regiments of renown",
    "regiment of renown,auxiliary units,auxiliaries,auxiliary",
    "faction terrain,manifestations,endless spells,behemoths,behemoth",
    "leaders,leader,units,unit,warmachines,war machines",
    "reinforcements,army roster,specialists,support,commander",
    "commanders,squads,characters and leaders,command,upgrades,operatives",
    # German
    "charaktermodell,charaktermodelle,charaktere,charakter,epische helden,epischer held,linie,schlachtlinie",
    "angeschlossene transporter,zugeordneter transporter,zugeordnete transporter,transporter,andere datenblätter",
    "weitere datenblätter,sonstige datenblätter,verbündete,verbündete einheiten,alliierte einheiten",
    "angeschlossene einheiten,zugeordnete einheiten,infanterie,fahrzeug,fahrzeuge,berittene,monster,bestien,schwärme",
    "befestigungen,kerntruppen,kern,eliteeinheiten,seltene einheiten,seltene,helden,kommandanten,söldner,sonstige",
    # French
    "personnage,personnages,héros épique,héros épiques,ligne,ligne de bataille,transport assigné,transports assignés",
    "autres fiches techniques,autre fiche technique,autres,unités alliées",
    "alliés,unités attachées,infanterie,véhicule",
    "véhicules,monté,monstre,monstres,bête,bêtes",
    "nuée,nuées,fortification,unités de base,base,unités spéciales,spécial",
    "unités rares,rare,seigneurs,héros,mercenaires,troupes,élites,attaque rapide,soutien,seigneur de guerre",
    # Spanish
    "personaje,personajes,héroe épico,héroes épicos,línea,línea de batalla,transporte asignado,transportes asignados",
    "transporte dedicado,transportes dedicados,otras hojas de datos,otras unidades,otros,unidades aliadas,aliados",
    "unidades agregadas,unidades adjuntas,unidades vinculadas,infantería",
    "vehículo,vehículos,monstruo,monstruos,bestias",
    "unidades básicas,básicas,unidades especiales,especiales",
    "unidades singulares,singulares,señores,héroes,mercenarios",
    # Italian
    "personaggio,personaggi,eroe epico,eroi epici,linea,linea di battaglia,trasporto dedicato,trasporti dedicati",
    "altre schede,altre schede tecniche,altri,altro",
    "unità alleate,alleati,unità aggregate,unità collegate,unità assegnate",
    "fanteria,veicolo,veicoli,mostro,mostri,bestie,unità base,truppe,unità speciali,unità rare,rari,eroi,mercenari",
    # Polish
    "postać,postacie,postaci,bohater epicki,bohaterowie epiccy,epicki bohater,epiccy bohaterowie,linia,linia bojowa",
    "transport dedykowany,przydzielony transport",
    "transporty dedykowane,inne karty jednostek,pozostałe karty jednostek",
    "inne,pozostałe,inne jednostki,jednostki sojusznicze,sojusznicy,dołączone jednostki,piechota,pojazd,pojazdy",
    "potwór,potwory,bestie,jednostki podstawowe,podstawowe,jednostki specjalne,specjalne,jednostki rzadkie,rzadkie",
    "lordowie,bohaterowie,najemnicy,kawaleria,umocnienia",
    # Ukrainian
    "персонаж,персонажі,епічний герой,епічні герої,лінія,лінія бою,лінійні,виділений транспорт,призначений транспорт",
    "транспорт,інші аркуші даних,інші картки,інше",
    "інші,інші підрозділи,союзні підрозділи,союзники,приєднані підрозділи",
    "приєднані загони,піхота,техніка,транспортні засоби,монстр,монстри,чудовиська,звірі,герої,кавалерія,фортифікації",
)

CONFIGURATION_WORDS = gather_words(
    "configuration,reference,references,konfiguration,configuración,configurazione,конфігурація"
)

ENHANCEMENT_WORDS = gather_words(
    "enhancement,enhancements,e,enh,upgrade,relic,artefact,artefact of power,artifact",
    "verbesserung,verbesserungen,aufwertung,optimierung,optimisation,optimisations,amélioration,améliorations",
    "mejora,mejoras,potenziamento,potenziamenti,miglioramento,ulepszenie,ulepszenia,usprawnienie,wzmocnienie",
    "покращення,поліпшення,удосконалення,вдосконалення",
)

WARLORD_WORDS = gather_words(
    "warlord,general,kriegsherr,kriegsmeister,seigneur de guerre,señor de la guerra,signore della guerra",
    "condottiero,wódz,dowódca,warlord trait,воєначальник,полководець,генерал,général",
)

NOTE_KEYS = gather_words(
    "attached as,attached to,leading,leading unit,leads,led by,joined to,attachée en tant que,attaché en tant que",
    "angeschlossen als,zugeordnet als,agregada como,adjunta como",
    "aggregata come,assegnata come,dołączona jako,приєднано як",
    "role,rôle,rolle",
)


class ClaimKey(StrEnum):
    TITLE = "title"
    GAME = "game"
    FACTION = "faction"
    DETACHMENT = "detachment"
    SIZE = "size"
    LIMIT = "limit"
    TOTAL = "total"
    UNITS = "units"
    PLAYER = "player"
    WARLORD = "warlord"
    OTHER = "other"


_CLAIMS: dict[ClaimKey, frozenset[str]] = {
    ClaimKey.TITLE: gather_words("list name,name,army name,roster,list,listenname,nom de la liste,nombre de la lista"),
    ClaimKey.GAME: gather_words("game,game system,system,spiel,jeu,juego,gioco,gra,гра"),
    ClaimKey.FACTION: gather_words(
        "faction keyword,faction,army faction,army,factions used,army factions used,kill team,killteam,fraktion",
        "armee,armée,facción,factions utilisées,faction utilisée",
        "ejército,fazione,esercito,frakcja,armia,фракція,армія,codex,grand alliance",
    ),
    ClaimKey.DETACHMENT: gather_words(
        "detachment,detachments,detachment rule,detachment choice,kontingent,kontingente,détachement,détachements",
        "destacamento,destacamentos,distaccamento,distaccamenti,oddział",
        "oddziały,загін,загони,battle formation,formation,règle de détachement,règles de détachement",
    ),
    ClaimKey.SIZE: gather_words(
        "battle size,size,game size,schlachtgröße,spielgröße,taille de la partie,format,taille de bataille",
        "tamaño de batalla,dimensione battaglia,dimensione della battaglia",
        "rozmiar bitwy,розмір битви,gametype,game type",
    ),
    ClaimKey.LIMIT: gather_words(
        "points limit,limit,point limit,punktelimit",
        "limite de points,limite,límite de puntos,limite punti,limit punktów",
        "ліміт очок,ліміт",
    ),
    ClaimKey.TOTAL: gather_words(
        "total army points,total,total points,army points,points,gesamt,gesamtpunkte,punkte,total des points",
        "puntos totales,totale,punti totali,suma,razem,łącznie,разом,всього,загалом,total cost,list total",
        "points d'armée,total de points,total detachment,total détachement,total armée,total army",
    ),
    ClaimKey.UNITS: gather_words("number of units,units,anzahl einheiten,nombre d'unités,número de unidades"),
    ClaimKey.PLAYER: gather_words(
        "player,player name,spieler,spielername,joueur,nom du joueur,jugador,nombre del jugador,giocatore,gracz",
        "гравець,coach,general name",
    ),
    ClaimKey.WARLORD: gather_words("warlord,kriegsherr,seigneur de guerre"),
    ClaimKey.OTHER: gather_words(
        "force disposition,force dispositions,enhancement,enhancements,secondary,secondaries,drops,wounds,spell lore",
        "prayer lore,manifestation lore,battle tactic cards",
        "battle tactics,battle tactics cards,regiments,command points,total command points",
        "reinforcement points,power level,subfaction,army subfaction,chapter",
        "team,country,event,date,captain,allied units",
        "detachment points,sub faction,warlord trait,pregame stratagems,spearhead",
        "terrain,allegiance,realm,lore,notes",
        "gathered points,composition,army composition,version,created,app,data,show hide options,force type,chapitre",
        "disposition,dispositions,tournament,tournoi,turnier,equipe,équipe,mannschaft,land,pays,país,paese,kraj",
        "army rule,army rules,army type,ruleset,rules,season,round,table,email,warmaster,faction rule,forces",
        "enhancements total,models,nombre de modeles,points used",
        "points left,drop count,grand strategy,triumph,triumphs",
        "command hand,command cards,battle deck,contingencies,obstacles",
        "nom de l'équipe,améliorations d'armée,nom d'équipe",
        "mission,primary,bring it down,assassination,no prisoners,cull the horde,keywords",
    ),
}
TEAM_KEYS = gather_words(
    "equipment,ploy,ploys,strategic ploys,firefight ploys,tactical ploys,tac op,tac ops,crit op,kill op,primary op",
    "archetype,archetypes,killzone,ausrüstung,équipement,equipo,equipamiento,equipaggiamento,wyposażenie,спорядження",
)
"""Keys that start a team's claims, which look like operatives with weapons."""
_DISPOSITION = re.compile(r".*\b\w*(?:disposi[ctz]i?[oó]n|dispozyc|dyspozyc|диспозиці)\w*\b.*")
"""Force Dispositions, by the stem that the word has in all languages."""
FREE_SECTIONS = gather_words(
    "faction terrain,manifestations,endless spells,fraktionsgelände,terrain de faction,escenografía de facción"
)
"""Sections in which units may be free."""

COMMAND_WORDS = gather_words("champion,standard bearer,musician,porte-étendard,musicien,musiker")
RENOWN_WORDS = gather_words("regiments of renown,regiment of renown,régiments de renom,regimenter von rang und namen")
"""Sections whose lines are forces with points, followed by the names of their units."""

CLAIM_KEYS: dict[str, ClaimKey] = {word: key for key, words in _CLAIMS.items() for word in words}

_ATTACHED = re.compile(
    r"(?:attached|leading|joined|embarked)\b.*|unit[ée]\s+\d+\s+.*attach.*|leading unit.*|.*\battach[ée]e?s?\b.*\d.*"
    r"|(?:player|joueur|spieler|jugador|giocatore|gracz)\s*\d+",
    re.I,
)
_NUMBERED = re.compile(
    r"(?:(?:attached|combined)\s+)?(?:unit|regiment|detachment|group|einheit|angeschlossene einheit|unité"
    r"|unidad(?:\s\w+)?|unità(?:\s\w+)?|jednostka(?:\s\w+)?|dołączona jednostka|підрозділ|загін|категорія"
    r"|cat[ée]gori[ea]|category|kategorie"
    r"|categor[ií]a|kategoria|squad|auxiliary regiment|приєднаний підрозділ)\s+\d+(?:\s+\w+)?",
    re.I,
)
_CATEGORY = re.compile(
    r"(?:cat[ée]gori[ea]|category|kategori[ea]|categor[ií]a|категорія)\s+\d+\s*[:–-]\s*[^\d()\[\]:]+", re.I
)
_PAGE = re.compile(
    r"(?:page|seite|p[áa]gina|pagina|strona|сторінка)\s*\d{1,3}(?:\s*(?:/|of|von|sur|de|di|z|з)\s*\d{1,3})?"
    r"|[-–—]\s*\d{1,3}\s*[-–—]|\d{1,2}\s?/\s?\d{1,2}",
    re.I,
)
_JOINED = re.compile(r"\s+(?:and|et|und|y|e|i|та|і)\s+|,\s*")
_FOOTERS = re.compile(
    r"(?:exported (?:with|from|by)|created (?:with|by|in|using)|made (?:with|by|in)|built (?:with|by|in)"
    r"|generated (?:with|by)"
    r"|erstellt mit|exportiert mit|cr[ée]{2}e? avec|export[ée] avec|creado con|exportado con|creato con|esportato con"
    r"|utworzono|wyeksportowano|stworzono|створено|експортовано|(?:app|data|server) version"
    r"|battle scribe|https?://|www\.)\b.*"
    r"|(?:app|data)\s*:\s*v?\d.*|\[?https?://\S+\]?|.{3,60}\s*:\s+https?://\S+"
    r"|.*\bv\d+(?:\.\d+)+(?: \(\d+\))?[,;] .*\bv?\d+.*",
    re.I,
)
_DETACHMENT_POINTS = re.compile(
    r"(?P<name>.+?)\s*[\[(]\s*\d+(?:\s*/\s*\d+)?\s+[^()\[\]]*(?:det|dist|dest|d[ée]t|kontingent|oddzia|загон|загін)[^()\[\]]*[\])]",
    re.I,
)


MAX_FOOTER = 300


def is_section_word(text: str) -> bool:
    return simplify_words(text) in SECTION_WORDS or is_numbered_section(text)


def is_numbered_section(text: str) -> bool:
    """Recognise `Attached Unit 1`, `Regiment 2`, `Unité 1 Attachée`."""
    plain = text.strip(" :")
    return _NUMBERED.fullmatch(plain) is not None or _CATEGORY.fullmatch(plain) is not None


def is_page_number(text: str) -> bool:
    """Recognise `Page 1 of 2`, `2/3`, `- 2 -`."""
    return _PAGE.fullmatch(text.strip()) is not None


def find_claim_key(text: str) -> ClaimKey | None:
    """Return the claim that a key announces; `Player 2` is a player, too."""
    plain = simplify_words(text)
    key = CLAIM_KEYS.get(plain)
    if key is None and CLAIM_KEYS.get(plain.rstrip("0123456789 ")) is ClaimKey.PLAYER:
        return ClaimKey.PLAYER
    if key is None and _DISPOSITION.fullmatch(plain):
        return ClaimKey.OTHER
    return key


def is_attachment(text: str) -> bool:
    """Return whether a line names the unit that another joins, or a numbered player."""
    return len(text) <= MAX_FOOTER and _ATTACHED.match(text) is not None


def is_footer(text: str) -> bool:
    return len(text) <= MAX_FOOTER and _FOOTERS.match(text) is not None


def match_detachment(text: str) -> str:
    """Return the detachment in `A and B (3 Detachment Points)`, or ""."""
    match = _DETACHMENT_POINTS.fullmatch(text)
    return match["name"] if match else ""


def split_joined_names(text: str) -> list[str]:
    """Split names joined by commas or by "and" in any language.

    >>> split_joined_names("Low Water and Silent Oars")
    ['Low Water', 'Silent Oars']
    """
    return [name for name in _JOINED.split(text) if name]
