"use strict";
// Works out every roll from the secret, as pbem/match/fair_rolls.py describes it, without asking any server.
const { match, secret, commitment, seeds, rolls } = JSON.parse(document.getElementById("rolls-drawn").textContent);
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const words = seeds.map(([seat, seed]) => `\n${seat}:${seed}`).join("");

async function value(key, roll) {
  const faces = BigInt(roll.faces);
  const limit = 2n ** 256n - (2n ** 256n % faces);
  for (let attempt = 0; ; attempt++) {
    const signed = await crypto.subtle.sign("HMAC", key, bytes(`${match}:${roll.ply}:${roll.what}:${attempt}${words}`));
    const number = BigInt("0x" + hex(signed));
    if (number < limit) return number % faces + 1n;
  }
}

async function verdict() {
  if (hex(await crypto.subtle.digest("SHA-256", bytes(secret))) !== commitment) {
    return "Wrong: the hash of the secret is not the one that the players were sent.";
  }
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const roll of rolls) {
    const found = await value(key, roll);
    if (found !== BigInt(roll.value)) {
      return `Wrong: entry ${roll.ply + 1} of the record (${roll.what}) should be ${found}, but is ${roll.value}.`;
    }
  }
  return `Your browser has just checked: the secret has that hash, and all ${rolls.length} rolls follow from it.`;
}

if (globalThis.crypto?.subtle) {
  verdict().then((sentence) => (document.getElementById("rolls-checked").textContent = sentence));
}
