// Workers for a page of any origin. Browsers start workers from the page's own origin only: from elsewhere a script of one line, made
// here, imports the worker. The page's policy then has to allow `worker-src blob:`.

/** @param {URL} script of the worker, a module */
export function ownWorker(script) {
  if (script.origin === location.origin) return new Worker(script, { type: 'module' });
  const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: 'text/javascript' }));
  try {
    return new Worker(address, { type: 'module' });
  } finally {
    // The worker has its script by then or fetches it from the entry that it keeps.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
