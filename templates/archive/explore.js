"use strict";
// Tries moves out from any position of a match. A twin (twins/) knows the rules, replay.js draws. What was tried stands
// in the address, behind the position it began at: "#12:d4,e5", and "#12:d4+e5" where one move names two cells.
{
  const byId = (id) => document.getElementById(id);
  const replay = globalThis.pbemReplay;
  const { board, picture, names, pieces, players, record, fill } = replay;
  // `named`: names stand in the cells of the board; `host` are the two parts of an address, or null.
  const { key, seats, options, named, host, subject, sentences, refusals } = replay.read("tries");
  const rules = globalThis.pbemRules[key];
  const grid = globalThis.pbemGrid(replay, sentences, named);
  const told = byId("told");
  const NEAR = 24; // so many numbers of a roll have a button each
  const MOST = 500; // entries of an address are played
  const Refused = globalThis.pbemRefused;
  const positions = [rules.begin(seats, options)]; // those of the match, as far as they were asked for
  let tried = null; // while moves are tried: from which ply, the entries, the positions, and what is typed so far

  const now = () => tried.states.at(-1);
  const typed = () => tried.typed.at(-1);
  const quote = (text) => `“${text.length > 40 ? text.slice(0, 40) + "…" : text}”`;
  const together = (some) => some.length < 2 ? some.join() : fill(sentences.and, { first: some.slice(0, -1).join(", "), last: some.at(-1) });

  function positionAt(ply) {
    while (positions.length <= ply) {
      positions.push(rules.play(positions.at(-1), record[positions.length - 1]));
    }
    return positions[ply];
  }

  // Plays a move, or a roll, behind what was tried; throws Refused. Nobody leaves a match to see what becomes of it: an
  // address that others made up must not end in an email that gives the match up.
  function advance(text) {
    if (["resign", "timeout"].includes(text)) throw new Refused("not_a_move");
    const awaited = rules.toAct(now());
    const seat = typeof awaited === "number" ? awaited : awaited === null ? 0 : null;
    const state = rules.play(now(), { seat, text });
    tried.entries.push({ seat, text, what: awaited?.what });
    tried.states.push(state);
    tried.typed = [""];
  }

  const reasonOf = ({ code }) => refusals[code] ?? code;

  // Says why something cannot be played, and under which code the rules refuse it.
  function say(sentence, code = "") {
    told.textContent = sentence.replace(/`([^`]+)`/g, "“$1”");
    told.dataset.code = code;
  }

  // Does something that the rules may refuse, and shows what came of it.
  function attempt(doing, announce = tellLatest) {
    try {
      doing();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(reasonOf(error), error.code);
      return false;
    }
    render();
    say(announce());
    return true;
  }

  const tellNext = () => {
    const awaited = rules.toAct(now());
    if (awaited === null) return tellOutcome();
    return typeof awaited === "number"
      ? fill(sentences.to_move, { name: players[awaited] }) + "."
      : fill(sentences.roll, { what: awaited.what });
  };

  function tellOutcome() {
    const { winners } = rules.outcome(now());
    const won = winners.length && winners.length < seats ? sentences.won : sentences.shared;
    return fill(won, { names: together(winners.map((seat) => players[seat])) }) + ".";
  }

  // What has come to lie on other cells than those that a move names: captures, takeovers, what falls with a chain.
  function tellChanges(before, after, text) {
    const pieceOn = (cells, name) => (cells[name]?.key ?? cells[name] ?? "").split(" ")[0];
    const named = text.split(" ");
    const found = names.filter((name) => !named.includes(name) && known(pieceOn(before, name)) !== known(pieceOn(after, name)));
    return [...new Set(found.map((name) => known(pieceOn(after, name))))].map((piece) => {
      const cells = found.filter((name) => known(pieceOn(after, name)) === piece).join(", ");
      return fill(piece ? sentences.now : sentences.emptied, { piece: pieces[piece], cells });
    });
  }

  const known = (piece) => (piece in pieces ? piece : ""); // a mark on an empty cell is no piece

  function tellLatest() {
    const { seat, text, what } = tried.entries.at(-1);
    const [before, after] = tried.states.slice(-2).map((state) => rules.cells(state));
    const move = seat === null ? fill(sentences.rolled, { what, move: text }) : fill(sentences.tried, { name: players[seat], move: text });
    return [move[0].toUpperCase() + move.slice(1), ...tellChanges(before, after, text), tellNext()].join(" ");
  }

  // How things stand, as far as the board does not show it.
  function tellStanding() {
    const { score, stores, hand, largest, again, twice, glass, free, rolled, allowance, battle } = rules.standing(now());
    const dice = (store) => (store.length ? store.join(", ") : sentences.nothing);
    const shares = glass && Object.entries(glass).map(([role, count]) => `${role} ${count}`).join(", ");
    return [
      score && fill(sentences.score, score),
      stores && fill(sentences.stores, { light: dice(stores.light), dark: dice(stores.dark) }),
      hand && fill(sentences.hand, { hand }),
      largest && fill(sentences.largest, { white: largest[0], black: largest[1] }),
      again && sentences.again,
      twice && sentences.twice,
      shares && fill(sentences.glass, { shares, free }),
      rolled && fill(sentences.allowance, { rolled, allowance }),
      battle && fill(sentences.battle, battle),
    ].filter(Boolean);
  }

  // What may come next, words that lead to nothing but further words taken together.
  function wordsNext() {
    return choices().words.flatMap((word) => {
      const longer = [typed(), word].filter(Boolean).join(" ");
      const { cells, words, complete } = rules.choices(now(), longer);
      return complete || cells.length ? [word] : words.map((next) => `${word} ${next}`);
    });
  }

  const choices = () => rules.choices(now(), typed());

  // Goes on with the move that is being made; it is played where nothing can follow.
  function extend(next, joint = " ") {
    const longer = typed() ? typed() + joint + next : next;
    const { cells, words, complete } = rules.choices(now(), longer);
    if (!cells.length && !words.length) return attempt(() => advance(longer)); // refused, if it is no move
    tried.typed.push(longer);
    render();
    say(fill(sentences.chosen, { move: longer }) + (complete ? "" : ` ${sentences.more}`));
    return true;
  }

  function press(place) {
    const { cells, joint } = choices();
    if (cells.includes(names[place])) return extend(names[place], joint);
    if (typed().split(/[ x]/).at(-1) === names[place]) return undo();
    if (typeof rules.toAct(now()) !== "number") return say(tellNext());
    return attempt(() => advance(typed() ? typed() + (joint ?? " ") + names[place] : names[place]));
  }

  function undo() {
    if (tried.typed.length > 1) {
      const gone = tried.typed.pop();
      render();
      return say(typed() ? fill(sentences.chosen, { move: typed() }) : fill(sentences.back, { move: gone }));
    }
    if (!tried.entries.length) return say(sentences.nothing_back);
    const { text } = tried.entries.pop();
    tried.states.pop();
    render();
    return say(`${fill(sentences.back, { move: text })} ${tellNext()}`);
  }

  // What a reader typed, as in an email: moves parted by commas, perhaps behind "try", or "try 12:" to begin elsewhere.
  function read(text) {
    const [, from, moves] = /^\s*(?:try\b:?)?\s*(?:([0-9]{1,6})\s*:)?(.*)$/is.exec(text);
    return [from, moves.toLowerCase().split(/[,;]/).map((part) => part.trim().replace(/\s+/g, " ")).filter(Boolean)];
  }

  function roll() {
    const { faces } = rules.toAct(now());
    attempt(() => advance(String(1 + Math.floor(Math.random() * faces))));
  }

  function button(text, doing) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", () => {
      doing();
      if (!made.isConnected) byId("following").querySelector("button")?.focus(); // whoever uses keys stays near
      if (!made.isConnected && document.activeElement === document.body) byId("typed").focus({ preventScroll: true });
    });
    return made;
  }

  function showNext() {
    const awaited = rules.toAct(now());
    const made = [];
    if (awaited?.faces) {
      const count = awaited.faces <= NEAR ? awaited.faces : 0;
      for (let value = 1; value <= count; value++) made.push(button(String(value), () => attempt(() => advance(String(value)))));
      made.push(button(sentences.random, roll));
    } else if (awaited !== null) {
      if (choices().complete) made.push(button(fill(sentences.play, { move: typed() }), () => attempt(() => advance(typed()))));
      for (const word of wordsNext()) {
        const [, number] = /^n([0-9]+)$/.exec(word) ?? [];
        made.push(button(number ? fill(sentences.north, { word, number }) : word, () => extend(word)));
      }
    }
    byId("following").replaceChildren(...made);
    byId("following").hidden = !made.length;
    byId("possible").replaceChildren(...suggestions().map((value) => Object.assign(document.createElement("option"), { value })));
  }

  const suggestions = () => {
    const { cells, words, joint } = choices();
    const behind = (next, between) => (typed() ? typed() + between + next : next);
    return [...cells.map((cell) => behind(cell, joint ?? " ")), ...words.map((word) => behind(word, " "))];
  };

  // The one to act at the end of a match that goes on can send the first move that they tried.
  function showMail() {
    const [first] = tried.entries;
    const place = byId("send");
    place.hidden = !host || tried.from !== record.length || !first || first.seat === null;
    if (place.hidden) return;
    const link = document.createElement("a");
    link.href = `mailto:${encodeURIComponent(host[0])}@${host[1]}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(first.text)}`;
    link.textContent = fill(sentences.mail, { move: first.text });
    const [before, after] = sentences.send.split("{link}").map((part) => fill(part, { name: players[first.seat] }));
    place.replaceChildren(before, link, after);
  }

  const lookOf = (what) => (what?.die ? [what.key, ...what.die] : [what?.key ?? what ?? ""]);

  function render() {
    const state = now();
    const cells = rules.cells(state);
    const looks = names.map((name) => lookOf(cells[name]));
    const awaited = rules.toAct(state);
    replay.draw({
      looks,
      standing: awaited === null ? [tellOutcome()] : [],
      captions: tellStanding(),
      roles: rules.standing(state).roles,
      to_act: typeof awaited === "number" ? awaited : null,
      turn: typeof awaited === "number" ? undefined : tellNext(),
    });
    grid.show(looks, choices().cells, typed().split(/[ x]/));
    showNext();
    showMail();
    const moves = tried.entries.map(({ text, what }) => (what ? `${what} ${text}` : text)).join(", ");
    const begun = awaited === null ? "over" : choices().cells.length ? "begun" : "begun_by_button";
    byId("line").textContent = fill(sentences[moves ? "line" : begun], { moves });
    byId("undo").setAttribute("aria-disabled", String(!tried.entries.length && tried.typed.length < 2));
    byId("tried").hidden = true;
    byId("tried-copied").textContent = "";
    byId("remarks").replaceChildren();
    replay.setAddress(address());
  }

  const addressOf = (from, texts) =>
    `#${from}${texts.map((text, number) => (number ? "," : ":") + encodeURIComponent(text).replaceAll("%20", "+")).join("")}`;

  const address = () => addressOf(tried.from, tried.entries.map(({ text }) => text));

  function start(from) {
    if (tried) clear();
    tried = { from, entries: [], states: [positionAt(from)], typed: [""] };
    board.setAttribute("data-trying", "");
    grid.lay(choices().cells[0]);
    byId("begin").hidden = true;
    byId("trying").hidden = false;
  }

  function begin() {
    replay.stop();
    const from = replay.at();
    if (rules.toAct(positionAt(from)) === null) {
      say(sentences.over, "match_over");
      return false;
    }
    start(from);
    render();
    say(fill(sentences.from, { ply: from, next: tellNext() }));
    return true;
  }

  // Ends the trying; the board is left to whoever draws next.
  function clear() {
    tried = null;
    grid.remove();
    board.removeAttribute("data-trying");
    byId("begin").hidden = false;
    byId("trying").hidden = true;
  }

  function leave() {
    const { from } = tried;
    replay.show(from);
    replay.setAddress(`#${from}`);
    byId("begin").focus({ preventScroll: true });
  }

  // The line that the address names is shown; of one that is no line as much as there is.
  function follow() {
    const text = location.hash.slice(1);
    if (!text.includes(":")) {
      if (/^[0-9]+$/.test(text) && Number(text) > record.length) say(fill(sentences.unknown, { text: quote(text) }));
      return;
    }
    replay.stop();
    const [, ply, rest] = /^([0-9]{1,6}):(.*)$/s.exec(text) ?? [];
    if (ply === undefined || Number(ply) > record.length) {
      replay.show(record.length);
      say(fill(sentences.unknown, { text: quote(ply ?? text) }));
      return;
    }
    replay.show(Number(ply));
    start(Number(ply));
    const wrong = playAll(rest);
    render();
    const last = tried.entries.length ? tellLatest() : fill(sentences.from, { ply, next: tellNext() });
    if (wrong) say(fill(sentences.impossible, { text: quote(wrong.text), reason: reasonOf(wrong) }), wrong.code);
    else say(last);
    replay.showBoard();
  }

  // Plays what an address has behind its colon; returns what cannot be played, and under which code.
  function playAll(rest) {
    for (const part of rest.split(",", MOST).filter(Boolean)) {
      let text = part;
      try {
        text = decodeURIComponent(part.replaceAll("+", " ")).toLowerCase();
        advance(text);
      } catch (error) {
        if (!(error instanceof Refused) && !(error instanceof URIError)) throw error;
        return { text, code: error.code ?? "not_a_move" };
      }
    }
    return null;
  }

  // Copies a text, and shows it, selected: a page without TLS may not write to the clipboard.
  async function copy(text) {
    byId("tried").hidden = false;
    byId("tried").textContent = text;
    getSelection().selectAllChildren(byId("tried"));
    try {
      await navigator.clipboard.writeText(text);
      byId("tried-copied").textContent = sentences.copied;
    } catch {
      byId("tried-copied").textContent = sentences.to_copy;
    }
  }

  function line() {
    const moves = tried.entries.map(({ text }) => text).join(", ");
    return tried.from === record.length ? `try ${moves}` : `try ${tried.from}: ${moves}`;
  }

  function onKey(event) {
    if (!tried || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const cell = event.target.closest("[role=gridcell]");
    const isText = event.target.matches("input[type=text]");
    if (event.key === "Escape") leave();
    else if (event.key === "Backspace" && !isText) undo();
    else if (cell && (event.key === "Enter" || event.key === " ")) press(Number(cell.dataset.place));
    else if (cell && /^(Arrow|Home$|End$)/.test(event.key)) grid.step(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the same keys step through the match
  }

  // A legal cell of the position that is shown can be pressed at once.
  function onPress(event) {
    const place = grid.placeUnder(event);
    if (place < 0) return;
    if (!tried) {
      const state = positionAt(replay.at());
      if (!rules.choices(state, "").cells.includes(names[place]) || !begin()) return;
    }
    grid.focus(place);
    press(place);
  }

  byId("begin").addEventListener("click", () => begin() && grid.focus());
  byId("undo").addEventListener("click", undo);
  byId("leave").addEventListener("click", leave);
  byId("copy-address").addEventListener("click", () => copy(new URL(address(), location.href).href));
  byId("copy-line").addEventListener("click", () => (tried.entries.length ? copy(line()) : say(sentences.nothing_back)));
  byId("typing").addEventListener("submit", (event) => {
    event.preventDefault();
    const [from, texts] = read(byId("typed").value);
    if (!texts.length) return;
    const before = { ...tried, entries: [...tried.entries], states: [...tried.states] };
    if (from) location.hash = addressOf(from, texts); // which is followed
    else if (!attempt(() => texts.forEach(advance))) return (tried = before); // all of it, or nothing
    byId("typed").value = "";
  });
  picture.addEventListener("click", onPress);
  board.addEventListener("keydown", onKey);
  board.addEventListener("position", () => {
    if (tried) clear();
    delete told.dataset.code;
  });
  for (const kind of ["popstate", "hashchange", "afterprint"]) addEventListener(kind, follow); // paper shows the end
  byId("tries-panel").hidden = false;
  follow();
}
