"""What a page fetches, and how long it takes, until the first picture of a world: for the test of it and for
Benchmarks/web/first-frame."""

# Moments that only the page itself can tell without waiting for somebody to ask.
WATCH = """
window.moments = {};
addEventListener('click', (event) => {
  if (event.target.closest?.('#start-ar')) window.moments.tap ??= performance.now();
}, true);
new MutationObserver(() => {
  if (document.querySelector('.world-card[data-world]')) window.moments.usable ??= performance.now();
  if (document.querySelector('#start-ar:not([disabled])')?.checkVisibility()) window.moments.gate ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
FETCHED = """() => {
  const at = performance.getEntriesByName('sightline-first-frame')[0].startTime;
  const own = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter((e) => e.startTime < at && (e.entryType === 'navigation' || e.name.includes('/client/')) && !e.name.endsWith('.wasm')
      && !e.name.endsWith('.geoid'));
  const { tap, usable, gate } = window.moments;
  return { files: Object.fromEntries(own.map((e) => [e.name.replace(/^.*[/]client[/][^/]*[/]/, '').replace(/^https?:.*/, 'index.html'), e.encodedBodySize])),
    usable, gate, frame: at - tap };
}"""


def fetched(phone, way):
    """Opens a world by its address (`link`) or from the start page (`start`), up to its first picture; what was fetched for it,
    by file, and the moments."""
    phone.point(20.0)
    if way == "link":
        phone.open("/world/ulm", wait=False)
    else:
        phone.open(wait=False)
        phone.page.locator('.world-card[data-world="ulm"]').tap()
    phone.page.locator("#start-ar").tap()
    phone.wait_ready()
    return phone.page.evaluate(FETCHED)


def first_frame(phone, way):
    """Requests, bytes as sent, and milliseconds."""
    found = fetched(phone, way)
    times = {"usable": found["usable"]} if way == "start" else {"gate": found["gate"]}
    return {"requests": len(found["files"]), "bytes": sum(found["files"].values()), "frame": found["frame"], **times}
