// What people read of several worlds that the engine shows as one: in its order, names and addresses made fit to stand side by
// side.

import { Content, placeKey } from './content.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {{ number: number, content: Content }} Part
 */

export class SeveralWorlds extends Content {
  /** @param {Part[]} parts in the order in which the engine shows them */
  constructor(parts) {
    const [first] = parts;
    const dimensions = parts.map(({ content }) => content.dimension);
    super({
      world: { id: parts.map(({ content }) => content.id).join(' '), url: location.origin },
      dimension: {
        name: parts.map(({ content }) => content.title).join(' + '),
        summary: parts.length === 1 ? first.content.dimension.summary : undefined,
        attribution: [...new Set(dimensions.flatMap(({ attribution }) => attribution ?? []))].join(' · ') || undefined,
        radarRange: 0, radarAvailable: true, relativeAltitude: false,
        soundURL: parts.flatMap(({ content }) => (content.dimension.soundURL && content.absolute(content.dimension.soundURL)) || [])[0],
        refreshURL: dimensions.find(({ refreshURL }) => refreshURL)?.refreshURL,
        refreshIntervalSeconds: 0, refreshDistance: 0,
        assets: parts.flatMap(({ number, content }) => content.dimension.assets.flatMap(({ id, url }) => {
          const absolute = content.absolute(url);
          return absolute ? { id: own(number, id), url: absolute } : [];
        })),
        places: parts.flatMap(({ number, content }) => content.places.map((place, index) => moved(place, index, number, content))),
        overlays: parts.flatMap(({ number, content }) => content.dimension.overlays.map((overlay) => movedOverlay(overlay, number, content))),
      },
      problems: parts.flatMap(({ content }) => content.problems),
    }, first?.content.address ?? { kind: 'url', url: '' });
    this.isMultilingual = parts.some(({ content }) => content.isMultilingual);
    this.saved = parts.find(({ content }) => content.saved)?.content.saved ?? '';
    this.names = new Map(parts.map(({ number, content }) => [number, content.title]));
    this.#gather(parts);
  }

  /**
   * Their categories with the numbers that the engine gave them; "other" last.
   * @param {Part[]} parts
   */
  #gather(parts) {
    /** @type {Map<number, import('./content.js').Category>} */
    const all = new Map();
    for (const { content } of parts) {
      for (const category of content.allCategories) {
        const known = all.get(category.number);
        all.set(category.number, known ? { ...known, count: known.count + category.count } : category);
      }
    }
    const other = all.get(0);
    all.delete(0);
    this.setCategories([...all.values(), ...(other ? [other] : [])]);
  }

  /**
   * @override
   * @param {Place} place
   */
  worldName(place) {
    return this.names.size > 1 ? this.names.get(place.world ?? 0) ?? '' : '';
  }
}

/** Names of two worlds are different things; those of the first stay as they are, for what links to them. */
const own = (/** @type {number} */ number, /** @type {string} */ id) => (number === 0 ? id : `${number}/${id}`);

/**
 * A place as it is among those of other worlds.
 * @param {Place} place
 * @param {number} index
 * @param {number} number
 * @param {Content} content
 * @returns {Place}
 */
function moved(place, index, number, content) {
  const { translations: _, ...rest } = place;
  const absolute = (/** @type {string | undefined} */ url) => (url === undefined ? undefined : content.absolute(url));
  return {
    ...rest,
    world: number,
    id: own(number, placeKey(place, index)),
    visual: place.visual.kind === 'text' ? place.visual : { ...place.visual, assetID: own(number, place.visual.assetID) },
    ...(place.target ? { target: { ...place.target, assetID: own(number, place.target.assetID) } } : {}),
    ...(place.icon?.assetID ? { icon: { ...place.icon, assetID: own(number, place.icon.assetID) } } : {}),
    ...(place.link ? { link: absolute(place.link) } : {}),
    ...(place.soundURL ? { soundURL: absolute(place.soundURL) } : {}),
    ...(place.imageURL ? { imageURL: absolute(place.imageURL) } : {}),
    ...(place.action ? { action: movedAction(place.action, content) } : {}),
  };
}

/**
 * @param {import('../types').Action} action
 * @param {Content} content
 */
function movedAction(action, content) {
  return action.kind === 'refresh' ? action : { ...action, url: content.absolute(action.url) ?? action.url };
}

/**
 * @param {import('../types').Overlay} overlay
 * @param {number} number
 * @param {Content} content
 * @returns {import('../types').Overlay}
 */
function movedOverlay(overlay, number, content) {
  const { translations: _, ...rest } = overlay;
  const inner = overlay.content;
  return {
    ...rest,
    ...(overlay.id ? { id: own(number, overlay.id) } : {}),
    ...(overlay.action ? { action: movedAction(overlay.action, content) } : {}),
    content: inner.kind === 'image'
      ? { ...inner, assetID: own(number, inner.assetID) }
      : inner.kind === 'html' ? { ...inner, url: content.absolute(inner.url) ?? inner.url } : inner,
  };
}
