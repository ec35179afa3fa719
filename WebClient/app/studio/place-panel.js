// The form of one place.

import { fileField } from '../controls/file-field.js';
import { decoded } from '../core/router.js';
import { h, icon } from '../core/dom.js';
import { labelled, localized, t } from '../core/i18n.js';
import { MARKER_DICTIONARY } from '../../engine/layout.js';
import { changePlace, withAsset } from './content.js';
import { actionRows } from './action-rows.js';
import { displayRows, distanceRows } from './display-rows.js';
import { following, followRows, staying } from './follow-rows.js';
import { areaRow, button, checkRow, group, numberRow, PICTURES, pivotRow, selectRow, textRow } from './form.js';
import { shapeRows } from './shape-rows.js';
import { signRows } from './sign-rows.js';
import { soundRows } from './sound-rows.js';
import { choosePoster, targetRows } from './target-rows.js';
import { translationRows } from './translation-rows.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('./editor.js').Editor} Editor
 * @typedef {import('./target-rows.js').WithTarget} WithTarget
 */

const DEFAULT_MARKER = { dictionary: '6x6-250', id: 0, length: 0.06 };

/**
 * @param {Editor} editor
 * @param {string} id
 * @returns {HTMLElement}
 */
export function placePanel(editor, id) {
  const { draft } = editor;
  const place = draft.dimension.places.find((other) => other.id === id);
  if (!place) return h('div');
  const change = (/** @type {Partial<Place>} */ values, /** @type {string} */ key = '') =>
    draft.edit((dimension) => changePlace(dimension, id, values), key && `${key} ${id}`);
  /** Changes after which the form has other fields. */
  const rebuild = (/** @type {Partial<Place>} */ values) => {
    change(values);
    editor.showPanel();
  };
  const categories = [...new Set(draft.dimension.places.flatMap((other) => other.categories))].sort();
  const suggestions = h('datalist', { id: 'studio-categories' }, ...categories.map((name) => h('option', { value: name })));
  return h(
    'div',
    { class: 'panel-body', id: 'place-panel', dataset: { place: id } },
    h(
      'header',
      { class: 'panel-head' },
      labelled(h('button', { type: 'button', class: 'round small plain', onclick: () => editor.select(null) }, icon('back')), 'studio.toList'),
      localized(h('h2'), 'studio.place'),
    ),
    textRow('studio.title', place.title, (title) => {
      // A label that repeats the title goes with it.
      const now = draft.dimension.places.find((other) => other.id === id);
      const follows = now?.visual.kind === 'text' && now.visual.text === now.title;
      change({ title, ...(follows && { visual: { kind: 'text', text: title } }) }, 'title');
      const label = editor.panel.querySelector('#place-label');
      if (follows && label instanceof HTMLInputElement) label.value = title;
    }, { id: 'place-title', maxLength: 200 }),
    areaRow('studio.text', place.summary, (summary) => change({ summary: summary || undefined }, 'summary'), { id: 'place-summary', rows: 4 }),
    textRow('studio.categories', place.categories.join(', '), (text) =>
      change({ categories: text.split(',').map((part) => part.trim()).filter(Boolean) }, 'categories'), { id: 'place-categories', list: 'studio-categories', 'aria-autocomplete': 'list' },
      'studio.categoriesHint'),
    suggestions,
    pictureRows(editor, place, rebuild),
    group('studio.look', true, ...lookRows(editor, place, change, rebuild)),
    !(place.visual.kind === 'image' && place.size) && group('studio.sign', Boolean(place.icon), ...signRows(editor, place, change)),
    group('studio.where', true, ...whereRows(editor, place, change, rebuild)),
    group('studio.shapes', Boolean(place.shapes?.length), ...shapeRows(editor, place, change, rebuild)),
    group('studio.tap', Boolean(place.action), ...actionRows(editor, place.action, (action) => change({ action }, 'action'), (action) => rebuild({ action })),
      textRow('studio.link', place.link, (link) => change({ link: link || undefined }, 'link'), { inputMode: 'url', placeholder: 'https://' }),
      textRow('studio.phone', place.phone, (phone) => change({ phone: phone || undefined }, 'phone'), { inputMode: 'tel' })),
    group('studio.sound', Boolean(place.soundURL), ...soundRows(editor, place.soundURL, (soundURL) => rebuild({ soundURL }), 'place-sound')),
    group('studio.visible', Boolean(place.visibilityRadius) || Boolean(place.display) || !place.showInRadar,
      ...distanceRows(editor, place, change),
      ...displayRows(editor, place, change),
      checkRow('studio.onRadar', place.showInRadar, (showInRadar) => change({ showInRadar })),
      ...focusRows(editor, place, change)),
    group('studio.languages', Boolean(place.translations), ...translationRows(editor, place.translations, (translations) => change({ translations }, 'translations'),
      ['title', 'text', 'summary'])),
    h(
      'div',
      { class: 'actions panel-actions' },
      button('studio.duplicate', () => editor.duplicatePlace(id)),
      button('studio.removePlace', () => editor.removePlace(id), { id: 'place-remove', class: 'button danger' }),
    ),
  );
}

