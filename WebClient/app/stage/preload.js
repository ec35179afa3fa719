// The modules of an open world, named so that a phone fetches them at once and not one after the other: the page names those
// that every visit begins with. `node --test WebClient/tests` says when this list is not the right one.

/** @type {Record<string, string>} names by folder */
const MODULES = {
  'app/ar': 'arrows labels marks measure pool radar',
  'app/controls': 'segmented',
  'app/core': 'angles consents emitter format',
  'app/device': 'camera device location look-around orientation picture-age virtual-phone wake-lock',
  'app/net': 'addresses assets request-fields',
  'app/session': 'category-icons clock content loader place-marks reach session several wording worlds',
  'app/show': 'prints',
  'app/stage': 'anchors ar-view bars commands failure far frame-loop messages occupied parts-by-need sheet snapshot stage standing',
  'app/ui': 'dialog gate status',
  'app/vision': 'picture-numbers',
};

/** Begins to fetch what an open world needs. */
export function preloadStage() {
  for (const [folder, names] of Object.entries(MODULES)) {
    for (const name of names.split(' ')) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = new URL(`../../${folder}/${name}.js`, import.meta.url).href;
      if (!document.head.querySelector(`link[href="${link.href}"]`)) document.head.append(link);
    }
  }
}
