// Holds the types that the package promises against the sources, when types are checked. Nothing imports this, and no package has it.

/**
 * @template {true} T
 * @typedef {T} Holds
 */
/** @typedef {Holds<import('./tracker.js').Tracker extends import('./public').Tracker ? true : false>} TrackerHolds */
/** @typedef {Holds<import('./sightline-view.js').ViewElement extends import('./public').ViewElement ? true : false>} ViewHolds */
/** @typedef {Holds<import('./model-element.js').ModelElement extends import('./public').ModelElement ? true : false>} ModelHolds */
/** @typedef {Holds<import('./public').ModelFault['code'] extends import('./model-file.js').ModelErrorCode ? true : false>} FaultHolds */
/** @typedef {Holds<import('./model-file.js').ModelErrorCode extends import('./public').ModelFault['code'] ? true : false>} FaultsHold */
/** @typedef {Holds<import('./webgl-bridge.js').WebGLBridge extends import('./public').WebGLBridge ? true : false>} WebGLHolds */
/** @typedef {Holds<Parameters<typeof import('./public').cssFollow>[3] extends Parameters<typeof import('./css-bridge.js').cssFollow>[3] ? true : false>} FollowHolds */
/** @typedef {Holds<import('./tracker.js').TrackerError extends import('./public').TrackerError ? true : false>} ErrorHolds */
/** @typedef {Holds<import('./public').Description extends import('./tracker.js').Description ? true : false>} DescriptionHolds */
/** @typedef {Holds<import('./public').TrackerOptions extends import('./tracker.js').TrackerOptions ? true : false>} OptionsHold */
export {};
