// The rules for the HTML parts of emails: all that html-validate recommends, but what programs for mail stand against,
// and what makes an email longer: those that are too long are cut off.
module.exports = {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // Several programs drop style sheets: what a board can't do without stands in its elements.
    "no-inline-style": "off",
    // Outlook knows width, align and bgcolor of tables, and not the styles that replaced them.
    "no-deprecated-attr": "off",
    // Each row and cell of a board would be longer; HTML needs neither these quotation marks nor this element.
    "attr-quotes": "off",
    "prefer-tbody": "off",
    // Columns and rows of a board are named at both ends. A scope of the second name would have it read aloud twice.
    "wcag/h63": "off",
    // HTML reads both spellings; the pages have the other one.
    "doctype-style": "off",
  },
};
