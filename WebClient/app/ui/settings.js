// What the reader chooses about this phone: language, units, light or dark, size of text; and, where there is one, the camera.

import { h } from '../core/dom.js';
import { setTextSize, setTheme, TEXT_SIZES, textSize, theme } from '../core/appearance.js';
import { degrees, setUnits, units } from '../core/format.js';
import { language, languages, localized, sayAnew, t, useLanguage } from '../core/i18n.js';
import { load, save } from '../core/storage.js';
import { hasSounds } from './feel.js';
import { segmented } from '../controls/segmented.js';
import { DEFAULT_FIELD_OF_VIEW, FIELD_OF_VIEW_RANGE, fieldOfView, setFieldOfView } from '../device/camera.js';
import { showDialog } from './dialog.js';
import { eyeHeightSetting } from './eye-height-setting.js';
import { hiddenSettings } from './hidden-settings.js';

/** @typedef {import('../device/device.js').Device} Device */

/** @param {Device | null} device null on pages without a view */
export async function showSettings(device) {
  const tongue = h('select', {
    class: 'select',
    id: 'menu-language',
    onchange: () => {
      void useLanguage(tongue.value);
      dialog.close();
    },
  }, ...languages().map(({ code, name }) => h('option', { value: code, lang: code }, name)));
  tongue.value = language();
  const sizes = h('select', {
    class: 'select', id: 'settings-text', onchange: () => setTextSize(Number(sizes.value)),
  }, ...TEXT_SIZES.map((percent) => h('option', { value: String(percent) }, `${percent} %`)));
  sizes.value = String(textSize());
  const sounds = h('input', {
    type: 'checkbox', class: 'switch', id: 'settings-sounds', checked: hasSounds(), onchange: () => save('sounds', sounds.checked),
  });
  const dialog = showDialog(
    // Through it one sees what the field of view does.
    { title: t('settings.title'), id: 'settings-dialog', class: device ? 'see-through' : '' },
    h('label', { class: 'setting' }, localized(h('span'), 'app.language'), tongue),
    localized(h('h3', { class: 'setting-name' }), 'settings.units'),
    segmented({
      label: 'settings.units', value: units(), id: 'settings-units',
      options: [{ value: 'metric', text: 'settings.metric' }, { value: 'imperial', text: 'settings.imperial' }],
      change: (value) => {
        setUnits(value);
        sayAnew();
      },
    }),
    localized(h('h3', { class: 'setting-name' }), 'settings.theme'),
    segmented({
      label: 'settings.theme', value: theme(), id: 'settings-theme', change: setTheme,
      options: [{ value: 'auto', text: 'settings.auto' }, { value: 'light', text: 'settings.light' }, { value: 'dark', text: 'settings.dark' }],
    }),
    h('label', { class: 'setting' }, localized(h('span'), 'settings.text'), sizes),
    h('label', { class: 'setting' }, localized(h('span'), 'settings.sounds'), sounds),
    ...(device ? await eyeHeightSetting() : []),
    ...(device ? await hiddenSettings() : []),
    ...(device ? await cameraSettings(device) : []),
  );
}

/** @param {Device} device */
async function cameraSettings(device) {
  const { lens } = device;
  const value = h('output', { class: 'setting-value' });
  const { low, high } = FIELD_OF_VIEW_RANGE;
  const slider = h('input', { type: 'range', id: 'field-of-view', class: 'slider', min: String(low), max: String(high), step: '0.5' });
  const show = () => {
    slider.value = String(fieldOfView(lens, device.pictureSize));
    value.textContent = degrees(fieldOfView(lens, device.pictureSize));
    slider.style.setProperty('--part', `${((Number(slider.value) - low) / (high - low)) * 100}%`);
  };
  const set = (/** @type {number} */ angle) => {
    setFieldOfView(lens, angle);
    device.tellPicture();
    show();
  };
  slider.addEventListener('input', () => set(Number(slider.value)));
  show();
  const cameras = device.sources.picture === 'camera' ? await device.camera.list() : [];
  const chooser = h(
    'select',
    { class: 'select', id: 'camera-choice', onchange: () => void device.camera.choose(chooser.value) },
    h('option', { value: '' }, t('menu.cameraDefault')),
    ...cameras.map(({ id, label }) => h('option', { value: id }, label)),
  );
  chooser.value = load('camera', '');
  return [
    localized(h('h3', { class: 'setting-name' }), 'settings.camera'),
    cameras.length > 0 && h('label', { class: 'setting' }, localized(h('span'), 'menu.camera'), chooser),
    h('div', { class: 'setting' }, h('label', { htmlFor: 'field-of-view' }, localized(h('span'), 'menu.fov')), value),
    slider,
    localized(h('p', { class: 'setting-hint' }), 'menu.fovHint'),
    localized(h('button', { type: 'button', class: 'button', onclick: () => set(DEFAULT_FIELD_OF_VIEW) }), 'menu.fovReset'),
  ];
}
