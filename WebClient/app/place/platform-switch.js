// From the page's own tracking to the phone's (WebXR) and back: offered where the browser has it, with what cannot be had meanwhile. All
// that it takes is loaded when it is wanted.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';

/**
 * @typedef {import('../xr/platform-source.js').PlatformSource} PlatformSource
 * @typedef {import('../xr/platform-source.js').PlatformSight} PlatformSight
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 * @typedef {{ gl: () => WebGL2RenderingContext, preview: number, see: (sight: PlatformSight) => void, lose: (numbers: number[]) => void,
 *   clear: () => void, lend: () => void, takeBack: () => void, showState: () => void }} Page `gl`: what everything is drawn with; `lose`: of
 *   these it is not known any more where they are; `clear`: nothing is set down any more; `lend`: the page's own tracking lets go of the
 *   camera; `takeBack`: it goes on
 */

export class PlatformSwitch {
  /** @type {PlatformSource | null} while the phone's own tracking runs */
  source = null;
  #isClosed = false;
  #isAsking = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * What the menu offers; `null` where the browser has nothing of the kind.
   * @returns {Promise<import('../ui/part-menu.js').MenuItem | null>}
   */
  async menuItem() {
    const { source } = this;
    if (source) return { symbol: 'stop', key: 'place.platformEnd', id: 'place-platform-end', run: () => source.close() };
    if (!navigator.xr) return null;
    const [support] = await Promise.all([import('../xr/support.js'), import('../xr/platform-source.js')]);
    if (!(await support.hasPlatformTracking())) return null;
    return { symbol: 'ar', key: 'place.platform', id: 'place-platform', run: () => this.#offer(support) };
  }

  /** @param {typeof import('../xr/support.js')} support */
  #offer(support) {
    const start = localized(h('button', {
      type: 'button', class: 'button primary', id: 'place-platform-start',
      onclick: () => {
        dialog.close();
        void this.#begin(support);
      },
    }), 'place.start');
    const dialog = showDialog(
      { title: t('place.platform'), id: 'platform-dialog' }, localized(h('p'), 'place.platformText'), localized(h('p'), 'place.platformWithout'), start,
    );
  }

  /** @param {typeof import('../xr/support.js')} support */
  async #begin({ openSession, refusalKey }) {
    if (this.#isAsking || this.source) return;
    this.#isAsking = true;
    // The platform wants the camera for itself.
    this.page.lend();
    try {
      // Nothing is waited for before: browsers ask inside a tap only.
      const session = await openSession(document.body);
      const { PlatformSource } = await import('../xr/platform-source.js');
      const source = await PlatformSource.open(session, this.page.gl());
      if (this.#isClosed) return source.close();
      this.#use(source);
    } catch (error) {
      console.info(`the phone's own tracking did not begin: ${error}`);
      if (this.#isClosed) return;
      toast(t(refusalKey(error)), { kind: 'warning', key: 'platform' });
      this.page.takeBack();
    } finally {
      this.#isAsking = false;
    }
  }

  /** @param {PlatformSource} source */
  #use(source) {
    // What was set down before lies in the other's world, and is taken away there.
    this.page.clear();
    this.source = source;
    document.documentElement.dataset.platform = 'webxr';
    source.on('sight', (sight) => this.page.see(sight));
    source.on('forgotten', (numbers) => this.page.lose(numbers));
    source.on('visibility', () => this.page.showState());
    source.on('ended', () => this.#end());
    source.preview(this.page.preview, 'flat');
    this.page.showState();
  }

  #end() {
    this.source = null;
    delete document.documentElement.dataset.platform;
    if (this.#isClosed) return;
    toast(t('place.platformEnded'), { key: 'platform' });
    this.page.clear();
    this.page.takeBack();
  }

  /**
   * What the page says instead of its own advice.
   * @param {Tracked} tracked
   * @param {boolean} isLost what was set down
   * @returns {TextKey | null} `null`: its own
   */
  words({ state, isLost: isUnsure }, isLost) {
    if (!this.source) return null;
    return state === 'none' && !isLost ? 'place.platformStarting' : isUnsure || isLost ? 'place.platformLost' : null;
  }

  close() {
    this.#isClosed = true;
    this.source?.close();
  }
}
