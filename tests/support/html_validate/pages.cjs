// The rules for the pages of the archive: all that html-validate recommends, with these readings of some of them.
module.exports = {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // The address of a position is the number of entries before it (17.html#12); HTML forbids only blanks in a name.
    "valid-id": ["error", { relaxed: true }],
    // ARIA lets lists and figures have names; the strict reading wants them on what is pressed alone.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // A long record has a thousand names and links that are numbers; HTML needs no quotation marks there.
    "attr-quotes": "off",
  },
};