/**
 * The picture of the place's card.
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>) => void} rebuild
 */
function pictureRows(editor, place, rebuild) {
  const source = place.imageURL && editor.absolute(place.imageURL);
  return h(
    'div',
    { class: 'form-row' },
    localized(h('span'), 'studio.picture'),
    source && h('img', { class: 'panel-picture', src: source, alt: t('studio.pictureOf', { title: place.title }) }),
    h(
      'div',
      { class: 'actions' },
      fileField({
        label: source ? 'studio.otherPicture' : 'studio.addPicture', accept: PICTURES, id: 'place-picture', keep: false,
        pick: async ([file]) => {
          const stored = await editor.upload(file);
          if (stored) rebuild({ imageURL: stored.url });
        },
      }),
      source && button('studio.noPicture', () => rebuild({ imageURL: undefined })),
    ),
  );
}

/**
 * What was uploaded here, by its address: the server keeps no names.
 * @type {Map<string, File>}
 */
const chosen = new Map();

/** @param {string} url of a file on the server */
function nameOf(url) {
  const address = new URL(url, location.href);
  const file = [...chosen].find(([known]) => new URL(known, location.href).pathname === address.pathname)?.[1];
  return { name: file?.name ?? decoded(address.pathname.split('/').at(-1) ?? url), size: file?.size };
}

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @param {(values: Partial<Place>) => void} rebuild
 * @returns {(Node | false | undefined)[]}
 */
function lookRows(editor, place, change, rebuild) {
  const { visual } = place;
  /** @param {'image' | 'model'} kind */
  const useFile = async (/** @type {File} */ file, kind) => {
    const stored = await editor.upload(file);
    if (!stored) return;
    chosen.set(stored.url, file);
    editor.draft.edit((dimension) => {
      const { dimension: next, id } = withAsset(dimension, stored.url, kind === 'model' ? 'GLB' : undefined);
      const look = kind === 'model'
        ? { kind, assetID: id, xRotation: 0, yRotation: 0, zRotation: 0, scale: 1 }
        : { kind, assetID: id };
      return changePlace(next, place.id ?? '', { visual: /** @type {Place['visual']} */ (look) });
    });
    editor.showPanel();
  };
  const noFile = () => rebuild({ visual: { kind: 'text', text: place.title } });
  const files = fileField({ label: 'studio.choosePicture', accept: PICTURES, id: 'look-picture', keep: false, pick: ([file]) => void useFile(file, 'image') });
  const models = fileField({
    label: 'studio.chooseModel', accept: '.glb,model/gltf-binary', id: 'look-model', keep: false, pick: ([file]) => (file ? void useFile(file, 'model') : noFile()),
  });
  const url = visual.kind === 'text' ? undefined : editor.assetURL(visual.assetID);
  if (visual.kind === 'model' && url) models.show([nameOf(url)]);
  /** @type {(Node | false | undefined)[]} */
  const rows = [
    selectRow('studio.shownAs', visual.kind, [['text', t('studio.asText')], ['image', t('studio.asImage')], ['model', t('studio.asModel')]], (kind) => {
      if (kind === 'text') return noFile();
      // A picture or model needs its file first.
      (kind === 'image' ? files : models).input.click();
      editor.showPanel();
    }, { id: 'look-kind' }),
  ];
  if (visual.kind === 'text') {
    rows.push(textRow('studio.label', visual.text, (text) => change({ visual: { kind: 'text', text } }, 'label'), { id: 'place-label' }));
  } else {
    if (visual.kind === 'image') rows.push(url ? h('img', { class: 'panel-picture', src: url, alt: '' }) : undefined);
    else {
      const turn = (/** @type {'xRotation' | 'yRotation' | 'zRotation' | 'scale'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key) =>
        numberRow(key, visual[name], (value) => {
          const now = editor.draft.dimension.places.find(({ id }) => id === place.id)?.visual ?? visual;
          change({ visual: /** @type {Place['visual']} */ ({ ...now, [name]: value ?? 0 }) }, name);
        }, name === 'scale' ? { min: 0.001 } : { min: -360, max: 360 });
      rows.push(h('div', { class: 'form-columns' }, turn('xRotation', 'studio.turnX'), turn('yRotation', 'studio.turnY'), turn('zRotation', 'studio.turnZ'), turn('scale', 'studio.scale')));
    }
  }
  // Only what goes with the kind of look; the others are a choice away, in the row above.
  const isPicture = visual.kind === 'image';
  // They stay in the page, hidden: browsers open no chooser of a field that is not in it.
  rows.push(h('div', { class: 'actions', hidden: !isPicture }, files), h('div', { hidden: true }, visual.kind !== 'model' && models));
  if (visual.kind === 'model') {
    const isOnPrint = Boolean(place.marker || /** @type {WithTarget} */ (place).target);
    rows.push(
      localized(h('p', { class: 'form-note', id: 'look-model-note' }), isOnPrint ? 'studio.modelOnPrint' : 'studio.modelElsewhere'),
      models,
    );
  }
  if (visual.kind !== 'text' && !place.marker && !(/** @type {WithTarget} */ (place).target)) rows.push(...standingRows(editor, place, change));
  rows.push(pivotRow('studio.pivot', place.pivot, (pivot) => change({ pivot })));
  return rows;
}

