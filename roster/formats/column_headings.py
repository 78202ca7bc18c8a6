"""Headings of columns in players' tables, and words in their cells, in the site's languages.

Each table maps meanings to headings. If a file has several headings of one meaning, the first one here is used. All
words are as `make_heading_key` returns them.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from roster.formats.list_text import simplify_name

NOTHING: Mapping[str, str] = {}


def make_heading_key(heading: str) -> str:
    """Strip spaces, symbols and capitals from a heading.

    >>> make_heading_key("Army List (text)"), make_heading_key("armyListText")
    ('armylisttext', 'armylisttext')
    """
    return simplify_name(heading).replace(" ", "")


def map_columns(
    keys: Collection[str],
    headings: Mapping[str, tuple[str, ...]],
    chosen: Mapping[str, str] = NOTHING,
    remembered: Mapping[str, str] = NOTHING,
) -> dict[str, str]:
    """Return the heading key of each meaning's column: as chosen, as remembered, or the first known one.

    >>> map_columns(["unite", "nombre"], MODELS), map_columns(["nombre", "cantidad"], MODELS)
    ({'name': 'unite', 'number': 'nombre'}, {'name': 'nombre', 'number': 'cantidad'})
    """
    mapping: dict[str, str] = {}
    for meaning, names in headings.items():
        candidates = (chosen[meaning],) if meaning in chosen else (remembered.get(meaning, ""), *names)
        # A heading may be known for two meanings, and one remembered from another table may have another meaning here.
        free = (name for name in candidates if name in keys and name not in mapping.values())
        if heading := next(filter(None, free), ""):
            mapping[meaning] = heading
    return mapping


def _split(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(make_heading_key(name) for name in names.split(",")))


def _join(*parts: str) -> Iterator[str]:
    """Yield each combination of words: "Spieler 1", "Spieler A", "Joueur 1" ..."""
    return map("".join, product(*map(_split, parts)))


_PLAYERS = "player, spieler, joueur, jugador, giocatore, gracz, zawodnik"
_OF_PLAYERS = f"{_PLAYERS}, du joueur, del jugador, del giocatore, gracza, zawodnika"
_POINTS = "points, score, vp, punkte, siegpunkte, puntos, puntuación, tanteo, punti, punteggio, punkty, wynik"
_FIRST, _SECOND = "1, a, one", "2, b, two"


def _list_points(number: str) -> tuple[str, ...]:
    joined = (*_join(_PLAYERS, number, _POINTS), *_join(_POINTS, number), *_join(_POINTS, _OF_PLAYERS, number))
    return tuple(dict.fromkeys(joined))


# ---- games -----------------------------------------------------------------------------------------------------------

FIRST, SECOND, TABLE, ROUND, FIRST_POINTS, SECOND_POINTS = (
    *("first", "second", "table", "round"),
    *("first_points", "second_points"),
)
PAIRINGS: Mapping[str, tuple[str, ...]] = {
    FIRST: (*_join(_PLAYERS, _FIRST), *_split(_PLAYERS), *_split("p1, name 1, home, heim, domicile, casa, gospodarz")),
    SECOND: (
        *_join(_PLAYERS, _SECOND),
        *_split("opponent, gegner, adversaire, rival, oponente, adversario, avversario, przeciwnik, rywal"),
        *_split("p2, name 2, away, gast, extérieur, visitante, ospite, gość"),
    ),
    TABLE: _split("table, table no, table number, tisch, mesa, tavolo, stół, stol, stolik, board, no, nr"),
    ROUND: _split("round, rd, round number, runde, ronde, tour, manche, ronda, turno, runda, kolejka"),
    FIRST_POINTS: (*_list_points(_FIRST), "p1points"),
    SECOND_POINTS: (*_list_points(_SECOND), "p2points"),
}

DAY, RESULT, STAKE, EVENT = "day", "result", "stake", "event"
PAST_RESULTS: Mapping[str, tuple[str, ...]] = {
    DAY: (
        *_split("date, day, played, played on, datum, tag, gespielt, gespielt am, jour, joué le, fecha, día, jugado"),
        *_split("jugado el, data, giorno, giocato, giocato il, giocata il, dzień, rozegrano, data gry"),
    ),
    ROUND: PAIRINGS[ROUND],
    FIRST: (*PAIRINGS[FIRST], "first", "firstplayer", "a"),
    SECOND: (*PAIRINGS[SECOND], "second", "secondplayer", "b"),
    FIRST_POINTS: (*PAIRINGS[FIRST_POINTS], "firstscore"),
    SECOND_POINTS: (*PAIRINGS[SECOND_POINTS], "secondscore"),
    RESULT: (
        *_split("result, results, score, scores, ergebnis, résultat, resultado, marcador, tanteo, risultato"),
        *_split("punteggio, wynik, points, punkte, puntos, punti, punkty"),
    ),
    STAKE: (
        *_split("stake, place, territory, einsatz, ort, gebiet, enjeu, lieu, territoire, lugar, territorio"),
        *_split("apuesta, posta in gioco, luogo, stawka, miejsce, terytorium, teren"),
    ),
    EVENT: ("event",),
}
BYES = {"", *_split("bye, none, freilos, exempt, descansa, descanso, riposo, turno libero, pauza, wolny los")}
"""Names that are no player."""
WINS = _split("""
    win, won, victory, sieg, gewonnen, victoire, gagné, victoria, ganada, ganado, vittoria, vinta, vinto, wygrana,
    wygrany, zwycięstwo
