// Lets two phones exchange taps without a server: as QR codes for the other's camera, or as text. Both hold the same
// message; see docs/adr/0066-near-and-far.md.
"use strict";

window.playCodes = (() => {
  // Characters per code, few enough for a camera; then the most codes, taps, bytes, characters and other sides
  // accepted.
  const PART = 400, MOST_PARTS = 60, MOST_TAPS = 600, MOST_BYTES = 400_000, MOST_LETTERS = 700, MOST_HEARD = 3;
  // Milliseconds per code shown in turn, and between looks at the camera.
  const NEXT_CODE = 900, NEXT_LOOK = 150;
  const FORM = /^AB1\.([pz])\.([0-9a-f]{8})\.(\d{1,2})\.(\d{1,2})\.([\w-]+)$/;
  const KINDS = ["count", "tick", "set", "step", "hand", "shuffle", "draw", "discard", "return"];

  // ---- messages to texts of codes, and back ----
  // A hash tells the parts of different messages apart, and detects damage.
  function hash(text) {
    let sum = 0x811c9dc5;
    for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193);
    return (sum >>> 0).toString(16).padStart(8, "0");
  }
  async function pass(bytes, stream) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), pieces = [];
    let size = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      size += piece.value.length;
      if (size > MOST_BYTES) throw new RangeError("too long");
      pieces.push(piece.value);
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }
  async function write(message) {
    const plain = new TextEncoder().encode(JSON.stringify(message)), packs = "CompressionStream" in window;
    const bytes = packs ? await pass(plain, new CompressionStream("deflate-raw")) : plain;
    const letters = btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(""));
    const text = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const parts = text.match(new RegExp(`.{1,${PART}}`, "g"));
    return parts.map((part, at) => `AB1.${packs ? "z" : "p"}.${hash(text)}.${at + 1}.${parts.length}.${part}`);
  }
  // Add the codes in a text to the collected ones; codes of another message start a new collection.
  function collect(parts, text) {
    let collected = parts;
    for (const word of text.trim().split(/\s+/)) {
      const [, way, sum, at, of, letters] = FORM.exec(word) ?? [];
      const number = Number(at), most = Number(of);
      if (!sum || number < 1 || number > most || most > MOST_PARTS) return null;
      if (collected?.sum !== sum || collected.of !== most) collected = { way, sum, of: most, letters: [] };
      collected.letters[number - 1] = letters;
      collected.count = collected.letters.filter(Boolean).length;
    }
    return collected;
  }
  // Return the message of a complete set of codes, null if it is damaged.
  async function read({ way, sum, letters }) {
    const text = letters.join("");
    if (hash(text) !== sum) return null;
    try {
      const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
      const plain = way === "z" ? await pass(bytes, new DecompressionStream("deflate-raw")) : bytes;
      const message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
      return isMessage(message) ? message : null;
    } catch { return null; /* no message of ours */ }
  }
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  // A message also has what its phone heard of other sides; those of an earlier version have not.
  function isMessage({ game, heard = [], ...own }) {
    return typeof game === "string" && Array.isArray(heard) && heard.length <= MOST_HEARD && [own, ...heard].every(isOfSide);
  }
  function isOfSide({ side, made, points, taps, ages = [] }) {
    const isPoints = points === null || (typeof points === "object" && Object.values(points).every(Number.isInteger));
    return isCount(side) && isCount(made) && isPoints && Array.isArray(taps) && taps.length <= MOST_TAPS && taps.every(isTap)
      && Array.isArray(ages) && ages.every(Number.isInteger);
  }
  function isTap(tap) {
    if (!Array.isArray(tap) || tap.length !== 7) return false;
    const [id, kind, side, key, amount, text, number] = tap;
    const isText = [id, key, text].every((one) => typeof one === "string" && one.length <= MOST_LETTERS);
    return isText && /^[0-9a-f-]{8,36}$/.test(id) && KINDS.includes(kind) && (side === null || isCount(side))
      && Number.isInteger(amount) && isCount(number);
  }

  // ---- the dialog: codes to show, a camera and a field to read with ----
  function attach(table) {
    const dialog = document.getElementById("codes"), $ = (selector) => dialog.querySelector(selector);
    const opener = document.querySelector("[data-codes]");
    if (!dialog || !opener) return;
    let texts = [], shown = 0, collected = null, camera = null, timer = 0, drawing = Promise.resolve();
    const say = (word, values = {}) => {
      $("[role=status]").textContent = Object.entries(values).reduce((text, [name, value]) => {
        return text.replace(`%${name}`, value);
      }, dialog.dataset[word] ?? "");
    };
    const loadLibrary = () => window.qr ?? new Promise((done, fail) => {
      const script = Object.assign(document.createElement("script"), { src: dialog.dataset.library, onload: () => done(window.qr) });
      script.onerror = fail;
      document.head.append(script);
    });
    async function showCode() {
      const { encodeQR } = await loadLibrary(), code = encodeQR(texts[shown], "svg", { ecc: "low", border: 3 });
      const drawn = new DOMParser().parseFromString(code, "image/svg+xml").documentElement;
      $("[data-code]").replaceChildren(drawn);
      $("[data-which]").textContent = dialog.dataset.which.replace("%n", shown + 1).replace("%of", texts.length);
      $("[data-more]").hidden = texts.length < 2;
    }
    function goOn() {
      shown = (shown + 1) % texts.length;
      showCode();
    }
    async function refresh() {
      texts = await write(table.write());
      shown = 0;
      $("[data-text]").value = texts.join("\n");
      await showCode();
    }
    async function take(text) {
      const next = collect(collected, text);
      if (!next) { say("strange"); return false; }
      collected = next;
      if (collected.count < collected.of) {
        say("partly", { n: collected.count, of: collected.of });
        return false;
      }
      const message = await read(collected);
      collected = null;
      const said = message ? await table.take(message) : "strange";
      say(said, { n: message?.taps.length });
      if (said !== "taken") return false;
      drawing = drawing.then(refresh);
      return true;
    }
    async function readCamera() {
      const video = $("video");
      try {
        camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      } catch {
        say("blind");
        return;
      }
      video.srcObject = camera;
      video.hidden = false;
      await video.play();
      say("looking");
      const look = await chooseReader(video);
      while (camera) {
        const text = await look().catch(() => "");
        if (text && await take(text)) break;
        await new Promise((done) => { setTimeout(done, NEXT_LOOK); });
      }
      stopCamera();
    }
    async function chooseReader(video) {
      const formats = await window.BarcodeDetector?.getSupportedFormats?.().catch(() => []) ?? [];
      if (formats.includes("qr_code")) {
        const detector = new BarcodeDetector({ formats: ["qr_code"] });
        return async () => (await detector.detect(video))[0]?.rawValue ?? "";
      }
      const { decodeQR } = await loadLibrary(), canvas = document.createElement("canvas");
      const context = canvas.getContext("2d", { willReadFrequently: true });
      return async () => {
        const scale = Math.min(1, 800 / Math.max(video.videoWidth, video.videoHeight, 1));
        Object.assign(canvas, { width: video.videoWidth * scale, height: video.videoHeight * scale });
        context.drawImage(video, 0, 0, canvas.width, canvas.height);
        return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
      };
    }
    function stopCamera() {
      for (const track of camera?.getTracks() ?? []) track.stop();
      camera = null;
      $("video").hidden = true;
    }
    opener.addEventListener("click", async () => {
      $("[data-code]").replaceChildren(); // the one of before lacks the taps since
      $("[data-text]").value = "";
      dialog.showModal();
      say("hint");
      try { await refresh(); } catch { say("unseen"); }
      const stills = matchMedia("(prefers-reduced-motion: reduce)").matches;
      timer = setInterval(() => { if (texts.length > 1 && !stills) goOn(); }, NEXT_CODE);
    });
    dialog.addEventListener("close", () => { clearInterval(timer); stopCamera(); });
    dialog.addEventListener("click", ({ target }) => {
      const does = target.closest("[data-does]")?.dataset.does;
      if (does === "next") goOn();
      else if (does === "camera") readCamera();
      else if (does === "paste") take($("[data-paste]").value);
      else if (does === "close") dialog.close();
    });
  }
  return { write, collect, read, attach };
})();