/**
 * Size and attitude of a picture or model in the world.
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @returns {Node[]}
 */
function standingRows(editor, place, change) {
  const { size, attitude, visual } = place;
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id) ?? place;
  const side = (/** @type {'width' | 'height'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key) =>
    numberRow(key, size?.[name], (value) => {
      const next = { ...now().size, [name]: value };
      if (value === undefined) delete next[name];
      change({ size: Object.keys(next).length ? next : undefined }, name);
    }, { min: 0.001, max: 10_000, optional: true, id: `place-true-${name}` });
  const turn = (/** @type {'heading' | 'pitch' | 'roll'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key) =>
    numberRow(key, attitude?.[name], (value) => {
      const old = now().attitude;
      // Without a direction nothing else of it means anything.
      if (value === undefined && name === 'heading') return change({ attitude: undefined }, name);
      const next = { heading: 180, ...old, [name]: value };
      if (value === undefined) delete next[/** @type {'pitch' | 'roll'} */ (name)];
      change({ attitude: next }, name);
    }, { min: -360, max: 360, optional: true, id: `place-${name}` });
  return [
    h('div', { class: 'form-columns' }, ...(visual.kind === 'image' ? [side('width', 'studio.trueWidth')] : []), side('height', 'studio.trueHeight'),
      turn('heading', 'studio.facesTo'), turn('pitch', 'studio.pitch'), turn('roll', 'studio.roll')),
    ...(visual.kind === 'image' ? [localized(h('p', { class: 'form-note' }), 'studio.trueSizeNote')] : []),
  ];
}

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @param {(values: Partial<Place>) => void} rebuild
 * @returns {(Node | false | undefined)[]}
 */