""")
DRAWS = _split("draw, drawn, tie, unentschieden, remis, nul, match nul, égalité, empate, tablas, pareggio, patta")
LOSSES = _split("""
    loss, lost, defeat, niederlage, verloren, défaite, perdu, derrota, perdida, perdido, sconfitta, persa, perso,
    porażka, przegrana, przegrany
""")
"""Results of the first player in words."""


# ---- players and their lists -----------------------------------------------------------------------------------------

PLAYER, FIRST_NAME, LAST_NAME, LIST, TEAM, FACTION, MAIL = (
    *("player", "first_name", "last_name", "list"),
    *("team", "faction", "mail"),
)
PLAYER_LISTS: Mapping[str, tuple[str, ...]] = {
    PLAYER: _split("""
        player, player name, name, full name, user name, user, participant, attendee, competitor, nickname, pseudo,
        spieler, spielername, teilnehmer, joueur, nom du joueur, nom, jugador, nombre, giocatore, nome, gracz, zawodnik,
        uczestnik, imię i nazwisko, nazwa gracza, nick
    """),
    FIRST_NAME: _split("first name, given name, vorname, prénom, imię"),
    LAST_NAME: _split(
        "last name, surname, family name, nachname, nom de famille, apellido, apellidos, cognome, nazwisko"
    ),
    LIST: _split("""
        army list text, list text, roster text, army list, roster list, army roster, list, text, roster, army list 1,
        list 1, lists, armeeliste text, liste text, armeeliste, texte de la liste, liste d'armée, liste,
        lista de ejército, lista dell'esercito, lista armii, rozpiska, lista
    """),
    TEAM: _split("team, team name, équipe, nom de l'équipe, mannschaft, equipo, squadra, drużyna, zespół"),
    FACTION: _split("""
        faction, faction name, army, army name, armee, armée, fraktion, army faction, primary faction, parent faction,
        facción, ejército, fazione, esercito, frakcja, armia
    """),
    MAIL: _split("""
        email, mail, email address, e-mail, e-mail-adresse, adresse e-mail, adresse mail, courriel, correo, adres e-mail
    """),
}


# ---- models ----------------------------------------------------------------------------------------------------------

NAME, NUMBER, STATE, NOTES, LOCATION = "name", "number", "state", "notes", "location"
MODEL_STATES: Mapping[str, tuple[str, ...]] = {
    "sprue": _split("sprue, gussrahmen, grappe, en matriz, matriz, su sprue, w ramce, ramka"),
    "built": _split("""
        built, gebaut, monté, montée, montés, montées, montado, montada, montados, montadas, montato, montata, montati,
        montate, sklejony, sklejona, sklejone
    """),
    "primed": _split("""
        primed, grundiert, sous-couché, sous-couchée, sous-couchés, sous-couchées, imprimado, imprimada, imprimados,
        imprimadas, con primer, zagruntowany, zagruntowana, zagruntowane
    """),
    "painted": _split("""
        painted, bemalt, peint, peinte, peints, peintes, pintado, pintada, pintados, pintadas, dipinto, dipinta,
        dipinti, dipinte, pomalowany, pomalowana, pomalowane
    """),
    "based": _split("based, base fertig, soclé, soclée, soclés, soclées, con peana, con basetta, z podstawką"),
    "lent": _split("""
        lent, on loan, verliehen, prêté, prêtée, prêtés, prêtées, prestado, prestada, prestados, prestadas, in prestito,
        pożyczony, pożyczona, pożyczone
    """),
}
"""Words for each state of a model."""
# These head names in some tables, numbers in others. The French for "model" is the Polish for "models".
_MODELS = "modèle, modèles, figurines, models, modelle, miniatures, modelli, miniature"
_SPANISH_MODELS = "miniaturas, modelos"
MODELS: Mapping[str, tuple[str, ...]] = {
    # The French for "number" is the Spanish for "name", which only Spanish words for models may follow.
    NAME: _split(f"""
        name, unit, units, model, einheit, einheiten, modell, nom, unité, unités, figurine, unidad, unidades, miniatura,
        modelo, nome, unità, modello, nazwa, jednostka, jednostki, miniatury, figurka, figurki, {_MODELS}, nombre,
        {_SPANISH_MODELS}
    """),
    NUMBER: _split(f"""
        number, count, owned, anzahl, vorhanden, quantité, possédées, nombre, número, cantidad, numero, quantità,
        liczba, ilość, {_MODELS}, {_SPANISH_MODELS}
    """),
    STATE: _split("state, stand, zustand, état, estado, stato, stan"),
    **MODEL_STATES,
    NOTES: _split("notes, note, notizen, notiz, notas, nota, notatki, notatka, uwagi"),
    LOCATION: _split("""
        location, where, where it is, shelf, wo, wo sie ist, regal, lieu, où, où elle est, étagère, lugar, dónde,
        dónde está, estante, luogo, dove, dov'è, scaffale, miejsce, gdzie, gdzie jest, półka
    """),
}
