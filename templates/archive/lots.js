"use strict";
// Recomputes every lot from the secret, as pbem/match/fair_rolls.py describes it, without asking any server.
const { match, secret, commitment, salts, lots } = JSON.parse(document.getElementById("lots-drawn").textContent);
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const words = salts.map(([seat, salt]) => `\n${seat}:${salt}`).join("");

async function value(key, lot) {
  const faces = BigInt(lot.faces);
  const limit = 2n ** 256n - (2n ** 256n % faces);
  for (let attempt = 0; ; attempt++) {
    const signed = await crypto.subtle.sign("HMAC", key, bytes(`${match}:${lot.ply}:${lot.what}:${attempt}${words}`));
    const number = BigInt("0x" + hex(signed));
    if (number < limit) return number % faces + 1n;
  }
}

async function verdict() {
  if (hex(await crypto.subtle.digest("SHA-256", bytes(secret))) !== commitment) {
    return "Wrong: the SHA-256 of the secret is not the seal.";
  }
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const lot of lots) {
    const found = await value(key, lot);
    if (found !== BigInt(lot.value)) {
      return `Wrong: entry ${lot.ply + 1}, the lot “${lot.what}”, fell on ${found}, not on ${lot.value}.`;
    }
  }
  return `Your browser has just checked it: the secret fits the seal, and all ${lots.length} lots follow from it.`;
}

if (globalThis.crypto?.subtle) {
  verdict().then((sentence) => (document.getElementById("lots-checked").textContent = sentence));
}
