// Which of several rear cameras is the main one, as far as their names say it. Where a browser is only told "the rear one", some phones
// give the wide or the close-up camera, whose lens nobody has measured and whose picture is noisier.

/** @typedef {{ id: string, label: string }} NamedCamera */

/**
 * How Android's Chromium names cameras, in every language: "camera2 0, facing back". Of those on one side the system's first is
 * the main one.
 */
const ANDROID = /^camera2? (\d{1,4}), facing back$/;
/** How iOS names lenses that are not, or not always, the usual one, in English; "Back Camera" is the usual one. */
const OTHER_LENS = /^Back (?:Ultra Wide|Telephoto|Dual|Dual Wide|Triple) Camera$/;
const USUAL_LENS = 'Back Camera';

/**
 * The camera that should be used instead of the one that the browser chose.
 * @param {string} chosen label of the browser's choice
 * @param {readonly NamedCamera[]} cameras all there are
 * @returns {NamedCamera | null} `null`: the choice is right, or nobody can tell
 */
export function mainRearCamera(chosen, cameras) {
  const number = ANDROID.exec(chosen);
  if (number) {
    let [best, least] = [/** @type {NamedCamera | null} */ (null), Number(number[1])];
    for (const camera of cameras) {
      const other = ANDROID.exec(camera.label);
      if (other && camera.id && Number(other[1]) < least) [best, least] = [camera, Number(other[1])];
    }
    return best;
  }
  return OTHER_LENS.test(chosen) ? cameras.find(({ id, label }) => id && label === USUAL_LENS) ?? null : null;
}
