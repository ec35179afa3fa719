// How the ground looks: colours of both schemes, widths of lines by zoom, names by their weight. Legible from 1:100,000 to 1:5,000.

import { KIND } from './tile.js';

/** @typedef {'light' | 'dark'} Scheme */

/** Land, names and their halo. */
export const PAPER = { light: { land: '#f2efe9', name: '#2b333a', halo: 'rgb(255 255 255 / 0.85)' }, dark: { land: '#1a2127', name: '#d6dee4', halo: 'rgb(12 17 21 / 0.85)' } };

/** @type {Record<number, { light: string, dark: string }>} */
const AREAS = {
  [KIND.sea]: { light: '#a9cfe0', dark: '#16303f' },
  [KIND.residential]: { light: '#e8e4dd', dark: '#1e262c' },
  [KIND.commercial]: { light: '#efe0d8', dark: '#272629' },
  [KIND.industrial]: { light: '#e3dde3', dark: '#23262c' },
  [KIND.farmland]: { light: '#ece8cf', dark: '#22271f' },
  [KIND.meadow]: { light: '#dcebc4', dark: '#1f2b20' },
  [KIND.grass]: { light: '#d3e8b8', dark: '#1f2d21' },
  [KIND.park]: { light: '#c9e3b4', dark: '#1d3023' },
  [KIND.cemetery]: { light: '#c0d6b8', dark: '#1f2e28' },
  [KIND.pitch]: { light: '#b9dfc4', dark: '#1f352d' },
  [KIND.forest]: { light: '#b4d3a0', dark: '#1a2e20' },
  [KIND.scrub]: { light: '#c8d9ab', dark: '#1f2d20' },
  [KIND.wetland]: { light: '#c8dfd6', dark: '#1b2f30' },
  [KIND.sand]: { light: '#f1e4b8', dark: '#332f22' },
  [KIND.rock]: { light: '#dcd8d2', dark: '#272b2e' },
  [KIND.parking]: { light: '#e6e6ea', dark: '#232a31' },
  [KIND.pedestrianArea]: { light: '#e4e1ea', dark: '#272c35' },
  [KIND.water]: { light: '#a9cfe0', dark: '#16303f' },
  [KIND.building]: { light: '#d5cabd', dark: '#333c44' },
  [KIND.buildingPart]: { light: '#cdc1b3', dark: '#38424b' },
};

const CASING = { light: '#b9b2a8', dark: '#0e1317' };
const ROAD = { light: '#ffffff', dark: '#3f4a54' };
const WAY = { light: '#b0805c', dark: '#8f7a66' };
const RAIL = { light: '#8d8f96', dark: '#6b7580' };

/**
 * Lines: colour, width in points at zooms 12, 14, 16, 18 and 20 (0 is none), a casing round it, a dash in points.
 * @type {Record<number, { color: { light: string, dark: string }, width: number[], casing?: boolean, dash?: number[] }>}
 */
const LINES = {
  [KIND.river]: { color: AREAS[KIND.water], width: [1.2, 2, 4, 8, 14] },
  [KIND.stream]: { color: AREAS[KIND.water], width: [0, 0.8, 1.4, 2.5, 4] },
  [KIND.motorway]: { color: { light: '#e8927c', dark: '#8a4f42' }, width: [2, 4, 8, 16, 30], casing: true },
  [KIND.primary]: { color: { light: '#f6cf86', dark: '#7b6434' }, width: [1.6, 3.4, 7.5, 15, 28], casing: true },
  [KIND.secondary]: { color: { light: '#fae6a0', dark: '#676036' }, width: [1, 2.8, 7, 14, 26], casing: true },
  [KIND.tertiary]: { color: ROAD, width: [0.7, 2.4, 6, 13, 24], casing: true },
  [KIND.street]: { color: ROAD, width: [0, 1.4, 5, 11, 22], casing: true },
  [KIND.pedestrian]: { color: { light: '#ece8f3', dark: '#3a3f4b' }, width: [0, 1.3, 4.5, 10, 20], casing: true },
  [KIND.service]: { color: ROAD, width: [0, 0, 2.4, 6, 12], casing: true },
  [KIND.cycleway]: { color: { light: '#6a87c9', dark: '#6379b3' }, width: [0, 0, 1.3, 2, 3], dash: [5, 2] },
  [KIND.footway]: { color: WAY, width: [0, 0, 1.1, 1.8, 2.6], dash: [3, 2] },
  [KIND.path]: { color: WAY, width: [0, 0, 1.1, 1.8, 2.6], dash: [5, 3] },
  [KIND.track]: { color: WAY, width: [0, 0.7, 1.4, 2.4, 4], dash: [8, 3] },
  [KIND.steps]: { color: { light: '#a04f3c', dark: '#b0705f' }, width: [0, 0, 2.4, 4, 7], dash: [1.5, 1.2] },
  [KIND.rail]: { color: RAIL, width: [0.8, 1.3, 2, 3, 4] },
  [KIND.tram]: { color: RAIL, width: [0, 0.5, 0.9, 1.6, 2.4] },
  [KIND.subway]: { color: RAIL, width: [0, 0.8, 1.4, 2, 3], dash: [4, 4] },
  [KIND.ferry]: { color: { light: '#6c9fc0', dark: '#3f6c88' }, width: [0.8, 1, 1.4, 2, 2], dash: [6, 5] },
  [KIND.pier]: { color: { light: '#e4e1ea', dark: '#2f3740' }, width: [0, 1, 3, 6, 12] },
  [KIND.wall]: { color: { light: '#8b8378', dark: '#59626a' }, width: [0, 0, 0.9, 1.5, 2.5] },
};

