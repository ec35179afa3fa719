// How a world looks in a view, beside the page's own sheet of labels. Sizes of labels are what the engine was told: not here, and not by parts.

export const STYLE = `
.world { position: absolute; inset: 0; pointer-events: none; font: 1rem/1.4 system-ui, sans-serif; color: #fff;
  --pick: var(--sightline-pick, #ffcf5c); --touch: 44px; --accent: var(--sightline-accent, #6ee7c7); }
.world *, .world *::before, .world *::after { box-sizing: border-box; }
.world-scene, .world-scene > div, .world-scene > canvas:not(.world-radar) { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: fill; }
.world-scene > canvas { pointer-events: none; }
.world [hidden], .world svg[hidden] { display: none !important; }
.world button { min-height: 0; font: inherit; color: inherit; }
.world .label, .world .cluster, .world .edge-arrow { border: 0; cursor: pointer; font-family: inherit; line-height: inherit;
  -webkit-tap-highlight-color: transparent; touch-action: manipulation; color: var(--sightline-label-color, #fff); }
.world .label:not(.selected, .pictured, [data-level="dot"]), .world .edge-arrow:not(.for-selection) { background: var(--sightline-label, rgb(12 18 24 / 0.88)); }
.world .label.selected, .world .edge-arrow.for-selection { color: #14110a; }
.world .label { border-radius: 0.75rem; }
.world .label:not([data-level="pill"], [data-level="dot"], .pictured) { padding: 0.4375rem 0.625rem; }
.world .label[data-level="pill"] { padding: 0 0.5rem; border-radius: 0.8125rem; }
.world .label[data-level="dot"] { padding: 0; background: none; }
.world .label.pictured { padding: 4px; }
.world .cluster { padding: 0; border-radius: 22px; background: rgb(14 62 54 / 0.92); }
.world .edge-arrow { padding: 0 0.625rem; border-radius: 1.375rem; }
.world .icon { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.world-radar { position: absolute; inset: auto auto 8px 8px; width: 72px; height: 72px; }
.world-credit, .world-notice { position: absolute; margin: 0; }
.world-credit { inset: auto 6px 2px auto; max-width: 60%; font-size: 0.625rem; line-height: 1.2; text-align: right; text-shadow: 0 0 3px #000, 0 0 3px #000; }
.world-notice { inset: 8px 8px auto; width: fit-content; margin: 0 auto; padding: 0.5rem 0.75rem; border-radius: 0.6em; background: rgb(12 18 24 / 0.9); font-size: 0.875rem; }
.card { position: absolute; inset: auto 8px 8px; max-width: 26rem; max-height: min(60%, 24rem); margin: 0 auto; overflow: auto; pointer-events: auto;
  border-radius: var(--sightline-radius, 0.9rem); color: var(--sightline-card-color, #101a20); background: var(--sightline-card, #fff); box-shadow: 0 4px 24px rgb(0 0 0 / 0.4); }
.world-credit:not([hidden]) ~ .world-scene .card { bottom: 1.25rem; }
.card:focus-visible, .card-close:focus-visible, .card a:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.card header { position: sticky; top: 0; display: flex; align-items: start; gap: 0.5rem; padding: 0.5rem 0.5rem 0 1rem; background: inherit; }
.card-own { background: inherit; }
.card h2 { flex: 1; margin: 0.5rem 0 0; font-size: 1.125rem; line-height: 1.25; overflow-wrap: anywhere; }
.world .card-close { flex: none; width: 44px; height: 44px; padding: 0; border-radius: 50%; background: none; font-size: 1.5rem; line-height: 1; }
.card img { display: block; width: 100%; max-height: 11rem; margin-top: 0.5rem; object-fit: cover; }
.card-body { padding: 0 1rem 1rem; overflow-wrap: anywhere; }
.card-body p, .card-body dl { margin: 0.25rem 0 0; }
.card-far { font-size: 0.875rem; opacity: 0.75; font-variant-numeric: tabular-nums; }
.card-text { white-space: pre-line; }
.card dt { font-size: 0.75rem; opacity: 0.75; }
.card dd { margin: 0; }
.card a { color: inherit; text-decoration: underline; }
.card-links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.card-links a { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; }
@media (prefers-color-scheme: dark) { .card { color: var(--sightline-card-color, #f3f6f7); background: var(--sightline-card, #141d24); } }
@media (max-height: 26rem) and (min-width: 36rem) { .card { inset: 8px 8px 8px auto; width: 20rem; max-height: none; height: fit-content; margin: auto 0 0; } }
@media (prefers-reduced-motion: reduce) { .world *, .world *::before { animation: none !important; } }
`;
