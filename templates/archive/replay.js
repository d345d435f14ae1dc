"use strict";
// Steps through a match. Python has drawn every piece and says what each entry changed (pbem/archive/match/frames.py): this
// knows no rules, and only chooses among what is on the page. What players wrote is never more than text. What it draws
// with is there for explore.js, too.
{
  const byId = (id) => document.getElementById(id);
  const { version } = document.querySelector("main").dataset;
  // What scripts are told: of a long match by a file beside the page, which must be of the same version.
  const read = (id) => (version ? globalThis.pbemTold[version][id] : JSON.parse(byId(id).textContent));
  const { name, players, roles, cells, pieces, over, reel, sentences } = read("replay");
  const frames = unwind(reel);
  const last = frames.length - 1;
  const names = cells.split(" ");
  const board = byId("board");
  const picture = board.querySelector("figure > svg");
  const spots = [...picture.querySelector(".cells").children];
  const seats = [...board.querySelectorAll(".players > li")];
  const fill = (sentence, fields) => sentence.replace(/\{(\w+)\}/g, (_, field) => fields[field] ?? "");
  const spriteOf = (key) => "p-" + key.replaceAll(" ", "-");
  let shown = fold(last); // as Python has drawn the page
  let at = last;
  let timer = 0;
  let named = []; // when the latest addresses were given
  let naming = 0;

  // The entries of the record as readers have it: the seat, null for a roll, and what was played.
  const record = [...byId("record-text").textContent.matchAll(/^ *\d+  (?:lot|seat (\d+)) +(.*)$/gm)].map(
    ([, seat, text]) => ({ seat: seat ? seat - 1 : null, text }),
  );

  // The frames of a reel: pbem/archive/match/reel.py says how they are wound.
  function unwind({ rolls, texts, looks, frames }) {
    const lying = []; // on each cell, but for the mark of the last move
    let marked = [];
    const spell = (told) => {
      const [text, ...numbers] = [told].flat();
      return texts[text]?.replace(/#/g, () => numbers.shift()) ?? text;
    };
    const place = (number) => (number < 0 ? ~number : number);
    const mark = (key, words) => (/^(line|closed|$)/.test(key) ? `${words} ${key}`.trim() : key.replace(/^\S+/, `$& ${words}`));
    return frames.map(([toAct, changes, last, standing, captions, roles]) => {
      const changed = [];
      let look;
      for (const number of changes || []) {
        if (number < 0) look = [looks[~number]].flat();
        else lying[changed.at(changed.push(number) - 1)] = look;
      }
      const before = last ? marked : [];
      if (last) marked = last === 1 ? changed : last;
      const cells = [...new Set([...changed, ...[...before, ...(last ? marked : [])].map(place)])].map((place) => {
        const [key, ...numbers] = lying[place] ?? [""];
        const words = marked.includes(place) ? "last" : "last earlier";
        return [place, words === "last" || marked.includes(~place) ? mark(key, words) : key, ...numbers];
      });
      return {
        cells,
        to_act: toAct < 0 ? rolls[~toAct] : toAct,
        ...(standing && { standing: standing.map(spell) }),
        ...(captions && { captions: captions.map(spell) }),
        ...(roles && { roles }),
      };
    });
  }

  // What there is to see after so many entries: all frames up to there, one laid over the other.
  function fold(ply) {
    const seen = { looks: names.map(() => [""]) };
    for (const { cells = [], ...told } of frames.slice(0, ply + 1)) {
      Object.assign(seen, told);
      for (const [place, ...look] of cells) seen.looks[place] = look;
    }
    return seen;
  }

  // What lies on a cell, in words; nothing for an empty one.
  function describeCell(place, [key, top, north, east, south, west]) {
    const piece = pieces[key.split(" ")[0]];
    const fields = { cell: names[place], piece, top, north, east, south, west };
    return piece ? fill(top === undefined ? sentences.cell : sentences.die, fields) : "";
  }

  function drawCell(place, look) {
    const [key, ...numbers] = look;
    const spot = spots[place];
    const use = spot.localName === "use" ? spot : spot.querySelector("use");
    if (key) use.setAttribute("href", "#" + spriteOf(key));
    else use.removeAttribute("href");
    const texts = [...spot.querySelectorAll("text")];
    texts.forEach((text, number) => (text.textContent = numbers[number] ?? ""));
    if (numbers.length) texts[1].parentNode.setAttribute("fill", byId(spriteOf(key)).dataset.ink);
    spot.querySelector("title")?.remove();
    const words = describeCell(place, look);
    if (words) {
      const title = document.createElementNS(picture.namespaceURI, "title");
      title.textContent = words;
      spot.prepend(title);
    }
  }

  // The picture in words, as pbem.notices.picture_words says it.
  function describeBoard(looks) {
    const where = (chosen) => names.filter((_, place) => chosen(looks[place][0].split(" "))).join(", ");
    const told = [];
    if (spots[0].localName === "g") { // of dice
      told.push(...looks.map((look, place) => describeCell(place, look)).filter(Boolean).map((words) => words + "."));
    } else {
      for (const [key, piece] of Object.entries(pieces)) {
        const found = where(([first]) => first === key);
        const words = fill(found ? sentences.on : sentences.none, { piece, cells: found });
        told.push(words[0].toUpperCase() + words.slice(1));
      }
    }
    for (const mark of ["last", "line", "closed"]) {
      const found = where((words) => words.includes(mark));
      if (found) told.push(fill(sentences[mark], { cells: found }));
    }
    return told.join(" ");
  }

  // What was moved last, where there is no table: in a frame.
  function tellMove(ply) {
    const moves = record.slice(0, ply).filter(({ seat }) => seat !== null);
    const { seat, text } = moves.at(-1) ?? {};
    return text ? fill(sentences.at, { number: moves.length, name: players[seat], move: text }) : "";
  }

  // What happened, as the table has it.
  function tell(ply) {
    const place = byId(String(ply));
    if (!ply) return sentences.opening;
    if (!place) return tellMove(ply);
    const row = place.closest("tr");
    if (place !== row) return place.textContent || row.querySelector("a[id], .roll")?.textContent || "";
    const link = row.querySelector(`a[href="#${ply}"]`);
    const [number, who] = [...row.cells].map((cell) => cell.textContent);
    return fill(number ? sentences.at : sentences.alone, { number, name: who, move: link.textContent });
  }

  // Comments stand in rows below the move that they belong to.
  function commentsAt(ply) {
    const found = [];
    const row = byId(String(ply));
    let next = row?.localName === "tr" ? row.nextElementSibling : null;
    if (!ply) next = document.querySelector(".moves tbody tr:first-child");
    for (; next && !next.id && !next.querySelector("[id]"); next = next.nextElementSibling) {
      if (next.className === "said") found.push(next.querySelector("figure").cloneNode(true));
    }
    return found;
  }

  function paragraphs(place, sentences, strong) {
    const made = sentences.map((sentence) => {
      const paragraph = document.createElement("p");
      const inner = strong ? paragraph.appendChild(document.createElement("strong")) : paragraph;
      inner.textContent = sentence;
      return paragraph;
    });
    byId(place).replaceChildren(...made);
  }

  function showSeats(seen) {
    seats.forEach((seat, number) => {
      const [look, role, spoken] = roles[seen.roles[number]] ?? [];
      const icon = seat.querySelector("i");
      icon.className = look ?? "";
      icon.hidden = !look;
      if (spoken) icon.setAttribute("aria-label", spoken);
      seat.querySelector("span").textContent = role ? `, ${role}` : seen.to_act === null ? "" : ` ${sentences.no_role}`;
      if (seen.to_act === number) seat.setAttribute("aria-current", "true");
      else seat.removeAttribute("aria-current");
    });
    const who = players[seen.to_act];
    byId("turn").textContent = seen.turn ?? (who ? fill(sentences.to_move, { name: who }) : seen.to_act === null ? over : sentences.to_roll);
  }

  // Marks the row, the roll and the small board of a position.
  function markPlace(ply) {
    for (const old of document.querySelectorAll(".moves [aria-current], .strip [aria-current]")) old.removeAttribute("aria-current");
    const place = byId(String(ply));
    const row = place?.closest("tr");
    row?.setAttribute("aria-current", "step");
    if (place && place !== row) place.setAttribute("aria-current", "step");
    document.querySelector(`.strip a[href="#${ply}"]`)?.setAttribute("aria-current", "step");
  }

  // Draws a position: as `fold` returns it, perhaps with a `turn` to say instead of whose it is.
  function draw(seen) {
    seen.looks.forEach((look, place) => {
      if (look.join() !== shown.looks[place].join()) drawCell(place, look);
    });
    picture.querySelector("desc").textContent = describeBoard(seen.looks);
    paragraphs("standing", seen.standing, true);
    paragraphs("captions", seen.captions, false);
    showSeats(seen);
    shown = seen;
  }

  function show(ply) {
    board.dispatchEvent(new Event("position")); // whatever else was shown is left
    draw(fold(ply));
    at = ply;
    byId("told").textContent = tell(ply);
    byId("remarks").replaceChildren(...commentsAt(ply));
    if (!last) return;
    byId("slider").value = ply;
    byId("slider").setAttribute("aria-valuetext", tell(ply));
    for (const button of board.querySelectorAll("[data-go]")) {
      const idle = { first: ply === 0, back: ply === 0, on: ply === last, last: ply === last }[button.dataset.go];
      button.setAttribute("aria-disabled", String(Boolean(idle))); // a disabled button would lose the focus
    }
    markPlace(ply);
  }

  const isTrying = () => board.hasAttribute("data-trying");

  // Gives what is shown its address. Browsers let a page do so about a hundred times in thirty seconds: the first ones are
  // given at once, but while a reader holds a key or draws the slider the next one waits until they pause.
  function setAddress(address) {
    clearTimeout(naming);
    named = named.filter((time) => Date.now() - time < 30000);
    const give = () => {
      named.push(Date.now());
      history.replaceState(null, "", address);
    };
    if (named.length < 40) give();
    else naming = setTimeout(give, 500);
  }

  // Shows a position that a reader chose, and gives it its address, so that it can be linked to.
  function go(ply, { remember = false } = {}) {
    const chosen = Math.max(0, Math.min(last, ply));
    if (chosen === at && !remember && !isTrying()) return;
    show(chosen);
    if (isWide()) byId(String(chosen))?.closest("tr").scrollIntoView({ block: "nearest" });
    if (!remember) return setAddress(`#${chosen}`);
    clearTimeout(naming);
    history.pushState(null, "", `#${chosen}`);
  }

  function play(on, step = () => go(at + 1)) {
    clearInterval(timer);
    timer = 0;
    board.toggleAttribute("data-playing", on);
    if (!last) return;
    byId("told").setAttribute("aria-live", on ? "off" : "polite"); // a move a second is too much to listen to
    const button = board.querySelector('[data-go="play"]');
    button.setAttribute("aria-label", on ? sentences.pause : sentences.play);
    button.title = on ? sentences.pause : sentences.play;
    if (!on) return;
    if (at === last) go(0);
    timer = setInterval(() => {
      step();
      if (at === last) play(false);
    }, 1000);
  }

  // Shows the last moves once, without giving them addresses: who opens a page sees at once that it is a film.
  function playEnd() {
    if (at !== last || isTrying()) return;
    const moves = record.map(({ seat }, ply) => (seat === null ? -1 : ply)).filter((ply) => ply >= 0);
    show(moves.at(-5) ?? 0);
    play(true, () => show(at + 1));
  }

  const steps = {
    first: () => go(0), back: () => go(at - 1), on: () => go(at + 1), last: () => go(last),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play" };

  function act(what) {
    if (what === "play") return play(!timer);
    play(false);
    steps[what]();
  }

  // The position that the address names, if any.
  function addressed() {
    const found = /^#(\d{1,6})$/.exec(location.hash);
    return found && Number(found[1]) <= last ? Number(found[1]) : null;
  }

  function follow() {
    const ply = addressed();
    if (ply === null) return;
    play(false);
    show(ply);
    showBoard();
  }

  // On a wide screen the board stays in sight beside the table, which can scroll to the row. On a phone it stands above:
  // who chose a move in the table wants to see the board.
  const isWide = () => matchMedia("(min-width: 60rem)").matches;

  function showBoard() {
    if (!isWide()) board.scrollIntoView();
  }

  function listen() {
    board.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) act(button.dataset.go);
    });
    byId("slider").addEventListener("input", (event) => {
      play(false);
      go(Number(event.target.value));
    });
    document.addEventListener("keydown", (event) => {
      const what = keys[event.key];
      const own = { range: ["first", "back", "on", "last"], button: ["play"], summary: ["play"], pre: Object.values(keys), text: Object.values(keys) };
      const place = event.target.closest?.("input, button, summary, pre");
      const taken = place && (own[place.type] ?? own[place.localName] ?? []);
      if (!what || taken?.includes(what) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      act(what);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#"]');
      const row = event.target.closest(".moves tr[id]");
      if (event.target.closest("summary") || (!link && (!row || String(getSelection())))) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      play(false);
      go(Number(link ? link.hash.slice(1) : row.id), { remember: true });
      showBoard();
    });
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    // A sheet of paper shows the end, whatever the screen shows.
    let before = last;
    addEventListener("beforeprint", () => { play(false); before = at; show(last); });
    addEventListener("afterprint", () => show(before));
    listenToSwipes();
  }

  function listenToSwipes() {
    let start = null;
    picture.addEventListener("touchstart", ({ touches }) => (start = touches.length === 1 ? touches[0] : null), { passive: true });
    picture.addEventListener("touchend", ({ changedTouches: [end] }) => {
      const [right, down] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
      if (Math.abs(right) > 40 && Math.abs(right) > 2 * Math.abs(down) && !isTrying()) act(right < 0 ? "on" : "back");
      start = null;
    });
  }

  async function copyRecord() {
    const text = byId("record-text");
    text.closest("details").open = true;
    getSelection().selectAllChildren(text);
    try {
      await navigator.clipboard.writeText(text.textContent);
      byId("copied").textContent = sentences.copied;
    } catch {
      byId("copied").textContent = sentences.to_copy; // a page without TLS may not write to the clipboard
    }
  }

  function savePicture() {
    const copy = picture.cloneNode(true);
    copy.querySelector(".grid")?.remove(); // while moves are tried
    copy.querySelector(".cells").removeAttribute("aria-hidden");
    copy.setAttribute("role", "img");
    const text = new XMLSerializer().serializeToString(copy);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${name}-${at}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  globalThis.pbemReplay = {
    board, picture, spots, names, pieces, players, last, record, read,
    at: () => at, stop: () => play(false), setAddress, fill, draw, show, describeCell, showBoard,
  };
  for (const kind of ["popstate", "hashchange"]) addEventListener(kind, () => clearTimeout(naming));
  if (byId("tools")) {
    byId("tools").hidden = false;
    byId("copy").addEventListener("click", copyRecord);
    byId("save").addEventListener("click", savePicture);
  }
  byId("telling").hidden = false;
  if (last > 0) {
    byId("steps").hidden = false;
    listen();
  }
  show(addressed() ?? last);
  if (addressed() !== null) addEventListener("load", showBoard);
  else if (last > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) addEventListener("load", playEnd);
}
