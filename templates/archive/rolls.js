"use strict";
// Works out every roll from the secret, as pbem/match/fair_rolls.py describes it, without asking any server.
{
  const { match, secret, commitment, seeds, kinds, drawn, sentences } = globalThis.pbemReplay.read("rolls-drawn");
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fill = (sentence, fields) => sentence.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
  // What was rolled at which ply, and what came of it, is in the record; how many faces it has is not.
  const values = globalThis.pbemReplay.record.map(({ seat, text }, ply) => ({ seat, ply, value: text }));
  const rolls = values.filter(({ seat }) => seat === null).map(({ ply, value }, number) => ({ ...kinds[drawn[number]], ply, value }));
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
      return sentences.wrong_secret;
    }
    const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    for (const roll of rolls) {
      const found = await value(key, roll);
      if (found !== BigInt(roll.value)) {
        return fill(sentences.wrong_roll, { number: roll.ply + 1, what: roll.what, found, value: roll.value });
      }
    }
    return fill(sentences.right, { count: rolls.length });
  }

  const button = document.getElementById("check-rolls");
  button.hidden = !globalThis.crypto?.subtle; // which browsers keep from pages that came without TLS
  button.addEventListener("click", async () => {
    document.getElementById("rolls-checked").textContent = await verdict();
  });
}
