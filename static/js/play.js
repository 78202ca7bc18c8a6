// Improves the page of a game: a tap shows at once, and is stored and resent until the server confirms it. Without it,
// buttons work as forms.
"use strict";

(() => {
  const MOST_AT_ONCE = 200, MOST_ROUNDS = 50, MOST_SUM = 9_999, HELD_LETTERS = 8, MOST_SENT = 60, MOST_TOLD = 2;
  // Milliseconds: until a request is given up; until a stream must begin; until a silent stream counts as dead; until
  // the next stream; and how long after a tap more are likely.
  const PATIENCE = 30_000, PROMPT = 4_000, DEAD_AFTER = 25_000, STREAM_AGAIN = 30_000, RECENT = 180_000;
  const form = document.getElementById("taps");
  if (!form) return;
  const $$ = (selector, from = form) => [...from.querySelectorAll(selector)];
  const place = form.dataset.place === undefined ? null : Number(form.dataset.place);
  const address = form.dataset.taps;
  let state = readPageState();
  const caps = JSON.parse(document.getElementById("caps").textContent);
  let shared = "shared" in form.dataset;
  const names = form.dataset.names.split("|"), sides = Number(form.dataset.sides), places = names.map((_name, at) => at);
  // The places of the sides in order, starting at one of them.
  function listFrom(first) { return places.map((at) => (first + at) % sides); }
  // Each side of a game has its own shelf, so that another player on this device sends nothing of it.
  const box = window.playBox, shelf = `${form.dataset.game}:${place}`;
  let waiting = [], refused = [];
  // By side, what its phone sent by code; and the last confirmed taps, for this phone's own code.
  let heard = {}, sent = [];
  let sending = false, polling = false, asksAgain = false, settled = 0, storing = Promise.resolve(), most = MOST_AT_ONCE;
  let stream = null, streamAgainAt = 0, news = "", changedAt = Date.now();
  // When the server last answered, and whether it answers now.
  let reachedAt = Number(document.documentElement.dataset.keptAt) || Date.now(), isAway = false;

  // ---- the state: the server's, with unconfirmed taps on top ----
  // The page groups keys of texts that are "1": each of the words takes the place of the star.
  function readPageState() {
    const said = JSON.parse(document.getElementById("state").textContent);
    for (const { texts, ticked } of said.sides) {
      for (const [pattern, words] of Object.entries(ticked)) {
        for (const word of words.split(" ")) texts[pattern.replace("*", () => word)] = "1";
      }
    }
    return said;
  }
  function apply(view, tap) {
    const units = tap.side === null ? undefined : caps.units?.[tap.side], side = view.sides[tap.side];
    const gone = units && caps.resources.map((key) => countGone(units, side, key));
    applyAct(view, tap);
    if (!units) return;
    // A loss reduces what was already spent first. Resources of arriving units can be spent.
    caps.resources.forEach((key, at) => {
      const now = countGone(units, side, key), before = gone[at];
      if (now !== before) side.counts[key] = Math.min((side.counts[key] ?? 0) + Math.max(0, before - now), -now);
    });
  }
  function applyAct(view, tap) {
    const side = tap.side === null ? view : view.sides[tap.side];
    if (tap.kind === "count") {
      // A phase's income counts once.
      if (tap.text && side.texts[tap.text]) return;
      if (tap.text) side.texts[tap.text] = "1";
      setCount(view, side, tap, (side.counts[tap.key] ?? 0) + tap.amount);
    } else if (tap.kind === "tick") {
      const [start, end] = tap.text.split(" ").map(Number), now = side.counts[tap.key] ?? 0;
      // Boxes that another device ticked or unticked meanwhile are not counted a second time.
      const more = Math.max(0, end - Math.max(start, now)), less = Math.max(0, Math.min(start, now) - end);
      setCount(view, side, tap, start <= end ? now + more : now - less);
    } else if (tap.kind === "step") {
      const [from, to] = tap.text.split(" ");
      if (from !== writeStep(readStep(view.texts.step))) view.passed.add(tap.id);
      else {
        view.texts.step = to;
        // The side of the new turn goes first, in the game or in this round.
        if (tap.key !== "step") view.texts[tap.key] = tap.key === "first" ? to : String(readStep(to).turn);
      }
    } else if (tap.kind === "set" && tap.side === null && tap.key === "first") {
      // A tap of the previous version. It counts until the first move.
      if (view.texts.step === view.texts.first) view.texts.step = view.texts.first = tap.text;
    } else if (tap.kind === "set" && tap.text) {
      side.texts[tap.key] = tap.text;
    } else if (tap.kind === "set") delete side.texts[tap.key];
    // What another phone did with its objectives and cards is only in its points.
    else if (tap.fromOther) return;
    else if (tap.kind === "hand") playHand(view, tap);
    else if (["shuffle", "draw", "discard", "return"].includes(tap.kind)) {
      const pile = side.piles[tap.key] ??= { draw: [], hand: [], discard: [] };
      if (pile.unknown) view.later += 1; else moveCards(pile, tap);
    }
  }
  // Limit a counter as the server does.
  function setCount(view, side, { side: place, key }, value) {
    let [low, high] = (place === null ? null : caps.ends[place]?.[key]) ?? [-MOST_SUM, MOST_SUM];
    const victim = findVictim(place, key);
    if (victim !== null) {
      // A side cannot lose more tokens than it began with, and allies cannot take any.
      const isEnemy = place !== null && victim < sides && !areAllies(place, victim);
      [low, high] = [0, 0];
      if (isEnemy || key.startsWith("gone:")) {
        const others = countTokensGone(view, victim) - (side.counts[key] ?? 0);
        high = Math.max(0, caps.capture.tokens - others);
      }
    } else if (key.startsWith("score:")) {
      const item = key.replace(/:\d+$/, "");
      const others = Object.keys(side.counts).filter((one) => one !== key && one.replace(/:\d+$/, "") === item);
      low = caps.lines[place]?.[item.slice("score:".length)]?.owed
        ? -MOST_SUM : -others.reduce((sum, one) => sum + side.counts[one], 0);
    }
    const [, line] = /^line:(.+):\d+$/.exec(key) ?? [];
    if (line && place !== null) [low, high] = [0, caps.lines[place][line]?.times ?? MOST_SUM];
    side.counts[key] = Math.min(Math.max(value, low), high);
  }
  // ---- captured tokens ----
  function areAllies(one, other) { return caps.teams ? one % caps.teams === other % caps.teams : one === other; }
  // The place of the side whose tokens a counter counts; null for other counters.
  function findVictim(place, key) {
    const { id } = caps.capture ?? {};
    if (!id) return null;
    if (key === `gone:${id}`) return place;
    const [, capture, victim] = /^score:(.+)\.([0-3]):\d{1,4}$/.exec(key) ?? [];
    return capture === id ? Number(victim) : null;
  }
  function countCaptured(view, by, from) {
    return Object.entries(view.sides[by].counts).reduce((sum, [key, count]) => {
      return key.startsWith("score:") && findVictim(by, key) === from ? sum + count : sum;
    }, 0);
  }
  function countTokensGone(view, from) {
    const captured = view.sides.reduce((sum, _side, by) => sum + countCaptured(view, by, from), 0);
    return captured + (view.sides[from].counts[`gone:${caps.capture.id}`] ?? 0);
  }
  // ---- losses ----
  function findPlace(side, key, unit) { return (side.texts[`at:${key}`] || unit.place).split("=")[0]; }
  function isLost(side, key, unit) {
    const vital = Object.entries(unit.runs).filter(([, [, , , decides]]) => decides);
    return findPlace(side, key, unit) === "dead" || vital.every(([run, [size]]) => (side.counts[run] ?? 0) >= size);
  }
  function commands(side, key, unit) { return unit.commands || (unit.open && side.texts.commands === key); }
  function countCards(units, side, resource) {
    return Object.entries(units).reduce((sum, [key, unit]) => {
      const cards = unit.open && commands(side, key, unit) ? unit.command : unit.cards;
      const [brings, takes] = cards[resource] ?? [0, 0];
      if (isLost(side, key, unit) || caps.empty.some((mark) => side.texts[`mark:${key}:${mark}`])) return sum + takes;
      return findPlace(side, key, unit) === "reserve" ? sum + brings : sum;
    }, 0);
  }
  // Negative if units came from reserve since the beginning.
  function countGone(units, side, resource) {
    return countCards(units, side, resource) - countCards(units, { counts: {}, texts: {} }, resource);
  }
  function countBodies(units, side) {
    const bodies = Object.entries(units).reduce((sum, [key, unit]) => {
      const lost = isLost(side, key, unit), runs = Object.entries(unit.runs).filter(([, run]) => run[3]);
      return runs.reduce((more, [run, [size, models, worth]]) => {
        const ticked = lost ? size : Math.min(side.counts[run] ?? 0, size);
        return more + worth * (models === size ? ticked : models * Number(ticked === size));
      }, sum);
    }, side.counts.bodies ?? 0);
    return Math.round(bodies * 100) / 100;
  }
  function listActed(side, mark) {
    return Object.keys(side.texts).filter((key) => key.startsWith("mark:") && key.endsWith(mark)).map((key) => key.split(":")[1]);
  }
  function drawLosses(view, step, points) {
    const name = (side) => (side === place ? form.dataset.you : names[side]);
    drawInitiative(view, step, name);
    if (!caps.units) return;
    each("[data-bodies]", (spot) => {
      const side = Number(spot.dataset.bodies);
      spot.textContent = countBodies(caps.units[side], view.sides[side]);
    });
    each("[data-commander]", (spot) => {
      const side = view.sides[spot.dataset.commander], units = Object.entries(caps.units[spot.dataset.commander]);
      const [leader] = units.filter(([key, unit]) => commands(side, key, unit));
      spot.hidden = !(leader ? isLost(side, ...leader) : side.texts.commander);
    });
    each("[data-over]", (part) => {
      const achieved = places.findIndex((side) => caps.over.some((line) => points[side].items[line] > 0));
      const lost = caps.annihilation ? places.findIndex((side) => {
        const units = Object.entries(caps.units[side]);
        return units.length && units.every(([key, unit]) => isLost(view.sides[side], key, unit));
      }) : -1;
      const words = achieved >= 0 ? part.dataset.achieved.replace("%name", name(achieved))
        : lost >= 0 ? part.dataset.lost.replace("%name", name(lost)) : "";
      part.hidden = !words;
      part.querySelector("b").textContent = words;
    });
    if (!caps.acting) return;
    const has = getInitiative(view, step.round), acted = [], left = [];
    const end = caps.marks[caps.acting][1] === "turn" ? `.${step.turn}` : "", mark = (round) => `:${caps.acting}.${round}${end}`;
    for (const side of places) {
      const units = caps.units[side], own = view.sides[side], now = listActed(own, mark(step.round));
      const acting = Object.keys(units).filter((key) => {
        return !isLost(own, key, units[key]) && findPlace(own, key, units[key]) === "table";
      });
      acted[side] = now.length;
      left[side] = acting.filter((key) => !now.includes(key)).length;
      const last = listActed(own, mark(step.round - 1)).at(-1);
      each(`[data-unit^="${side} "] [data-waits]`, (spot) => {
        const [, key] = split(spot.closest("[data-unit]").dataset.unit);
        spot.hidden = now.length > 0 || acting.length < 2 || key !== last;
      });
    }
    each("[data-acting]", (part) => {
      const [next] = listFrom(has).filter((side) => left[side]).sort((one, other) => acted[one] - acted[other]);
      part.hidden = next === undefined || caps.units.some((units) => !Object.keys(units).length);
      part.textContent = next === undefined ? "" : part.dataset.words.replace("%name", name(next));
    });
  }
  function drawInitiative(view, step, name) {
    each("[data-initiative]", (part) => {
      const rolled = view.texts[`roll:${step.round}`] ?? "", dice = rolled.split(" ");
      const has = getInitiative(view, step.round), takesTurns = "turns" in form.dataset;
      const spot = part.querySelector("[data-rolled]"), roll = part.querySelector("[data-roll]");
      part.hidden = takesTurns && step.round < Number(part.dataset.initiative);
      // Hide the dice until the server has rolled.
      spot.hidden = dice.length < 2;
      spot.textContent = spot.dataset.words.replace("%text", listFrom(place ?? 0).map((side) => `${name(side)} ${dice[side]}`).join(", "));
      if (roll) {
        roll.hidden = Boolean(rolled) || step.round < Number(part.dataset.initiative);
        roll.value = `set - roll:${step.round} roll`;
      }
      for (const button of $$("[data-has-initiative]", part)) {
        const side = Number(button.dataset.hasInitiative), now = writeStep(step);
        button.value = takesTurns
          ? `step - initiative:${step.round} ${now} ${writeStep({ ...step, turn: side })}` : `set - initiative:${step.round} ${side}`;
        button.setAttribute("aria-pressed", String(side === has));
        button.disabled = takesTurns && step.turn !== has;
      }
    });
    each("[data-choice]", (button) => {
      const [side, key] = split(button.dataset.choice), chosen = button.value.split(" ").at(-1);
      const now = view.sides[side].texts[key] ?? button.dataset.unset;
      button.setAttribute("aria-pressed", String(now === chosen));
    });
  }
  function moveCards(pile, tap) {
    const cards = tap.text ? tap.text.split(",").map(Number) : [];
    const without = (list) => list.filter((card) => !cards.includes(card));
    if (tap.kind === "shuffle") {
      Object.assign(pile, { draw: cards, hand: without(pile.hand), discard: without(pile.discard) });
      pile.next?.shift();
    } else if (tap.kind === "draw") pile.hand.push(...pile.draw.splice(0, tap.amount));
    else {
      const moved = cards.filter((card) => pile.hand.includes(card));
      pile.hand = without(pile.hand);
      pile[tap.kind === "discard" ? "discard" : "draw"].push(...moved);
    }
  }
  // The server rolls the dice. Of acts on an objective hand, only scoring shows at once, and draws that the server sent
  // ahead.
  function playHand(view, { side: number, text }) {
    const { act, fields } = JSON.parse(text), side = view.sides[number];
    if (act === "begin" && !side.unknown && drawAhead(view, number, fields)) return;
    const drawn = side.hand?.drawn[fields?.place], card = $$(`[data-held="${number} ${fields?.place}"]`)[0];
    const round = side.hand?.round;
    if (!drawn || !(card || drawn.card) || side.unknown || !["score", "unscore"].includes(act)) {
      side.unknown = true;
      view.later += 1;
      return;
    }
    const scored = act === "score", worth = drawn.card?.worth ?? Number(card.dataset.worth);
    const more = Number(scored) - Number(Boolean(drawn.scored)), points = side.score.hand ??= {};
    points[round] = (points[round] ?? 0) + more * worth;
    drawn.scored = scored;
  }
  function readAhead(number) {
    const told = document.querySelector(`[data-hand="${number}"] > script`);
    return told ? JSON.parse(told.textContent) : null;
  }
  // How many objectives a side draws now; 0 if the device does not know them, or if the side has drawn.
  function countDraw(view, number, ahead, asked) {
    const { round } = readStep(view.texts.step), draws = ahead?.draws[round];
    if (!draws || (view.sides[number].hand?.round ?? 0) >= round) return 0;
    const before = view.sides.map(scoreSide).map(({ rounds }) => {
      return Object.keys(rounds).reduce((sum, one) => sum + (Number(one) < round ? rounds[one] : 0), 0);
    });
    const isExtra = round > 1 && (ahead.fewer ? before.some((points) => points > before[number]) : asked);
    return ahead.number + Number(Boolean(ahead.extra) && isExtra);
  }
  function drawAhead(view, number, fields) {
    const ahead = readAhead(number), side = view.sides[number], { round } = readStep(view.texts.step);
    const draws = fields.keep ? 0 : countDraw(view, number, ahead, fields.extra === "on");
    if (!draws) return false;
    const drawn = ahead.draws[round].slice(0, draws).map((id, at) => ({
      id, scored: false, named: false, card: ahead.cards[id], due: ahead.due?.[round][at] ?? "",
    }));
    side.hand = { ...side.hand, round, drawn, isAhead: true };
    return true;
  }
  // The state includes what is needed to undo and redo taps that the server has.
  function takeBack(view, id) {
    const undo = view.undos.find((one) => one.id === id), redo = view.redos.find((one) => one.undo === id);
    const tap = undo ?? redo, side = tap && tap.side !== null ? view.sides[tap.side] : view;
    if (!tap) view.later += 1;
    else if (redo) {
      view.redos = view.redos.filter((one) => one !== redo);
      view.undos.unshift({ ...redo, before: side.texts[redo.key] ?? "" });
      apply(view, redo);
    } else {
      view.undos = view.undos.filter((one) => one !== undo);
      if (undo.kind === "count") {
        delete side.texts[undo.text];
        apply(view, { ...undo, amount: -undo.amount, text: "" });
      }
      else if (undo.kind === "set") apply(view, { ...undo, text: undo.before });
      else if (undo.kind === "step") apply(view, { ...undo, text: turnBack(undo.text) });
      else if (undo.kind === "hand") {
        const { act, ...note } = JSON.parse(undo.text ?? "{}"), other = { score: "unscore", unscore: "score" }[act];
        playHand(view, { side: undo.side, text: JSON.stringify({ ...note, act: other }) });
      } else giveCardsBack(view, side.piles[undo.key], undo);
    }
  }
  // Only the server knows a pile before its shuffle, how many of its last cards were drawn, and where in the hand a
  // returning card was.
  function giveCardsBack(view, pile, { kind, amount, text = "" }) {
    const guessed = kind === "draw" && (pile?.mixed || (amount > 1 && !pile?.draw.length));
    // Repeating the shuffle gives the same order.
    if (pile && kind === "shuffle") pile.next?.unshift(text.split(",").map(Number));
    if (!pile || pile.unknown || kind === "shuffle" || guessed) {
      if (pile) pile.unknown = true;
      view.later += 1;
    } else if (kind === "draw") pile.draw.unshift(...pile.hand.splice(Math.max(0, pile.hand.length - amount)));
    else {
      const cards = text.split(",").map(Number), from = kind === "discard" ? "discard" : "draw";
      pile.mixed = true;
      pile.hand.push(...pile[from].filter((card) => cards.includes(card)));
      pile[from] = pile[from].filter((card) => !cards.includes(card));
    }
  }
  // An undone undo has no effect.
  function listStanding(taps) {
    const undone = new Set();
    const standing = [...taps].reverse().filter((tap) => {
      if (undone.has(tap.id)) return false;
      if (tap.kind === "undo") undone.add(tap.key);
      return true;
    });
    return standing.reverse();
  }
  function look() {
    const view = structuredClone(state);
    view.counts ??= {};
    view.redos ??= [];
    view.later = 0;
    // Steps that another device took first.
    view.passed = new Set();
    const here = new Set(waiting.map((tap) => tap.id));
    for (const tap of listStanding(putInOrder(listHeard()))) {
      if (tap.kind !== "undo") apply(view, tap);
      else if (!here.has(tap.key)) takeBack(view, tap.key);
    }
    for (const [side, message] of Object.entries(heard)) {
      if (message.points && listHeard(side).length) view.sides[side].score.hand = message.points;
    }
    return view;
  }
  // Taps in the order in which this phone learned of them.
  function putInOrder(others) { return [...waiting, ...others].sort((a, b) => a.at - b.at); }
  function readStep(text) {
    const [round, turn, phase] = (text ?? "1:0:").split(":");
    return { round: Number(round), turn: Number(turn), phase: phase ?? "" };
  }
  // The text of a step from where another one ends to where it starts.
  function turnBack(text) { return text.split(" ").reverse().join(" "); }
  function writeStep({ round, turn, phase }) { return `${round}:${turn}:${phase}`; }
  // A side's score, with caps applied round by round, as the server counts.
  function scoreSide(side, place) {
    const written = {}, rounds = {}, items = {}, lines = caps.lines[place];
    for (const [key, count] of Object.entries(side.counts)) {
      const [, kind, item, round] = /^(score|line):(.+):(\d{1,4})$/.exec(key) ?? [], line = lines[item];
      if (!kind || (line ? Boolean(line.free) !== (kind === "score") : kind === "line")) continue;
      (written[item] ??= {})[round] = line && !line.free ? countLine(line, count, Number(round)) : count;
    }
    // Of lines that exclude each other, only the best one counts.
    const sums = Object.entries(written).map(([item, counted]) => ({
      item, group: lines[item]?.oneOf, sum: Object.values(counted).reduce((sum, points) => sum + points, 0),
    }));
    for (const one of sums.filter(({ group }) => group)) {
      const best = sums.filter(({ group }) => group === one.group).reduce((a, b) => (b.sum > a.sum ? b : a));
      if (one !== best) delete written[one.item];
    }
    const add = (item, round, points) => {
      rounds[round] = (rounds[round] ?? 0) + points;
      items[item] = (items[item] ?? 0) + points;
    };
    const objectives = { hand: side.score.hand ?? {} };
    items.hand = 0;
    for (const [item, counted] of Object.entries(written)) {
      let room = lines[item]?.most ?? Infinity;
      for (const [round, count] of Object.entries(counted)) {
        const points = Math.min(count, lines[item]?.mostRound ?? Infinity, room);
        room -= points;
        if (lines[item]?.objective) (objectives[item] ??= {})[round] = points; else add(item, round, points);
      }
    }
    // Objectives share a cap.
    let left = caps.objectives[place] ?? Infinity;
    for (const round of Object.keys(Object.assign({}, ...Object.values(objectives)))) {
      for (const [item, counted] of Object.entries(objectives)) {
        const points = Math.min(counted[round] ?? 0, left);
        left -= points;
        add(item, round, points);
      }
    }
    const total = Object.values(rounds).reduce((sum, points) => sum + points, 0), held = rounds[0] ?? 0;
    delete rounds[0];
    return { total: Math.min(total, caps.most ?? Infinity), rounds, items, held, left };
  }
  function isOpen(line, round) { return round >= (line.first ?? 0) && (!line.last || round <= line.last); }
  function weighLine(line, round) { return line.one * (line.doubled && round >= line.doubled ? 2 : 1); }
  function countLine(line, count, round) {
    if (!line.held && !isOpen(line, round)) return 0;
    return Math.max(0, Math.min(count, line.times ?? Infinity)) * weighLine(line, round);
  }
  // The place of the side whose lead ends the game now; -1 for none.
  function findSuddenEnd(view, points) {
    const out = places.map((at) => isOut(view, at));
    const isTeamOut = (at) => places.some((other) => areAllies(at, other) && out[other]);
    const left = places.filter((at) => !isTeamOut(at)), teams = caps.teams || sides;
    if (teams === 2 && left.length && left.length < places.length) return left[0];
    const sum = (at) => places.reduce((all, other) => all + (areAllies(at, other) ? points[other] : 0), 0);
    const foes = (at) => places.filter((other) => !areAllies(at, other));
    const captured = places.findIndex((at) => {
      if (caps.teams) return caps.byTeam !== null && sum(at) >= caps.byTeam;
      return caps.fromEach !== null && foes(at).every((foe) => countCaptured(view, at, foe) >= caps.fromEach);
    });
    if (captured >= 0 || caps.ahead === null) return captured;
    return places.findIndex((mine) => {
      const total = caps.totals[mine];
      if (total === null || sum(mine) < total) return false;
      return foes(mine).every((foe) => {
        const theirs = caps.totals[foe], beyond = sum(foe) - theirs;
        let lead = sum(mine) - sum(foe);
        if (caps.own && theirs !== null) lead = beyond >= 0 ? sum(mine) - total - beyond : -beyond;
        return lead >= caps.ahead;
      });
    });
  }
  // Whether a side has lost what it needs to stay in the game, or its players say that it is out.
  function isOut(view, at) {
    const units = $$(`[data-unit^="${at} "]`), { capture, out } = caps;
    const isBare = units.length > 0 && units.every((row) => row.classList.contains("dead"));
    const isBroke = capture && countTokensGone(view, at) >= capture.tokens;
    return Boolean(view.sides[at].texts.out) || (out.includes("models") && isBare) || Boolean(out.includes("tokens") && isBroke);
  }

  // ---- the page in its current state ----
  function split(text) {
    const at = text.indexOf(" ");
    return [Number(text.slice(0, at)), text.slice(at + 1)];
  }
  function each(selector, act) { for (const element of $$(selector)) act(element); }
  function draw() {
    const passFocusOn = holdFocus();
    drawAll();
    passFocusOn();
  }
  function drawAll() {
    const view = look(), step = readStep(view.texts.step);
    const count = (name) => { const [side, key] = split(name); return view.sides[side].counts[key] ?? 0; };
    const text = (name) => { const [side, key] = split(name); return view.sides[side].texts[key] ?? ""; };
    drawStep(view, step);
    each("[data-count]", (spot) => {
      const now = spot.hasAttribute("data-of-round"), { count: named } = spot.dataset;
      const name = now ? named.replace(/\d+$/, step.round) : named;
      spot.textContent = count(name) + Number(spot.dataset.base ?? 0);
    });
    each("[data-flag]", (button) => drawFlag(button, button.dataset.flag, text(button.dataset.flag)));
    each("[data-remind]", (button) => {
      const [side, rest] = split(button.dataset.remind), name = `${side} done:${step.round}.${step.turn}.${rest}`;
      drawFlag(button, name, text(name));
      button.parentElement.classList.toggle("done", Boolean(text(name)));
    });
    each("[data-shared]", (button) => {
      const key = button.dataset.shared, on = Boolean(view.texts[key]);
      button.classList.toggle("on", on);
      button.setAttribute("aria-pressed", String(on));
      button.value = `set - ${key} ${on ? "" : "1"}`;
      button.parentElement.classList.toggle("done", on);
    });
    each("[data-goes-first]", (button) => {
      const { turn, ...begun } = readStep(button.value.split(" ").at(-1)), isFirst = turn === getFirst(view);
      button.setAttribute("aria-pressed", String(isFirst));
      button.value = `step - first ${writeStep(step)} ${writeStep({ ...begun, turn })}`;
      // Later, another order of turns would skip a turn.
      button.disabled = writeStep(step) !== writeStep({ ...begun, turn: getFirst(view) });
    });
    each("[data-setup]", (part) => { part.hidden = step.round > 1; });
    each("[data-gain]", (button) => {
      const [side, rest] = split(button.dataset.gain), once = `done:${step.round}.${step.turn}.${rest}`;
      const amount = Number(button.dataset.flat) + ("byRound" in button.dataset ? step.round : 0);
      button.value = `count ${side} ${button.dataset.counter} ${amount} ${once}`;
      button.textContent = `+${amount}`;
      button.disabled = place === null || state.ended || Boolean(text(`${side} ${once}`));
      button.parentElement.classList.toggle("done", Boolean(text(`${side} ${once}`)));
    });
    each("[data-unit]", (row) => { drawUnit(row, count, text); drawMarks(row, text, step); });
    drawLosses(view, step, drawScores(view, step, count));
    // A unit dies in the current round, not in the round when the page was opened.
    each("[data-at=dead]", (button) => { button.value = button.value.replace(/=\d+$/, `=${step.round}`); });
    each("[data-back]", (button) => {
      const [side, key] = split(button.dataset.back), units = caps.units?.[side];
      // Losses with units do not come back.
      const gone = units && caps.resources.includes(key) ? countGone(units, view.sides[side], key) : 0;
      const spent = Math.max(0, -gone - count(button.dataset.back));
      button.hidden = !spent;
      button.value = `count ${button.dataset.back} ${spent}`;
      button.querySelector("[data-words]").textContent = `+${spent}`;
    });
    each("[data-units-left]", (spot) => {
      const rows = $$(`[data-unit^="${spot.dataset.unitsLeft} "]`);
      const left = rows.filter((row) => !row.classList.contains("dead")).length;
      spot.textContent = spot.dataset.words.replace("%left", left).replace("%all", rows.length);
    });
    each("[data-deck]", (part) => drawDeck(part, view));
    each("[data-hand]", (part) => drawHand(part, view, step));
    drawTimes(view, step);
    each("[data-ending]", (words) => { words.hidden = state.ended || !waiting.some(({ kind }) => kind === "end"); });
    drawUndo(view);
    drawJustNow();
    drawUnsent(view);
    drawRefused();
  }
  function drawScores(view, step, count) {
    const before = state.sides.map(scoreSide), now = view.sides.map(scoreSide);
    each("[data-line]", (part) => drawLine(part, step, count, now));
    each("[data-held-points]", (spot) => { spot.textContent = now[spot.dataset.heldPoints].held || "–"; });
    drawStanding(view, step, now.map((score) => score.total));
    if (caps.capture) drawCaptured(view, step);
    addRounds(Math.max(step.round, ...now.flatMap((score) => Object.keys(score.rounds).map(Number))));
    each("[data-total]", (spot) => {
      const side = Number(spot.dataset.total);
      spot.textContent = state.sides[side].score.total + now[side].total - before[side].total;
    });
    each("[data-points]", (spot) => {
      const [side, round] = split(spot.dataset.points);
      const more = (now[side].rounds[round] ?? 0) - (before[side].rounds[round] ?? 0);
      spot.textContent = (state.sides[side].score.rounds[round] ?? 0) + more || "–";
    });
    each("[data-full]", (words) => {
      const [side, item] = split(words.dataset.full), { most, mostRound } = caps.lines[side][item] ?? caps;
      const sum = item ? now[side].items[item] ?? 0 : now[side].total;
      const here = count(`${side} score:${item}:${step.round}`);
      words.hidden = sum < (most ?? Infinity) && here < (mostRound ?? Infinity);
    });
    each("[data-held]", (card) => {
      const [side, at] = split(card.dataset.held), scored = view.sides[side].hand?.drawn[at]?.scored;
      for (const button of $$("[data-scored]", card)) {
        button.hidden = Boolean(button.dataset.scored) !== Boolean(scored);
        // Objectives share a cap: what is above it brings nothing.
        const brings = Math.min(Number(card.dataset.worth), now[side].left);
        if (button.dataset.words) button.textContent = button.dataset.words.replace("%n", brings);
      }
    });
    each("[data-hand-points]", (spot) => {
      spot.textContent = spot.dataset.words.replace("%n", now[spot.dataset.handPoints].items.hand);
    });
    return now;
  }
  // An objective's line: whether it can score now, its worth, and its part of the page.
  function drawLine(part, step, count, now) {
    const [side, item] = split(part.dataset.line), line = caps.lines[side][item] ?? { free: true };
    const key = line.free ? `score:${item}:${step.round}` : `line:${item}:${line.held ? 0 : step.round}`;
    const counted = count(`${side} ${key}`), total = now[side].items[item] ?? 0;
    const worth = line.free ? 1 : weighLine(line, step.round);
    const here = line.free ? counted : countLine(line, counted, step.round);
    const live = isOpen(line, step.round) && (!line.phase || line.phase === step.phase);
    const reached = (points, most) => points >= (most ?? Infinity);
    const full = reached(counted, line.times) || reached(total, line.most) || reached(here, line.mostRound)
      || (line.objective && now[side].left <= 0);
    part.classList.toggle("live", live);
    part.classList.toggle("off", !live);
    for (const spot of $$("[data-worth]", part)) spot.textContent = worth;
    for (const spot of $$("[data-here]", part)) spot.textContent = here;
    for (const spot of $$("[data-line-total]", part)) spot.textContent = total;
    for (const spot of $$(".mult", part)) spot.hidden = worth === line.one;
    for (const button of $$("[data-step]", part)) {
      const amount = Number(button.dataset.step);
      // Freely counted points can be spent in a later round.
      button.disabled = !live || (amount < 0 ? counted <= 0 && !line.owed && !(line.free && total > 0) : full);
      if (button.dataset.score) button.querySelector("[data-words]").textContent = button.dataset.score.replace("%n", amount * worth);
    }
    for (const button of $$("[data-held-op]", part)) {
      const on = counted > 0;
      button.value = `count ${side} ${key} ${on ? -counted : 1 - counted}`;
      button.disabled = !live;
      button.classList.toggle("main", !on);
      button.setAttribute("aria-pressed", String(on));
      button.querySelector("[data-words]").textContent = on ? button.dataset.true : button.dataset.score.replace("%n", worth);
    }
    const homes = $$("[data-lines]", part.closest("section"));
    const home = homes.find((one) => one.dataset.lines === (live ? "live" : "later"));
    if (part.parentElement !== home) {
      const after = [...home.children].find((one) => Number(one.dataset.at) > Number(part.dataset.at));
      home.insertBefore(part, after ?? null);
    }
  }
  function drawStanding(view, step, points) {
    each("[data-race]", (bar) => { bar.value = Math.max(0, points[bar.dataset.race]); });
    each("[data-lead]", (words) => {
      const [best, second] = [...points].sort((a, b) => b - a), leader = points.indexOf(best), lead = best - second;
      const said = leader === place ? words.dataset.you : words.dataset.other;
      const text = lead ? said.replace("%name", names[leader]).replace("%n", lead) : words.dataset.level;
      words.querySelector("b").textContent = text;
    });
    each("[data-win]", (words) => {
      const winner = !caps.phase || caps.phase === step.phase ? findSuddenEnd(view, points) : -1;
      words.hidden = winner < 0;
      const said = winner === place ? words.dataset.you : words.dataset.other;
      words.querySelector("b").textContent = winner < 0 ? "" : said.replace("%name", () => names[winner]);
    });
    drawLastTurn(view, findSuddenEnd(view, points) >= 0);
  }
  function drawLastTurn(view, hasWinner) {
    each("[data-last-turn]", (words) => {
      const out = names.filter((_name, at) => isOut(view, at));
      const piles = view.sides.flatMap((side) => Object.values(side.piles));
      const isEmpty = caps.lastCard && piles.some(({ draw }) => !(Array.isArray(draw) ? draw.length : draw));
      const text = out.length ? words.dataset.out.replace("%names", out.join(", ")) : isEmpty ? words.dataset.card : "";
      words.hidden = hasWinner || !text;
      words.querySelector("b").textContent = text;
    });
  }
  // Who has captured how many tokens from whom, and how many each side has left.
  function drawCaptured(view, step) {
    each("[data-captured]", (cell) => {
      const [by, from] = cell.dataset.captured.split(" ").map(Number), number = countCaptured(view, by, from);
      cell.querySelector("b").textContent = number;
      $$("i", cell).forEach((dot, at) => dot.classList.toggle("on", at < number));
    });
    each("[data-kept]", (spot) => {
      const left = caps.capture.tokens - countTokensGone(view, Number(spot.dataset.kept));
      spot.textContent = spot.dataset.words.replace("%n", left);
    });
    each("[data-seat]", (seat) => {
      seat.classList.toggle("at", "turns" in form.dataset && Number(seat.dataset.seat) === step.turn);
      seat.classList.toggle("out", isOut(view, Number(seat.dataset.seat)));
    });
    each("[data-fall]", (button) => { button.value = `fall - ${caps.capture.id} ${step.round}`; });
  }
  // A game without a last round gets a column for each played round.
  function addRounds(number) {
    for (const row of $$(".rounds tr")) {
      const side = row.querySelector("[data-total]")?.dataset.total;
      const after = row.querySelector("[data-held-points], .held") ? 2 : 1;
      while (row.children.length - 1 - after < Math.min(number, MOST_ROUNDS)) {
        const cell = row.children[1].cloneNode(), round = row.children.length - after;
        if (side) cell.dataset.points = `${side} ${round}`; else cell.textContent = round;
        row.children[round].before(cell);
      }
    }
  }
  function drawFlag(button, name, on) {
    const [side, key] = split(name);
    button.classList.toggle(button.classList.contains("oncebtn") ? "used" : "on", Boolean(on));
    button.setAttribute("aria-pressed", String(Boolean(on)));
    button.value = `set ${side} ${key} ${on ? "" : "1"}`;
  }
  function drawStep(view, step) {
    each("[data-now=round]", (spot) => { spot.textContent = step.round; });
    each("[data-dot]", (dot) => dot.classList.toggle("on", Number(dot.dataset.dot) <= step.round));
    const tabs = $$(".phases [data-step]"), now = tabs.findIndex((tab) => tab.dataset.step === step.phase);
    const go = (to) => `step - step ${writeStep(step)} ${to}`, first = findOpener(view, step.round);
    tabs.forEach((tab, at) => {
      // A phase that opens the round belongs to the first turn, whoever's turn it is now.
      tab.value = go(`${step.round}:${"opens" in tab.dataset ? first : step.turn}:${tab.dataset.step}`);
      tab.classList.toggle("done", at < now);
      if (at === now) tab.setAttribute("aria-current", "step"); else tab.removeAttribute("aria-current");
    });
    each("li[data-phase]", (line) => { line.hidden = line.dataset.phase !== step.phase; });
    each("[data-round-op]", (button) => {
      button.value = button.value.replace(/(:)\d+( -?\d+)$/, `$1${step.round}$2`);
    });
    const mark = (button, on) => { if (on) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current"); };
    each("[data-go]", (button) => {
      const { round } = readStep(button.dataset.go);
      button.dataset.go = startRound(view, tabs, round);
      button.value = go(button.dataset.go);
      mark(button, round === step.round);
    });
    each("[data-go-turn]", (button) => {
      const turn = Number(button.dataset.goTurn);
      button.value = go(`${step.round}:${turn}:${findBeginning(tabs, turn, first)}`);
      mark(button, turn === step.turn);
    });
    const turns = $$("[data-go-turn]"), order = listFrom(first).map((turn) => turns.find((one) => Number(one.dataset.goTurn) === turn));
    if (order.some((button, at) => button !== turns[at])) turns[0]?.parentElement.append(...order);
    each("[data-turn]", (spot) => {
      const { mine, turn } = spot.dataset;
      const said = step.turn === place ? mine : turn.replace("%name", names[step.turn]);
      if ("turns" in form.dataset) spot.textContent = said;
    });
    const [next, word] = findNext(view, step, tabs, now) ?? [];
    each("[data-next-step]", (button) => {
      button.hidden = !next;
      button.value = go(next);
      button.querySelector("span").textContent = form.dataset.next.replace("%name", word);
    });
    each("[data-last-step]", (link) => { link.hidden = Boolean(next); });
  }
  // An objective scores from its time on; stratagems are used in the first or last step of a round.
  function drawTimes(view, step) {
    const phases = $$(".phases [data-step]").map((tab) => tab.dataset.step), first = findOpener(view, step.round);
    const find = (turn, from = first) => ("turns" in form.dataset ? listFrom(from).indexOf(turn) : 0);
    const measure = ({ round, turn, phase }) => {
      return (round * sides + find(turn, findOpener(view, round))) * 99 + phases.indexOf(phase);
    };
    each("[data-due]", (button) => {
      button.disabled = Boolean(button.dataset.due) && measure(readStep(button.dataset.due)) > measure(step);
    });
    const last = step.phase === phases.at(-1) && (!("turns" in form.dataset) || find(step.turn) === sides - 1);
    const opens = step.turn === first && step.phase === phases[0];
    each("[data-only]", (button) => {
      if (!button.title) button.disabled = button.dataset.only === "opening" ? !opens : !last;
    });
  }
  // The first side's turn opens the round.
  function findBeginning(tabs, turn, first) {
    const from = turn === first ? 0 : tabs.findIndex((tab) => !("opens" in tab.dataset));
    return tabs[from]?.dataset.step ?? "";
  }
  function getFirst(view) {
    return view.texts.first ? readStep(view.texts.first).turn : Number(form.dataset.first);
  }
  function getInitiative(view, round) { return Number(view.texts[`initiative:${round}`] ?? getFirst(view)); }
  // Whose turn is in the steps that begin a round. Without turns it stays the same in all steps.
  function findOpener(view, round) { return "turns" in form.dataset ? getInitiative(view, round) : getFirst(view); }
  function startRound(view, tabs, round) {
    const first = findOpener(view, round);
    return `${round}:${first}:${findBeginning(tabs, first, first)}`;
  }
  // The last step has no next one.
  function findNext(view, step, tabs, now) {
    const first = findOpener(view, step.round), most = Number(form.dataset.rounds), other = (step.turn + 1) % sides;
    const after = now >= 0 ? tabs[now + 1] : undefined;
    if (after) return [`${step.round}:${step.turn}:${after.dataset.step}`, after.textContent.trim()];
    if ("turns" in form.dataset && other !== first) {
      return [`${step.round}:${other}:${findBeginning(tabs, other, first)}`, other === place ? form.dataset.yourTurn : names[other]];
    }
    if (most && step.round >= most) return null;
    return [startRound(view, tabs, step.round + 1), `${form.dataset.roundWord} ${step.round + 1}`];
  }
  function drawUnit(row, count, text) {
    // Its boxes are still being loaded.
    if (!row.querySelector(".wounds")) return;
    const [side, unit] = split(row.dataset.unit);
    let left = Number(row.dataset.size), vital = 0;
    for (const group of $$(".wounds", row)) {
      const boxes = $$("[data-box]", group), name = group.dataset.run;
      const lost = Math.min(Math.max(count(name), 0), boxes.length), [, key] = split(name);
      // Tokens and levels are not models of a unit.
      if (!("beside" in group.dataset)) left -= lost;
      if (!("beside" in group.dataset) && !("spare" in group.dataset)) vital += boxes.length - lost;
      boxes.forEach((one, at) => {
        one.classList.toggle("lost", at < lost);
        one.setAttribute("aria-pressed", String(at < lost));
        // A box sets the count to its number; the last ticked box unticks itself.
        one.value = `tick ${side} ${key} ${lost} ${at + 1 === lost ? at : at + 1}`;
      });
      $$(`[data-dots="${key}"] i`, row).forEach((dot, at) => dot.classList.toggle("lost", at < lost));
    }
    const [at, died] = (text(`${side} at:${unit}`) || row.dataset.first).split("=");
    const dead = at === "dead" || vital <= 0;
    for (const one of $$("[data-at]", row)) one.setAttribute("aria-pressed", String(one.dataset.at === at));
    row.querySelector("[data-place]").textContent = namePlace(row, at === "table" && dead ? "dead" : at, died);
    row.classList.toggle("dead", dead);
    row.querySelector("[data-left]").textContent = dead ? 0 : left;
    for (const stats of $$("[data-high]", row)) {
      stats.hidden = !(Number(stats.dataset.low) <= left && left <= Number(stats.dataset.high));
    }
  }
  function drawMarks(row, text, step) {
    const until = { turn: `.${step.round}.${step.turn}`, round: `.${step.round}`, game: "" }, on = {};
    const [side, unit] = split(row.dataset.unit), name = (id) => `mark:${unit}:${id}${until[caps.marks[id][1]]}`;
    for (const id of Object.keys(caps.marks)) on[id] = Boolean(text(`${side} ${name(id)}`));
    for (const button of $$("[data-mark]", row)) {
      const id = button.dataset.mark;
      button.setAttribute("aria-pressed", String(on[id]));
      button.value = `set ${side} ${name(id)} ${on[id] ? "" : "1"}`;
    }
    row.querySelector("[data-marks]").replaceChildren(...Object.keys(on).filter((id) => on[id]).map((id) => {
      return Object.assign(document.createElement("i"), { textContent: caps.marks[id][0] });
    }));
  }
  function namePlace(row, at, died) {
    const { dataset: words } = row.parentElement;
    if (died) return words.died.replace("%n", died);
    return (at === row.dataset.first && row.dataset.with) || (words[at] ?? "");
  }
  // Only its owner has a deck's cards, so the other side cannot draw.
  function drawDeck(part, view) {
    const [side, key] = split(part.dataset.deck), pile = view.sides[side].piles[key];
    if (!pile || !Array.isArray(pile.hand)) return;
    const cards = JSON.parse(part.querySelector("script").textContent), pattern = part.querySelector("template");
    const hand = part.querySelector("[data-hand]");
    hand.replaceChildren(...pile.hand.map((number) => {
      const card = pattern.content.cloneNode(true), said = cards[number] ?? { name: "", cost: "", text: "" };
      card.querySelector("[data-name]").textContent = said.name;
      card.querySelector("[data-cost]").textContent = said.cost;
      card.querySelector("[data-text]").textContent = said.text;
      for (const button of card.querySelectorAll("button")) button.value = button.value.replace("%n", number);
      return card;
    }));
    const words = part.dataset.words.replace("%n", pile.draw.length).replace("%h", pile.hand.length);
    part.querySelector("[data-pile]").textContent = words;
    part.querySelector("[data-gone]").textContent = pile.discard.map((number) => cards[number]?.name).join(", ");
    part.toggleAttribute("data-begun", true);
    for (const button of part.querySelectorAll("[data-draw]")) button.disabled = !pile.draw.length;
  }
  // Objectives drawn or available offline, instead of what the server showed before.
  function drawHand(part, view, step) {
    const number = Number(part.dataset.hand), hand = view.sides[number].hand, spot = part.querySelector("[data-ahead]");
    const ahead = readAhead(number), isDrawn = (hand?.round ?? 0) >= step.round;
    const server = part.querySelector(`[data-offer="${step.round}"]`);
    for (const offer of $$("[data-offer]", part)) offer.hidden = isDrawn || offer !== (server ?? offer);
    if (!spot) return;
    const offer = part.querySelector("[data-offer=ahead]"), draws = countDraw(view, number, ahead, false);
    offer.hidden = Boolean(server) || !draws;
    for (const field of $$("input", offer)) field.disabled = offer.hidden;
    const button = offer.querySelector("button");
    button.textContent = button.dataset.words.replace("%n", draws);
    spot.hidden = !hand?.isAhead;
    for (const cards of $$("[data-drawn]", part)) cards.hidden = Boolean(hand?.isAhead);
    spot.replaceChildren(...(hand?.isAhead ? hand.drawn : []).map((drawn, at) => fillCard(part, drawn, at)));
  }
  function fillCard(part, { card, scored, due }, at) {
    const filled = part.querySelector("template").content.cloneNode(true), $ = (name) => filled.querySelector(name);
    $("use").setAttribute("href", `#g-${card.group}`);
    $("h3").textContent = card.name;
    const pattern = $("[data-says]");
    pattern.replaceWith(...card.lines.map(([when, text]) => {
      const line = pattern.cloneNode(true);
      line.querySelector("b").textContent = when ? `${when}.` : "";
      line.querySelector("span").textContent = text.replaceAll("**", "");
      return line;
    }));
    $(".vp").textContent = card.worth;
    for (const button of filled.querySelectorAll("button")) {
      button.value = button.value.replace("%n", at);
      button.hidden = Boolean(button.dataset.scored) !== scored;
      if (!button.dataset.scored) button.dataset.due = due;
      if (button.dataset.words) button.textContent = button.dataset.words.replace("%n", card.worth);
    }
    return filled;
  }
  function drawUndo(view) {
    const mine = listStanding(waiting).filter((tap) => !["undo", "end"].includes(tap.kind) && !view.passed.has(tap.id));
    const last = mine.at(-1)?.id ?? view.undos[0]?.id ?? "", next = findRedo(view);
    each("[data-undo]", (button) => { button.value = `undo - ${last}`; button.disabled = !last; });
    each("[data-redo]", (button) => { button.value = `undo - ${next}`; button.disabled = !next; });
  }
  // What happened last, by whom. The server says it in words; taps that it does not have yet are named by their button.
  function drawJustNow() {
    const undone = new Set(waiting.filter(({ kind }) => kind === "undo").map(({ key }) => key));
    const unsent = listStanding(waiting).filter((tap) => tap.words && isTold(tap)).slice(-MOST_TOLD).reverse();
    each("[data-just]", (part) => {
      const list = part.querySelector("ul");
      const fill = (id, who, text, isUndoable) => {
        const line = part.querySelector("template").content.cloneNode(true), button = line.querySelector("button");
        line.querySelector("b").textContent = who;
        line.querySelector("span span").textContent = text;
        if (who) line.querySelector("small").remove();
        line.querySelector("li").toggleAttribute("data-unsent", !who);
        button.value = `undo - ${id}`;
        button.querySelector(".sr").textContent = `: ${text}`;
        if (!isUndoable) button.remove();
        return line;
      };
      // The page itself came with the server's words.
      if (state.just) {
        list.replaceChildren(...state.just.map(({ id, side, text, undo }) => {
          return undone.has(id) ? "" : fill(id, side === place ? form.dataset.you : names[side], text, undo);
        }));
      }
      for (const line of $$("[data-unsent]", list)) line.remove();
      for (const button of $$("button", list)) button.closest("li").hidden = undone.has(button.value.split(" ").at(-1));
      list.prepend(...unsent.map(({ id, words }) => fill(id, "", words, true)));
      part.hidden = !list.querySelector("li:not([hidden])");
    });
  }
  // The acts that the server tells, too: they change points, units or resources.
  function isTold({ kind, key, text }) {
    if (kind === "hand") return JSON.parse(text).act !== "choose";
    return ["count", "tick"].includes(kind) || (kind === "set" && /^(at|roll):/.test(key));
  }
  // Redo undoes the last undo. After any other tap there is nothing to redo.
  function findRedo(view) {
    const fresh = waiting.findLastIndex((tap) => tap.kind !== "undo");
    const undos = new Set((state.redos ?? []).map((redo) => redo.undo));
    for (const tap of waiting) if (tap.kind === "undo") undos.add(tap.id);
    const own = listStanding(waiting.slice(fresh + 1)).filter((tap) => !undos.has(tap.key));
    return own.at(-1)?.id ?? (fresh < 0 ? view.redos[0]?.undo : "") ?? "";
  }
  function drawUnsent(view) {
    const spot = document.getElementById("unsent"), number = waiting.length;
    const words = number === 1 ? spot.dataset.one : spot.dataset.many.replace("%n", number);
    spot.textContent = [number ? words : "", view.later ? form.dataset.later : ""].filter(Boolean).join(", ");
    spot.title = number ? form.dataset.failed : "";
  }
  function drawRefused() {
    const part = document.getElementById("refused");
    if (!part) return;
    part.hidden = !refused.length;
    part.querySelector("ul").replaceChildren(...refused.map(({ what, reason }) => {
      return Object.assign(document.createElement("li"), { textContent: what ? `${what}: ${reason}` : reason });
    }));
  }

  // ---- taps ----
  function readTap(value, fields) {
    const [kind, side, key, ...more] = value.split(" "), rest = more.join(" ");
    if (kind === "fall") return readFall(key, rest, fields);
    const tap = { id: box.makeId(), kind, key, amount: 0, text: rest, at: Date.now() };
    tap.side = side === "-" ? null : Number(side);
    if (kind === "count" || kind === "draw") Object.assign(tap, { amount: Number(more[0]), text: more[1] ?? "" });
    if (kind === "shuffle") Object.assign(tap, { text: shuffle(tap, Number(rest)) });
    if (kind === "hand") {
      const [act, place, objective] = more, named = { ...place && { place }, ...objective && { objective } };
      const own = Object.entries(fields).filter(([name]) => name.startsWith(`h${side}-`));
      const sent = Object.fromEntries(own.map(([name, value]) => [name.replace(/^h\d-/, ""), value]));
      tap.text = JSON.stringify({ act, fields: { ...sent, ...named } });
    }
    return tap;
  }
  // A model falls: its killer takes as many of its owner's tokens as it is worth; without an enemy they leave the game.
  function readFall(capture, round, { killer, fallen = "" }) {
    const [from, amount] = fallen.split(" ").map(Number), by = Number(killer);
    if (!amount) throw new Error("Nothing has fallen.");
    const key = killer === "-" ? `gone:${capture}` : `score:${capture}.${from}:${round}`;
    return { id: box.makeId(), kind: "count", side: killer === "-" ? from : by, key, amount, text: "", at: Date.now() };
  }
  function shuffle(tap, all) {
    const pile = look().sides[tap.side].piles[tap.key] ?? { draw: [], hand: [], discard: [] };
    const cards = all ? [...Array(all).keys()] : [...pile.draw, ...pile.discard];
    const left = cards.filter((card) => !pile.hand.includes(card)), [order] = pile.next ?? [];
    if (order && left.every((card) => order.includes(card))) return order.filter((card) => left.includes(card)).join(",");
    for (let at = left.length - 1; at > 0; at -= 1) {
      const other = crypto.getRandomValues(new Uint32Array(1))[0] % (at + 1);
      [left[at], left[other]] = [left[other], left[at]];
    }
    return left.join(",");
  }
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.name !== "op" || place === null) return;
    try {
      const fields = {};
      for (const [name, value] of new FormData(form)) {
        if (["op", "form_id", "csrfmiddlewaretoken"].includes(name)) continue;
        fields[name] = fields[name] ? `${fields[name]} ${value}` : value;
      }
      const words = button.getAttribute("aria-label") ?? button.textContent;
      keepTap({ ...readTap(button.value, fields), words: words.replace(/\s+/g, " ").trim() });
    } catch (error) {
      // Submit the form as without a script.
      console.warn(error);
      return;
    }
    event.preventDefault();
    button.closest("details.goto")?.removeAttribute("open");
    flush();
  });
  // Show a tap at once, and send it once it is stored. If it cannot be shown, submit the form instead.
  function keepTap(tap) {
    waiting.push(tap);
    try {
      draw();
    } catch (error) {
      waiting.pop();
      throw error;
    }
    storing = storing.then(() => box.add(shelf, tap)).catch(() => tell(form.dataset.unstored));
  }
  document.getElementById("refused")?.addEventListener("click", ({ target }) => {
    const again = target.closest("[data-again]");
    if (!again && !target.closest("[data-dismiss]")) return;
    const taps = refused.map(({ tap }) => ({ ...tap, id: box.makeId() }));
    refused = [];
    storing = storing.then(() => box.dismiss(shelf)).catch(() => {});
    if (again) taps.forEach(keepTap);
    draw();
    flush();
  });

  // ---- exchange with the server ----
  async function flush() {
    if (sending || place === null || listToSend().length === 0) return;
    sending = true;
    const before = listToSend().length;
    try {
      await storing;
      const taps = listToSend().slice(0, most);
      let answer = await send(taps);
      if (answer.status === 403 && await renewToken()) answer = await send(taps);
      await takeAnswer(answer, taps);
    } catch { noteServer(false); /* they wait here, and are sent at the next chance */ }
    sending = false;
    const left = listToSend().length;
    if (left && left < before) flush(); else catchUp();
  }
  // Either phone may send a step learned by code; the first one counts, once.
  function listToSend() {
    return putInOrder(listHeard().filter(({ id, side }) => side === null && id.length > HELD_LETTERS));
  }
  function send(taps) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": form.csrfmiddlewaretoken.value };
    const tell = listHeard().length ? `${address}?all=1` : address;
    const sent = taps.map(({ words: _words, ...tap }) => tap);
    return fetch(tell, { method: "POST", headers, body: JSON.stringify({ taps: sent }) });
  }
  async function takeAnswer(answer, taps) {
    noteServer(true);
    if (answer.ok) {
      most = MOST_AT_ONCE;
      await settle(await answer.json());
    } else if ([403, 404].includes(answer.status)) {
      tell(form.dataset.stranger);
    } else if ([400, 413].includes(answer.status) && most > 1) {
      // One tap may block the others, so send them one by one.
      most = 1;
      await takeAnswer(await send(taps.slice(0, 1)), taps.slice(0, 1));
    } else if (answer.status === 400) {
      const { error } = await answer.json();
      await settle({ numbers: {}, refused: { [taps[0].id]: error }, state });
    }
  }
  function noteSent(numbers) {
    const named = waiting.filter((tap) => tap.id in numbers);
    sent = [...sent, ...named.map((tap) => ({ ...describeEffect(tap), number: numbers[tap.id] }))].slice(-MOST_SENT);
  }
  async function settle(answer) {
    const ids = new Set([...Object.keys(answer.numbers), ...Object.keys(answer.refused)]);
    const refusals = waiting.filter((tap) => tap.id in answer.refused)
      .map((tap) => ({ tap, what: answer.words?.[tap.id] ?? "", reason: answer.refused[tap.id] }));
    noteSent(answer.numbers);
    waiting = waiting.filter((tap) => !ids.has(tap.id));
    refused.push(...refusals);
    settled += 1;
    hear(answer.state, Object.keys(answer.numbers).length);
    await adopt(answer.state, [...ids, ...answer.all ?? []], () => box.settle(shelf, ids, refusals, answer.state, heard));
  }
  // Signing in elsewhere replaces the token.
  async function renewToken() {
    const page = await fetchPage();
    const token = page.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (token) form.csrfmiddlewaretoken.value = token;
    return Boolean(token);
  }
  async function fetchPage(from = location.href) {
    const answer = await fetch(from, { headers: { Accept: "text/html" } });
    return readPage(answer);
  }
  async function readPage(answer) { return new DOMParser().parseFromString(await answer.text(), "text/html"); }
  // Boxes, marks, datasheets and the reminders of all phases are a page of their own, which the device keeps.
  async function loadUnits() {
    const from = form.dataset.units;
    const page = await fetchPage(from).catch(async () => readPage(await caches.match(from, { ignoreVary: true })));
    for (const list of $$("[data-reminders]")) list.replaceWith(page.querySelector("[data-reminders]") ?? list);
    for (const row of $$("[data-unit]")) {
      const fresh = page.getElementById(row.id)?.querySelector(".inside");
      if (fresh) row.querySelector(".inside").replaceChildren(...fresh.childNodes);
    }
    draw();
  }
  // Ask for news more often if another device taps too, even the player's own.
  function hear(next, own) {
    shared ||= Boolean(next.joined) || next.last > state.last + own;
  }
  async function adopt(next, ids, store) {
    // What may be done with objectives depends on the step and on all sides' points.
    const hold = () => $$(".hand").length && JSON.stringify([state.step, state.sides.map(({ hand, score, counts }) => {
      return [hand, score.rounds, Object.entries(counts).filter(([key]) => key.startsWith("res:"))];
    })]);
    const readMissions = () => state.sides.map(({ texts }) => texts.mission).join(" ");
    const hand = hold(), ended = state.ended, missions = readMissions();
    if (next.last !== state.last) changedAt = Date.now();
    state = next;
    forgetHeard(ids);
    draw();
    holdLight();
    await store().catch(() => {});
    if (state.ended !== ended || readMissions() !== missions) reload();
    else if (hold() !== hand) refresh();
  }
  // The page loaded anew has its focus where it was, or on the fold that closed over it.
  function reload() {
    sessionStorage.setItem("focus", document.activeElement.value ?? "");
    location.reload();
  }
  function focusAsBefore() {
    const value = sessionStorage.getItem("focus");
    sessionStorage.removeItem("focus");
    const button = value && $$("button").find((one) => one.value === value);
    if (button) [button, button.closest("details")?.querySelector("summary")].find(isUsable)?.focus({ preventScroll: true });
  }
  function tell(reason) {
    if ($$(".wrong").some((line) => line.textContent === reason)) return;
    const line = Object.assign(document.createElement("p"), { className: "wrong", textContent: reason });
    line.setAttribute("role", "alert");
    form.querySelector(".pl-band").after(line);
    setTimeout(() => line.remove(), 10_000);
  }
  async function poll() {
    // The answer under way may miss this change, so ask again.
    if (polling) asksAgain = true;
    if (document.hidden || polling) return;
    if (listToSend().length) { flush(); return; }
    [polling, asksAgain] = [true, false];
    const before = settled;
    try {
      const all = listHeard().length ? "&all=1" : "";
      const known = `since=${state.last}&ended=${state.ended ? 1 : 0}&joined=${Number(shared)}${all}`;
      const answer = await fetch(`${address}?${known}`, { signal: AbortSignal.timeout(PATIENCE) });
      const said = answer.ok ? await answer.json() : {};
      noteServer(true);
      // An answer that was on its way while taps were sent may be older than what the page shows.
      if (before !== settled) asksAgain = true;
      else if (waiting.length) { /* the next answer brings the state */ }
      else if (said.state ?? said.all) {
        const next = said.state ?? state;
        hear(next, 0);
        await adopt(next, said.all ?? [], () => box.copy(shelf, next, heard));
      }
      polling = false;
      if (answer.ok && asksAgain) poll(); else if (answer.ok) catchUp();
    } catch {
      polling = false;
      noteServer(false);
    }
  }
  // A page that is left open without a network says since when.
  function noteServer(answers) {
    if (answers) {
      reachedAt = Date.now();
      document.querySelector("body > .kept")?.remove();
    }
    isAway = !answers;
    drawAway();
  }
  function drawAway() {
    each("[data-away]", (line) => {
      const since = new Date(reachedAt), isToday = since.toDateString() === new Date().toDateString();
      const when = since.toLocaleString(document.documentElement.lang, { ...(isToday ? {} : { dateStyle: "medium" }), timeStyle: "short" });
      line.hidden = !isAway;
      line.textContent = isAway ? line.dataset.words.replace("%when", when) : "";
    });
  }

  // ---- news: a stream says that the game changed, and the page requests the state ----
  function listen() {
    const wanted = shared && place !== null && !state.ended && !document.hidden;
    // A stream older than the server allows has lost its network.
    if (stream && (!wanted || Date.now() - stream.asked > DEAD_AFTER)) hangUp();
    if (stream || !wanted || Date.now() < streamAgainAt) return;
    const source = new EventSource(form.dataset.news);
    stream = { source, asked: Date.now(), heard: false };
    source.onmessage = ({ data }) => {
      // If a proxy buffers the stream, no event comes this soon.
      stream.heard ||= Date.now() - stream.asked < PROMPT;
      news = data;
      catchUp();
    };
    source.onerror = () => {
      const { heard } = stream;
      hangUp();
      if (heard) listen(); else streamAgainAt = Date.now() + STREAM_AGAIN;
    };
  }
  function hangUp() {
    stream.source.close();
    stream = null;
  }
  function catchUp() {
    const [last, ended] = news.split(" ").map(Number);
    if (!sending && !waiting.length && (last > state.last || (last === state.last && Boolean(ended) !== state.ended))) poll();
  }
  // Seconds between requests: few if others play and no stream works.
  function getPace() {
    if (waiting.length) return 4;
    if (stream?.heard || !shared) return 32;
    return Date.now() - changedAt < RECENT ? 1 : 4;
  }
  // The server draws objectives, so load their part of the page from it.
  async function refresh() {
    try {
      const page = await fetchPage(), passFocusOn = holdFocus();
      for (const part of $$("[data-live]")) {
        const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
        if (fresh) part.replaceWith(fresh);
      }
      draw();
      passFocusOn();
    } catch { /* no network: it stays as it is */ }
  }

  // ---- two phones without a server exchange taps by code ----
  // Taps of other sides received by code that the state does not hold yet.
  function listHeard(side = null) {
    return Object.entries(heard).filter(([place]) => side === null || place === side).flatMap(([, { taps, at }]) => {
      return taps.filter(({ number }) => !number || number > state.last).map((tap) => ({ at, ...tap, fromOther: true }));
    });
  }
  // Forget what the state holds: the taps that it names, and others that the server has.
  function forgetHeard(ids) {
    const held = readHeld(state, ids);
    for (const message of Object.values(heard)) message.taps = message.taps.filter((tap) => !holds(held, tap));
  }
  function readHeld({ held = "" }, ids = []) {
    return new Set([...held.split(" "), ...ids.map((id) => id.slice(0, HELD_LETTERS))]);
  }
  function holds(held, { id }) { return held.has(id.slice(0, HELD_LETTERS)); }
  // An undo as the plain tap that it amounts to, for a phone without the undone tap.
  function describeEffect(tap) {
    if (tap.kind !== "undo") return tap;
    const undo = state.undos.find((one) => one.id === tap.key);
    const redo = (state.redos ?? []).find((one) => one.undo === tap.key);
    const effect = undo ?? redo;
    if (!effect) return tap;
    const changes = {
      count: () => ({ amount: -undo.amount, text: "" }), step: () => ({ text: turnBack(undo.text) }),
    };
    const change = undo ? changes[undo.kind]?.() ?? { amount: 0, text: undo.before } : {};
    return { ...effect, ...change, id: tap.id, at: tap.at, isEffect: true };
  }
  function writeMessage() {
    const taps = listStanding([...sent, ...waiting]).map(describeEffect).filter(({ kind }) => kind !== "undo");
    const passedOn = Object.entries(heard).map(([side, { made, points }]) => {
      return { side: Number(side), made, points, ...listShort(listHeard(side)) };
    });
    return {
      game: form.dataset.game, side: place, made: state.last + waiting.length, points: look().sides[place].score.hand ?? null,
      ...listShort(taps),
      // Of three phones, each passes on what it has heard.
      heard: passedOn.filter((message) => message.taps.length),
    };
  }
  // Ages in milliseconds keep the order in which this phone learned of taps, whatever the clocks say.
  function listShort(taps) {
    const now = Date.now();
    return { taps: taps.map(shorten), ages: taps.map(({ at = now }) => now - at) };
  }
  function shorten({ id, kind, side, key, amount = 0, text = "", number = 0, isEffect = false }) {
    // Hands stay secret. Taps that any phone may send carry the whole id, so that they count once.
    const isOpen = ["count", "tick", "set", "step"].includes(kind), isWhole = side === null && !isEffect;
    return [isWhole ? id : id.slice(0, HELD_LETTERS), kind, side, key, amount, isOpen ? text : "", number];
  }
  // Returns the name of the sentence for the page to show.
  async function takeMessage(message) {
    if (message.game !== form.dataset.game) return "foreign";
    if (message.side === place || !state.sides[message.side]) return "own";
    const knows = ({ side }) => heard[side]?.made ?? 0;
    if (message.made < knows(message)) return "older";
    const more = (message.heard ?? []).filter((one) => one.side !== place && state.sides[one.side] && one.made > knows(one));
    const before = heard;
    heard = { ...heard };
    for (const one of [message, ...more]) heard[one.side] = readMessage(one);
    forgetHeard([]);
    try {
      draw();
    } catch (error) {
      heard = before;
      draw();
      console.warn(error);
      return "strange";
    }
    await box.hear(shelf, heard).catch(() => tell(form.dataset.unstored));
    flush();
    return "taken";
  }
  function readMessage({ side, made, points, taps, ages = [] }) {
    // A code may only carry taps of its own side, of all sides, or of a side that nobody plays.
    const isOwn = (tap) => [side, null].includes(tap.side) || !(state.played ?? places).includes(tap.side);
    const now = Date.now(), known = new Map((heard[side]?.taps ?? []).map((tap) => [tap.id, tap.at]));
    const named = taps.map(([id, kind, side, key, amount, text, number], at) => {
      return { id, kind, side, key, amount, text, number, at: known.get(id) ?? now - (ages[at] ?? 0) };
    });
    return { made, points, at: now, taps: named.filter((tap) => tap.side === null || state.sides[tap.side]).filter(isOwn) };
  }

  // ---- keep the screen on during a game ----
  let light = null, asking = false;
  async function holdLight() {
    const wanted = place !== null && !state.ended && !document.hidden;
    if (asking || wanted === Boolean(light && !light.released)) return;
    asking = true;
    try {
      if (wanted) light = await navigator.wakeLock?.request("screen");
      else await light.release();
    } catch { /* a low battery, say: the screen goes dark as ever */ }
    asking = false;
  }

  // ---- export the game: the server's file if it can be reached, otherwise this device's ----
  form.querySelector("[data-export]")?.addEventListener("click", async (event) => {
    event.preventDefault();
    const { href: address, dataset } = event.currentTarget;
    const read = (answer) => (answer.ok ? answer.json() : null);
    const server = await fetch(address, { signal: AbortSignal.timeout(3_000) }).then(read).catch(() => null);
    const device = { saved: new Date().toISOString(), side: place, state, "not sent": waiting, refused, "by code": heard };
    const file = new Blob([JSON.stringify({ ...server, device }, null, 1)], { type: "application/json" });
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: dataset.export }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });

  // ---- show the stored state first, then the network's ----
  async function begin() {
    draw();
    focusAsBefore();
    holdLight();
    if ($$("[data-unit], [data-reminders]").length) loadUnits().catch(() => { /* each unit has a link instead */ });
    try {
      const kept = await box.load(shelf), here = new Set(waiting.map((tap) => tap.id));
      // A cached page may be older than the state this device has stored.
      if (kept.copy?.last > state.last) state = kept.copy;
      refused = kept.refused;
      heard = kept.heard ?? {};
      forgetHeard([]);
      // If an answer was lost, stored taps may already be part of the state.
      const held = readHeld(state), stored = kept.taps.filter((tap) => holds(held, tap));
      waiting = [...kept.taps.filter((tap) => !here.has(tap.id) && !stored.includes(tap)), ...waiting];
      if (stored.length) await box.settle(shelf, new Set(stored.map((tap) => tap.id)), [], state, heard);
      draw();
    } catch { /* a browser that keeps nothing: the page does */ }
    if (waiting.length) flush(); else if ("keptAt" in document.documentElement.dataset || listHeard().length) poll();
    // Cache what a player needs offline and may not have opened yet.
    for (const { href } of $$("[data-keep]")) navigator.serviceWorker?.controller?.postMessage({ keep: href });
    if (place !== null) window.playCodes?.attach({ write: writeMessage, take: takeMessage });
  }
  window.addEventListener("online", () => { streamAgainAt = 0; listen(); poll(); });
  window.addEventListener("offline", () => noteServer(false));
  document.addEventListener("visibilitychange", () => { holdLight(); listen(); poll(); });
  // A browser may report online before the network works, so retry soon.
  let seconds = 0;
  setInterval(() => { seconds += 1; listen(); if (seconds % getPace() === 0) poll(); }, 1_000);
  begin();
})();
