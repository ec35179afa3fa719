// Holds the types that the package promises against the sources, when types are checked. Nothing imports this, and no package has it.

/**
 * @template {true} T
 * @typedef {T} Holds
 */
/** @typedef {Holds<import('./tracker.js').Tracker extends import('./public').Tracker ? true : false>} TrackerHolds */
/** @typedef {Holds<import('./sightline-view.js').ViewElement extends import('./public').ViewElement ? true : false>} ViewHolds */
/** @typedef {Holds<import('./tracker.js').TrackerError extends import('./public').TrackerError ? true : false>} ErrorHolds */
/** @typedef {Holds<import('./public').Description extends import('./tracker.js').Description ? true : false>} DescriptionHolds */
/** @typedef {Holds<import('./public').TrackerOptions extends import('./tracker.js').TrackerOptions ? true : false>} OptionsHold */
export {};
