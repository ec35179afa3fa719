// The address of the departures: `#/transit?view=map|list`, `stop=ID`, and for the virtual phone `virtual=1` with `lat`,
// `lon`, `heading`, `pitch`.

export class TransitRoute {
  /** @param {URLSearchParams} query */
  constructor(query) {
    const number = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) => {
      const text = query.get(name)?.trim();
      const value = text ? Number(text) : NaN;
      return value >= low && value <= high ? value : undefined;
    };
    const view = query.get('view');
    /** @type {'view' | 'map' | 'list'} */
    this.shown = view === 'map' || view === 'list' ? view : 'view';
    this.stop = query.get('stop') ?? '';
    this.isVirtual = query.get('virtual') === '1';
    this.latitude = number('lat', -90, 90);
    this.longitude = number('lon', -180, 180);
    this.heading = number('heading', -360, 360);
    this.pitch = number('pitch', -89, 89);
  }
}
