// QR codes in pictures: see CodeExports.swift.

import { Instance } from './instance.js';
import { CODE_LEVEL, CODE_PART_ROW, CODE_ROW } from './layout-by-need.js';
import { cornersOf } from './observations.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {{ text: string, corners: [number, number][], version: number, level: import('./bindings').CodeLevel,
 *   isMirrored: boolean, isInverted: boolean, mended: number, place: { index: number, count: number, parity: number } | null
 * }} FoundCode `corners` begin with the code's own top left; `place` is that among several that belong together
 */

/**
 * Names that a TextDecoder knows for the character sets of codes (AIM's register of extended channel interpretations).
 * @type {Record<number, string>}
 */
const CHARACTER_SET = {
  20: 'shift_jis', 21: 'windows-1250', 22: 'windows-1251', 23: 'windows-1252', 24: 'windows-1256',
  25: 'utf-16be', 26: 'utf-8', 27: 'utf-8', 28: 'big5', 29: 'gbk', 30: 'euc-kr', 31: 'gbk', 32: 'gb18030', 33: 'utf-16le',
};
for (let part = 2; part <= 16; part += 1) CHARACTER_SET[part + 2] = `iso-8859-${part}`;

export class Codes extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Codes(await Instance.make(module));
  }

  /**
   * Finds the codes in the still picture that was put into the room, with all effort.
   * @param {PictureLayout} layout
   * @returns {FoundCode[]}
   */
  detect(layout) {
    const count = this.instance.call.sl_code_detect(...this.numbers(layout));
    if (count < 0) throw new RangeError('the room does not hold such a picture');
    return this.read(count);
  }

  /**
   * The codes that were found last.
   * @param {number} count
   * @returns {FoundCode[]}
   */
  read(count) {
    const { call } = this.instance;
    const values = this.instance.doubles(call.sl_code_values(), count * CODE_ROW.length).slice();
    return Array.from({ length: count }, (_, index) => {
      const v = values.subarray(index * CODE_ROW.length, (index + 1) * CODE_ROW.length);
      const at = CODE_ROW;
      return {
        text: this.#text(v[at.firstPart], v[at.parts]), corners: cornersOf(v, at.corners), version: v[at.version],
        level: CODE_LEVEL[v[at.level]], isMirrored: v[at.isMirrored] === 1, isInverted: v[at.isInverted] === 1,
        mended: v[at.mended], place: v[at.count] > 0 ? { index: v[at.index], count: v[at.count], parity: v[at.parity] } : null,
      };
    });
  }

  /**
   * @param {number} first
   * @param {number} count
   */
  #text(first, count) {
    const { call } = this.instance;
    const parts = this.instance.doubles(call.sl_code_parts(), (first + count) * CODE_PART_ROW.length);
    const address = call.sl_code_bytes();
    const at = CODE_PART_ROW;
    return Array.from({ length: count }, (_, index) => {
      const v = parts.subarray((first + index) * at.length, (first + index + 1) * at.length);
      return decode(this.instance.bytes(address + v[at.firstByte], v[at.bytes]).slice(), [v[at.named], v[at.likely]]);
    }).join('');
  }
}

/**
 * The text of bytes in the first of the sets that they are of; which set is likely is for the engine to say (QRTextRun.swift).
 * @param {Uint8Array} bytes
 * @param {number[]} sets numbers of AIM's register
 */
function decode(bytes, sets) {
  for (const set of sets) {
    // What decoders call ISO 8859-1 is Windows-1252.
    if (set === 1 || set === 3) break;
    if (!CHARACTER_SET[set]) continue;
    try {
      return new TextDecoder(CHARACTER_SET[set], { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // Tries the next.
    }
  }
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
