// Style sheets of shadow roots: made by script, which a policy without inline styles allows, and shared by all elements of a kind.

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** @param {string} text */
export function sheetOf(text) {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheet;
}
