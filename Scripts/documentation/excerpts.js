// Puts the words around what was asked for under each page that search found.
(() => {
  const texts = window.pageText ?? {};
  const asked = (new URLSearchParams(location.search).get('q') ?? '').toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter((word) => word.length > 1);
  const root = new URL('.', location.href).pathname;
  const BEFORE = 60, AFTER = 140;

  function excerpt(text) {
    const small = text.toLowerCase();
    const [at = 0, word = ''] = asked.flatMap((each) => (small.includes(each) ? [[small.indexOf(each), each]] : [])).sort(([a], [b]) => a - b)[0] ?? [];
    const begin = Math.max(0, at - BEFORE), end = at + word.length + AFTER;
    const element = document.createElement('p');
    element.className = 'excerpt';
    const mark = document.createElement('mark');
    mark.textContent = text.slice(at, at + word.length);
    element.append(begin ? '… ' : '', text.slice(begin, at), ...(word ? [mark] : []), text.slice(at + word.length, end), end < text.length ? ' …' : '');
    return element;
  }

  function show() {
    for (const item of document.querySelectorAll('#search-results li:not([data-excerpt])')) {
      const link = item.querySelector('a');
      if (!link) continue;
      item.dataset.excerpt = '';
      const path = decodeURI(new URL(link.href).pathname);
      const text = texts[path.slice(decodeURI(root).length).replace(/\.html$/, '')];
      if (text) item.append(excerpt(text));
    }
  }

  const results = document.querySelector('#search-results');
  if (results) new MutationObserver(show).observe(results, { childList: true, subtree: true });
  show();
})();
