"use strict";
// Plays matches by a twin in the page, and compares it at each ply with what tests/support/twins.py says of the rules.

const PATHS = 2; // ways through the choices that are tried at each ply
const MOST = 400; // so many prefixes of moves are looked through at most where all legal moves are known

// Numbers that look random and are the same on every run (mulberry32).
function numbers(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below | 0;
  };
}

// A twin that writes to a state is found out: writing to what is frozen throws.
function freeze(value) {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

// The same text for the same data, whatever the order of keys.
function told(value) {
  if (Array.isArray(value)) {
    return `[${value.map(told).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.keys(value).sort().map((key) => `${key}:${told(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "undefined";
}

// What the twin says of a state, of the same form as the rules say it.
function seen(rules, state, standing) {
  const outcome = rules.outcome(state);
  const stands = rules.standing(state);
  return {
    cells: Object.fromEntries(Object.entries(rules.cells(state)).filter(([, piece]) => piece !== "")),
    to_act: rules.toAct(state),
    outcome: outcome && { winners: [...outcome.winners].sort() },
    standing: Object.fromEntries(Object.keys(standing).map((key) => [key, stands[key]])),
  };
}

// Returns the cells `before`, with what has changed.
function changed(before, cells) {
  return Object.fromEntries(Object.entries({ ...before, ...cells }).filter(([, piece]) => piece !== null));
}

// Returns in what twin and rules differ, "" if in nothing; `cells` is what has to be on the board.
function difference(rules, state, expected, cells) {
  const found = seen(rules, state, expected.standing);
  for (const key of ["to_act", "outcome", "standing"]) {
    if (told(found[key]) !== told(expected[key])) {
      return `${key} is ${told(found[key])}, not ${told(expected[key])}`;
    }
  }
  const names = Object.keys({ ...found.cells, ...cells });
  const name = names.find((cell) => told(found.cells[cell]) !== told(cells[cell]));
  return name ? `${name} is ${told(found.cells[name])}, not ${told(cells[name])}` : "";
}

// All that `typed` can grow to by what may come next.
function onward({ cells, words, joint }, typed) {
  const behind = (next, between) => (typed ? typed + between + next : next);
  return [...cells.map((cell) => behind(cell, joint ?? " ")), ...words.map((word) => behind(word, " "))];
}

// Whether the choices lead to `text`, and say there that it is complete.
function leadsTo(rules, state, text, typed = "") {
  const choices = rules.choices(state, typed);
  if (typed === text) {
    return choices.complete;
  }
  return onward(choices, typed).some((longer) => text.startsWith(longer) && leadsTo(rules, state, text, longer));
}

// Returns complete moves on a random way through the choices; throws where it ends without one.
function wander(rules, state, pick) {
  const complete = [];
  for (let typed = ""; ; ) {
    const choices = rules.choices(state, typed);
    const ways = onward(choices, typed);
    if (choices.complete) {
      complete.push(typed);
    } else if (!ways.length) {
      throw new Error(`the choices end behind “${typed}”`);
    }
    if (!ways.length) {
      return complete;
    }
    typed = ways[pick(ways.length)];
  }
}

// Returns all complete moves that the choices lead to; null if these are too many.
function everyMove(rules, state) {
  const complete = [];
  const waiting = [""];
  for (const typed of waiting) {
    const choices = rules.choices(state, typed);
    if (choices.complete) {
      complete.push(typed);
    }
    waiting.push(...onward(choices, typed));
    if (waiting.length > MOST) {
      return null;
    }
  }
  return complete;
}

// Returns what is wrong with the choices; adds complete moves that are not among the legal ones listed to `offered`.
function misleading(rules, state, { to_act, legal, whole }, pick, offered) {
  if (typeof to_act !== "number") {
    const { cells, words, complete } = rules.choices(state, "");
    return cells.length || words.length || complete ? "there are choices where nobody is to act" : "";
  }
  const every = whole && everyMove(rules, state);
  const found = new Set(every || Array.from({ length: PATHS }, () => wander(rules, state, pick)).flat());
  const missing = legal.find((text) => !found.has(text) && (every || !leadsTo(rules, state, text)));
  const listed = new Set(legal);
  offered.push(...[...found].filter((text) => !listed.has(text)));
  return missing === undefined ? "" : `“${missing}” is legal, and no choices lead there`;
}

// Returns in what twin and rules differ about an entry that may not be legal.
function probe(rules, state, expected, codes, cells) {
  const entry = { seat: expected.seat, text: expected.text };
  let following;
  try {
    following = rules.play(state, entry);
  } catch (error) {
    if (!(error instanceof globalThis.pbemRefused)) {
      return `${error}`;
    }
    if (!codes.has(error.code)) {
      return `there is no code ${error.code}`;
    }
    const alike = !expected.written || error.code === expected.code;
    return alike ? "" : `refused as ${error.code}, not ${expected.code ?? "at all"}`;
  }
  if (expected.code) {
    return `played, not refused as ${expected.code}`;
  }
  return difference(rules, following, expected.then, changed(cells, expected.then.cells));
}

// Returns the first thing in which the twin and the rules part in a match, "" if nothing; counts in `counts`.
function compareMatch(rules, match, codes, counts, offer) {
  const pick = numbers(match.plies.length);
  let state = freeze(rules.begin(match.seats, freeze(match.options)));
  let cells = {};
  for (const [ply, expected] of match.plies.entries()) {
    cells = changed(cells, expected.cells);
    const at = (what) => what && `${match.name} ply ${ply}: ${what}`;
    try {
      if (ply) {
        state = freeze(rules.play(state, expected.entry));
      }
      const offered = [];
      const wrong = difference(rules, state, expected, cells) || misleading(rules, state, expected, pick, offered);
      if (wrong) {
        return at(wrong);
      }
      offered.forEach((text) => offer(ply, text));
      counts.plies += 1;
      counts.moves += expected.legal.length + offered.length;
      for (const asked of expected.probes) {
        const differs = probe(rules, state, asked, codes, cells);
        if (differs) {
          return at(`seat ${asked.seat} “${asked.text.slice(0, 60)}”: ${differs}`);
        }
        if (asked.code && asked.seat === expected.to_act && rules.choices(state, asked.text).complete) {
          return at(`“${asked.text.slice(0, 60)}” counts as complete`);
        }
        counts.refusals += asked.code ? 1 : 0;
      }
    } catch (error) {
      return at(`${error.stack}`);
    }
  }
  return "";
}

// Returns what was compared, what differs, and the offered moves that Python is to judge.
function compareTwins({ games, matches, codes }) {
  const counts = { plies: 0, moves: 0, refusals: 0 };
  const offered = [];
  const registered = Object.keys(globalThis.pbemRules ?? {}).sort();
  const complete = told(registered) === told([...games].sort());
  const differences = complete ? [] : [`registered are ${registered}, not ${games}`];
  const known = new Set(codes);
  for (const [number, match] of matches.entries()) {
    const rules = globalThis.pbemRules?.[match.key];
    const offer = (ply, text) => offered.push([number, ply, text]);
    const differs = rules && compareMatch(rules, match, known, counts, offer);
    if (differs) {
      differences.push(differs);
    }
  }
  return { ...counts, differences, offered };
}