function whereRows(editor, place, change, rebuild) {
  const { position, marker, offset, followsUser } = place;
  const { target } = /** @type {WithTarget} */ (place);
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id);
  const at = (/** @type {'latitude' | 'longitude' | 'altitude'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {any} */ limits) =>
    numberRow(key, position?.[name], (value) => {
      const old = now()?.position ?? { latitude: 0, longitude: 0 };
      const next = { ...old, [name]: value };
      if (value === undefined) delete next[name];
      change({ position: next }, name);
    }, { ...limits, id: `place-${name}` });
  const shift = (/** @type {'east' | 'north' | 'up'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key) =>
    numberRow(key, offset[name], (value) => change({ offset: { ...(now()?.offset ?? offset), [name]: value ?? 0 } }, name), {});
  /** @type {(Node | false | undefined)[]} */
  const onEarth = [
    position
      ? h('div', { class: 'form-columns' }, at('latitude', 'studio.latitude', { min: -90, max: 90 }), at('longitude', 'studio.longitude', { min: -180, max: 180 }))
      : localized(h('p', { class: 'form-note' }), 'studio.nowhere'),
    !position && button('studio.putOnMap', () => rebuild({ position: editor.map.center() }), { id: 'place-put' }),
    position && h('div', { class: 'form-columns' }, at('altitude', 'studio.altitude', { optional: true }),
      selectRow('studio.altitudeMode', place.altitudeMode, [
        ['eye', t('studio.fromEye')], ['ground', t('studio.fromGround')], ['seaLevel', t('studio.fromSea')], ['ellipsoid', t('studio.fromEllipsoid')],
      ], (mode) => change({ altitudeMode: /** @type {Place['altitudeMode']} */ (mode) }), { id: 'place-altitude-mode' })),
    h('div', { class: 'form-columns three' }, shift('east', 'studio.east'), shift('north', 'studio.north'), shift('up', 'studio.up')),
  ];
  // What is printed wins over going along, on the phone as here.
  const goesAlong = followsUser && !marker && !target;
  return [
    ...(goesAlong ? followRows(editor, place, change) : onEarth),
    selectRow('studio.standsOn', marker ? 'marker' : target ? 'target' : goesAlong ? 'user' : 'map', [
      ['map', t('studio.onMap')], ['marker', t('studio.onMarker')], ['target', t('studio.onTarget')], ['user', t('studio.onUser')],
    ], (kind) => {
      if (kind === 'target') return void choosePoster(editor, place.id ?? '');
      const before = now() ?? place;
      rebuild(kind === 'user' ? following(before) : {
        ...staying(before, editor.map.center()), marker: kind === 'marker' ? { ...DEFAULT_MARKER } : undefined, target: undefined,
      });
    }, { id: 'place-stands' }),
    ...(target ? targetRows(editor, place, target, change) : []),
    marker && h('div', { class: 'form-columns three' },
      selectRow('studio.dictionary', marker.dictionary, MARKER_DICTIONARY.map((name) => [name, name]), (dictionary) => change({ marker: { ...(now()?.marker ?? marker), dictionary } })),
      numberRow('studio.markerNumber', marker.id, (id) => change({ marker: { ...(now()?.marker ?? marker), id: id ?? 0 } }, 'marker'), { min: 0, max: 2319, step: 1 }),
      numberRow('studio.markerSide', Math.round(marker.length * 1e5) / 100, (side) => change({ marker: { ...(now()?.marker ?? marker), length: (side ?? 60) / 1000 } }, 'side'), { min: 5, max: 10_000 })),
    ...(marker ? surveyRows(marker, (values, key) => change({ marker: tidyMarker({ ...(now()?.marker ?? marker), ...values }) }, key)) : []),
  ];
}

/**
 * How a marker hangs whose place is known: then the phone knows where it is once it sees it.
 * @param {NonNullable<Place['marker']>} marker
 * @param {(values: Partial<NonNullable<Place['marker']>>, key: string) => void} change
 */
function surveyRows(marker, change) {
  const turn = (/** @type {'facing' | 'tilt' | 'roll'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {number} */ most) =>
    numberRow(key, marker[name] ?? undefined, (value) => change({ [name]: value }, name), { min: -most, max: most, optional: true, id: `marker-${name}` });
  return [
    h('div', { class: 'form-columns three' }, turn('facing', 'studio.markerFacing', 360), turn('tilt', 'studio.markerTilt', 90), turn('roll', 'studio.roll', 360)),
    localized(h('p', { class: 'form-note' }), 'studio.markerSurveyed'),
  ];
}

/**
 * Without a direction nothing else of how it hangs means anything.
 * @param {NonNullable<Place['marker']>} marker
 */
function tidyMarker({ facing, tilt, roll, ...rest }) {
  if (facing === undefined || facing === null) return rest;
  return { ...rest, facing, ...(tilt === undefined ? {} : { tilt }), ...(roll === undefined ? {} : { roll }) };
}

/**
 * Overlays that are shown while the place is looked at.
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 */
function focusRows(editor, place, change) {
  const { overlays } = editor.draft.dimension;
  if (!overlays.length) return [];
  const boxes = overlays.map((overlay, index) => {
    const id = overlay.id ?? '';
    const box = h('input', { type: 'checkbox', checked: place.showOnFocus.includes(id), onchange: () => {
      const now = editor.draft.dimension.places.find((other) => other.id === place.id)?.showOnFocus ?? [];
      change({ showOnFocus: box.checked ? [...now, id] : now.filter((name) => name !== id) });
    } });
    return h('label', { class: 'form-check' }, box, h('span', {}, overlayName(overlay, index)));
  });
  return [h('fieldset', {}, localized(h('legend'), 'studio.onFocus'), ...boxes)];
}

/**
 * @param {import('../types').Overlay} overlay
 * @param {number} index
 */
export function overlayName(overlay, index) {
  const { content } = overlay;
  const text = content.kind === 'text' ? content.text.replace(/\s+/g, ' ').slice(0, 40) : t(content.kind === 'image' ? 'studio.asImage' : 'studio.asPage');
  return `${index + 1}. ${text}`;
}
