// What a device stores of its games and lists: unconfirmed taps and steps, refused ones, the last state of each, and what
// other phones sent by code. It is a queue and a cache; everything that the server has is there too. A new version of the
// database adds a step below. No step deletes or clears a store.
"use strict";

window.playBox = (() => {
  const STEPS = [
    (db) => db.createObjectStore("taps", { autoIncrement: true }).createIndex("game", "game"),
    (db) => {
      db.createObjectStore("refused", { autoIncrement: true }).createIndex("game", "game");
      db.createObjectStore("copies");
    },
    (db) => db.createObjectStore("heard"),
  ];
  let opening = null;

  function open(version) {
    return new Promise((done, fail) => {
      const request = indexedDB.open("play", version);
      request.onupgradeneeded = ({ oldVersion }) => STEPS.slice(oldVersion).forEach((step) => step(request.result));
      request.onsuccess = () => {
        const db = request.result;
        // A browser that runs out of space may clear storage unless asked to keep it.
        navigator.storage?.persist?.().catch(() => {});
        // A page of a newer version is waiting to upgrade.
        db.onversionchange = () => { db.close(); opening = null; };
        db.onclose = () => { opening = null; };
        done(db);
      };
      request.onerror = () => fail(request.error);
    });
  }
  // After the server went back to this version, a newer database may remain. It has all of this version's stores.
  const isNewer = (error) => { if (error.name !== "VersionError") throw error; };
  function reach() {
    opening ??= open(STEPS.length).catch((error) => isNewer(error) ?? open());
    return opening.catch((error) => { opening = null; throw error; });
  }
  async function change(names, act, mode = "readwrite") {
    const db = await reach();
    return new Promise((done, fail) => {
      const transaction = db.transaction(names, mode, { durability: "strict" });
      const results = act(...names.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => done(results?.map((request) => request.result));
      transaction.onabort = transaction.onerror = () => fail(transaction.error);
    });
  }
  function drop(store, game, wanted) {
    store.index("game").openCursor(game).onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      if (wanted(cursor.value)) cursor.delete();
      cursor.continue();
    };
  }
  // Browsers have randomUUID only on https pages.
  function makeId() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  }
  return {
    makeId,
    async load(game) {
      const read = (taps, refused, copies, heard) => [
        taps.index("game").getAll(game), refused.index("game").getAll(game), copies.get(game), heard.get(game),
      ];
      const [taps, refused, copy, heard] = await change(["taps", "refused", "copies", "heard"], read, "readonly");
      return { taps: taps.map((row) => row.tap), refused, copy, heard };
    },
    add: (game, tap, state) => change(["taps", "copies"], (taps, copies) => {
      taps.add({ game, tap });
      if (state) copies.put(state, game);
    }),
    // A state and what it holds change together, so that nothing counts twice if the page closes meanwhile.
    settle: (game, ids, refusals, state, sides) => change(["taps", "refused", "copies", "heard"], (taps, refused, copies, heard) => {
      drop(taps, game, (row) => ids.has(row.tap.id));
      for (const refusal of refusals) refused.add({ game, ...refusal });
      copies.put(state, game);
      if (sides) heard.put(sides, game);
    }),
    copy: (game, state, sides) => change(["copies", "heard"], (copies, heard) => {
      copies.put(state, game);
      if (sides) heard.put(sides, game);
    }),
    hear: (game, sides) => change(["heard"], (heard) => { heard.put(sides, game); }),
    dismiss: (game) => change(["refused"], (refused) => drop(refused, game, () => true)),
  };
})();