/** Round buildings from near. */
export const OUTLINE = { light: '#b8ab9b', dark: '#46525c' };

/** No name is smaller, CSS pixels. */
export const LEAST_NAME = 11;

/**
 * Names: weight (the larger has room first), size in points, from which zoom on at the equator; elsewhere from the same scale on.
 * @type {Record<number, { weight: number, size: number, zoom: number, bold?: boolean, color?: { light: string, dark: string } }>}
 */
const NAMES = {
  [KIND.city]: { weight: 100, size: 17, zoom: 8, bold: true },
  [KIND.town]: { weight: 90, size: 15, zoom: 10, bold: true },
  [KIND.suburb]: { weight: 80, size: 14, zoom: 12 },
  [KIND.quarter]: { weight: 60, size: 13, zoom: 14 },
  [KIND.stationName]: { weight: 75, size: 12, zoom: 14, bold: true, color: { light: '#1c5f9e', dark: '#9fc8f0' } },
  [KIND.peak]: { weight: 55, size: 12, zoom: 13 },
  [KIND.museum]: { weight: 50, size: 12, zoom: 16, color: { light: '#7b4a12', dark: '#e0b989' } },
  [KIND.sight]: { weight: 48, size: 12, zoom: 16, color: { light: '#7b4a12', dark: '#e0b989' } },
  [KIND.church]: { weight: 46, size: 12, zoom: 16 },
  [KIND.hospital]: { weight: 45, size: 12, zoom: 16, color: { light: '#a3261e', dark: '#ff9c8f' } },
  [KIND.square]: { weight: 44, size: 12, zoom: 15, color: { light: '#2d6b33', dark: '#a4d1a0' } },
  [KIND.school]: { weight: 30, size: 11, zoom: 17 },
  [KIND.stop]: { weight: 28, size: 11, zoom: 17, color: { light: '#1c5f9e', dark: '#9fc8f0' } },
  [KIND.restaurant]: { weight: 14, size: 11, zoom: 18 },
  [KIND.shop]: { weight: 12, size: 11, zoom: 18 },
  [KIND.houseNumber]: { weight: 5, size: 11, zoom: 18 },
  [KIND.river]: { weight: 42, size: 12, zoom: 13, color: { light: '#2b6784', dark: '#8fc3de' } },
  [KIND.motorway]: { weight: 40, size: 11, zoom: 13 },
  [KIND.primary]: { weight: 38, size: 12, zoom: 14 },
  [KIND.secondary]: { weight: 36, size: 12, zoom: 15 },
  [KIND.tertiary]: { weight: 34, size: 11.5, zoom: 15 },
  [KIND.street]: { weight: 32, size: 11.5, zoom: 15.5 },
  [KIND.pedestrian]: { weight: 31, size: 11.5, zoom: 15.5 },
  [KIND.footway]: { weight: 10, size: 11, zoom: 17 },
  [KIND.path]: { weight: 10, size: 11, zoom: 17 },
};

/** @param {number} kind */
export const areaStyle = (kind) => AREAS[kind];

/** @param {number} kind */
export const nameStyle = (kind) => NAMES[kind];

/** @param {number} kind */
export const isLineKind = (kind) => kind in LINES;

/** The kinds of lines from below to above. */
export const LINE_ORDER = [
  KIND.river, KIND.stream, KIND.pier, KIND.ferry, KIND.wall, KIND.subway, KIND.footway, KIND.path, KIND.cycleway, KIND.track, KIND.steps, KIND.service,
  KIND.pedestrian, KIND.street, KIND.tertiary, KIND.secondary, KIND.primary, KIND.motorway, KIND.tram, KIND.rail,
];

/**
 * @param {number} kind
 * @param {number} zoom of the display
 * @param {Scheme} scheme
 */
export function lineStyle(kind, zoom, scheme) {
  const { color, width, casing, dash } = LINES[kind];
  return { color: color[scheme], width: between(width, zoom), casing: casing ? CASING[scheme] : null, dash: dash ?? null };
}

/**
 * A width between those of zooms 12, 14, 16, 18 and 20.
 * @param {number[]} widths
 * @param {number} zoom
 */
function between(widths, zoom) {
  const place = Math.min(widths.length - 1, Math.max(0, (zoom - 12) / 2));
  const below = Math.floor(place);
  const above = Math.min(widths.length - 1, below + 1);
  // What is not drawn at one of the two is not drawn thin on the way there.
  if (widths[below] === 0) return 0;
  return widths[below] + (widths[above] - widths[below]) * (place - below);
}
