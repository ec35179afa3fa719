// What of a world's content stands on anchors: what to look for in pictures, and what to draw there.

import { pictureSource } from '../net/assets.js';
import { placeKey } from '../session/content.js';

/**
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../types').Place} Place
 * @typedef {import('./anchor-layer.js').Anchored} Anchored
 * @typedef {{ dictionary: string, id: number, length: number }} MarkerAnchor `length` of the black border, metres
 * @typedef {{ key: string, name: string, url: string | undefined, width: number }} PictureAnchor `width` of the whole print, metres
 */

/**
 * @param {Content} content
 * @param {(index: number) => void} select called when what stands there is pressed
 * @returns {{ anchored: Anchored[], markers: MarkerAnchor[], pictures: PictureAnchor[] }}
 */
export function readAnchors(content, select) {
  /** @type {Anchored[]} */
  const anchored = [];
  /** @type {Map<string, MarkerAnchor>} */
  const markers = new Map();
  /** @type {Map<string, PictureAnchor>} */
  const pictures = new Map();
  content.places.forEach((place, feature) => {
    const { marker, target } = place;
    if (!marker && !target) return;
    if (marker) markers.set(`${marker.dictionary} ${marker.id}`, marker);
    if (target) {
      const key = content.pictureKey(target);
      pictures.set(key, { key, name: target.assetID, url: content.assetURL(target.assetID), width: target.width });
    }
    anchored.push({
      key: placeKey(place, feature), feature, text: content.labelText(place), press: () => select(feature), ...lookOf(content, place),
    });
  });
  return { anchored, markers: [...markers.values()], pictures: [...pictures.values()] };
}

/**
 * How the picture or model of a place is fetched.
 * @param {Content} content
 * @param {Place} place
 * @returns {Pick<Anchored, 'model' | 'picture'>}
 */
export function lookOf(content, { visual }) {
  if (visual.kind === 'text') return {};
  const url = content.assetURL(visual.assetID);
  const load = async () => {
    const response = await fetch(pictureSource(url ?? ''));
    if (!url || !response.ok) throw new Error(`${url}: ${response.status}`);
    return response;
  };
  if (visual.kind === 'image') {
    return { picture: async () => createImageBitmap(await (await load()).blob(), { premultiplyAlpha: 'none' }) };
  }
  return { model: async () => new Uint8Array(await (await load()).arrayBuffer()) };
}
