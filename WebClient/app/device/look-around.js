// Mouse, touch, wheel and keys on the picture drive the virtual phone.

import { reducedMotion } from '../core/dom.js';

/** @typedef {import('./virtual-phone.js').VirtualPhone} VirtualPhone */

/** Pixels a pointer may wander and still be a tap. */
const TAP_SLOP = 8;

/**
 * @param {HTMLElement} surface
 * @param {VirtualPhone} phone
 * @param {{ active: () => boolean, tap: (x: number, y: number) => void, zoom?: (steps: number) => void }} options
 *   `active`: whether looking around by hand is on; a tap is reported in any case
 */
export function lookAround(surface, phone, options) {
  /** @type {{ id: number, x: number, y: number, time: number, startX: number, startY: number, moved: boolean, touch: boolean } | null} */
  let drag = null;

  surface.addEventListener('pointerdown', (event) => {
    if (drag || (event.pointerType === 'mouse' && event.button !== 0)) return;
    drag = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      time: event.timeStamp,
      startX: event.clientX,
      startY: event.clientY,
      moved: false,
      touch: event.pointerType !== 'mouse',
    };
    phone.hold();
  });

  surface.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const travelled = Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY);
    if (!drag.moved && travelled > TAP_SLOP) {
      drag.moved = true;
      // Only now: a captured pointer would take the click away from a label's button.
      surface.setPointerCapture(event.pointerId);
      surface.classList.add('dragging');
    }
    if (drag.moved && options.active()) {
      phone.drag(event.clientX - drag.x, event.clientY - drag.y, (event.timeStamp - drag.time) / 1000);
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    drag.time = event.timeStamp;
  });

  /** @param {PointerEvent} event */
  const end = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { moved, time, touch } = drag;
    drag = null;
    surface.classList.remove('dragging');
    phone.release(moved && touch && !reducedMotion() && event.timeStamp - time < 60);
    if (!moved && event.type === 'pointerup' && event.target === surface) options.tap(event.clientX, event.clientY);
    if (moved) suppressClick(surface);
  };
  surface.addEventListener('pointerup', end);
  surface.addEventListener('pointercancel', end);

  surface.addEventListener('wheel', (event) => {
    if (!options.active()) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey) return;
    if (phone.canWalk && event.deltaY) phone.walk(-event.deltaY * lines * (event.shiftKey ? 0.4 : 0.1), 0);
    if (event.deltaX) phone.turn(event.deltaX * lines * 0.08, 0);
  }, { passive: false });
}

/**
 * A drag that began on a label must not end as its click.
 * @param {HTMLElement} surface
 */
function suppressClick(surface) {
  /** @param {Event} event */
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  surface.addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => surface.removeEventListener('click', stop, { capture: true }), 50);
}
