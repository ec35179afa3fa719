// Texts of a world in the reader's language, where it has them.

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('../types').Wording} Wording
 */

/**
 * The wording for a language: the very tag, else its language without region.
 * @param {Record<string, Wording> | undefined} translations
 * @param {string} language
 * @returns {Wording}
 */
function wording(translations, language) {
  if (!translations) return {};
  const short = language.split('-')[0];
  const found = Object.keys(translations).find((tag) => tag.toLowerCase() === language.toLowerCase()) ??
    Object.keys(translations).find((tag) => tag.split('-')[0].toLowerCase() === short.toLowerCase());
  return found === undefined ? {} : translations[found];
}

/**
 * @param {Dimension} dimension
 * @param {string} language BCP 47 tag
 * @returns {Dimension} the same one when it says nothing in that language
 */
export function inLanguage(dimension, language) {
  const own = dimension.language?.split('-')[0].toLowerCase();
  if (own === language.split('-')[0].toLowerCase()) return dimension;
  const { title, summary } = wording(dimension.translations, language);
  return {
    ...dimension,
    name: title ?? dimension.name,
    summary: summary ?? dimension.summary,
    places: dimension.places.map((place) => {
      const words = wording(place.translations, language);
      if (!place.translations) return place;
      const { visual } = place;
      // A label that repeats the title is the title in the other language, too.
      const text = words.text ?? (visual.kind === 'text' && visual.text === place.title ? words.title : undefined);
      return {
        ...place, title: words.title ?? place.title, summary: words.summary ?? place.summary,
        visual: visual.kind === 'text' && text !== undefined ? { ...visual, text } : visual,
      };
    }),
    overlays: dimension.overlays.map((overlay) => {
      const { text } = wording(overlay.translations, language);
      const { content } = overlay;
      return content.kind === 'text' && text !== undefined ? { ...overlay, content: { ...content, text } } : overlay;
    }),
  };
}
