"use strict";
// Finds matches among all that the parts of the index hold. Whatever players wrote becomes text, never markup.
const { shown, titles, sentences } = JSON.parse(document.getElementById("search-words").textContent);
const found = globalThis.pbemFound || {};
const form = document.getElementById("search");
const list = document.getElementById("results");
const more = document.getElementById("more");
const names = new Map();
let matches = [];
let limit = shown;

// Letters without accents and case, so that "jose" finds José.
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function fill(sentence, fields) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

// The columns of a part as one object a match.
function unpack(part) {
  let number = part.first - 1;
  return part.number.map((step, row) => ({
    number: (number += step),
    game: part.games[part.game[row]],
    players: part.players[row],
    year: part.year[row],
    won: part.won[row],
    moves: part.moves[row],
  }));
}

function read() {
  for (const part of found.names || [])
    for (const [number, name] of Object.entries(part)) names.set(Number(number), { name, folded: fold(name) });
  matches = (found.matches || []).flatMap(unpack).sort((one, other) => other.number - one.number);
}

// Those of the sought players who sit in a match, by their seats.
function seatsOf(match, players) {
  return match.players.flatMap((player, seat) => (players.has(player) ? [seat] : []));
}

// Every word has to be in one player's name, so that "ann bob" finds the matches of both.
function sought(words) {
  return words.map((word) => new Set([...names].filter(([, { folded }]) => folded.includes(word)).map(([number]) => number)));
}

function answers(match, asked, groups) {
  if (asked.game && match.game !== asked.game) return false;
  if (asked.year && match.year !== Number(asked.year)) return false;
  if (asked.state === "running" && match.won >= 0) return false;
  if (asked.state === "finished" && match.won < 0) return false;
  if (asked.result === "nobody" && match.won !== 0) return false;
  if ((asked.result === "won" || asked.result === "lost") && match.won <= 0) return false;
  const seats = groups.map((players) => seatsOf(match, players));
  if (!seats.every((own) => own.length)) return false;
  // Who won or lost is asked of the player named first.
  const own = seats[0] || match.players.map((_, seat) => seat);
  if (asked.result === "won") return own.some((seat) => match.won & (1 << seat));
  if (asked.result === "lost") return own.some((seat) => !(match.won & (1 << seat)));
  return true;
}

function listed(words) {
  if (words.length < 2) return words.join("");
  return fill(sentences.and, { first: words.slice(0, -1).join(", "), last: words[words.length - 1] });
}

function nameOf(player) {
  return names.has(player) ? names.get(player).name : "?";
}

function resultOf(match) {
  if (match.won < 0) return sentences.running;
  if (match.won === (1 << match.players.length) - 1) return sentences.drawn;
  const winners = match.players.filter((_, seat) => match.won & (1 << seat)).map(nameOf);
  return winners.length ? fill(sentences.won, { names: listed(winners) }) : sentences.nobody;
}

function item(match) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.href = `matches/${match.number}.html`;
  link.textContent = `${titles[match.game] || match.game} ${match.number}`;
  const told = document.createElement("span");
  const moves = match.moves === 1 ? sentences.move : fill(sentences.moves, { count: match.moves });
  told.textContent = listed(match.players.map(nameOf));
  const rest = document.createElement("span");
  rest.className = "faint";
  rest.textContent = `${resultOf(match)} · ${moves} · ${match.year}`;
  line.append(link, " ", told, " ", rest);
  return line;
}

function filter(asked) {
  const groups = sought(fold(asked.player || "").split(/\s+/).filter(Boolean));
  return matches.filter((match) => answers(match, asked, groups));
}

function show() {
  const asked = Object.fromEntries(new FormData(form));
  const rows = filter(asked);
  list.replaceChildren(...rows.slice(0, limit).map(item));
  more.hidden = rows.length <= limit;
  const count = rows.length === 1 ? sentences.one : rows.length ? fill(sentences.many, { count: rows.length }) : sentences.none;
  document.getElementById("count").textContent = count;
  return asked;
}

// What is asked stands in the address, so that it can be kept and sent.
function ask() {
  limit = shown;
  const asked = Object.entries(show()).filter(([, value]) => value);
  history.replaceState(null, "", asked.length ? `#${new URLSearchParams(asked)}` : location.pathname);
}

function readAddress() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
    if (form.elements[name]) form.elements[name].value = value;
}

read();
readAddress();
form.hidden = false;
form.addEventListener("input", ask);
// The list has followed every letter: the button leads to it, and so away from the keyboard of a phone.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  (list.querySelector("a") || form.elements.player).focus();
});
more.addEventListener("click", () => {
  const first = list.children.length;
  limit += shown;
  show();
  list.children[first].querySelector("a").focus();
});
addEventListener("hashchange", () => { readAddress(); show(); });
show();
