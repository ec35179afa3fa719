// What a browser's `altitude` is measured from. The page is not told: what is known of the platforms has to serve.
//
// | platform | `GeolocationCoordinates.altitude` | source |
// |---|---|---|
// | the specification | metres above the WGS84 ellipsoid | W3C Geolocation, `altitude` |
// | iOS, iPadOS, macOS | mean sea level | WebKit, and Chromium on these systems, hand on `CLLocation.altitude`, which Apple documents as
// |   | | "above mean sea level"; its `ellipsoidalAltitude` (iOS 15) is not what they ask for |
// | Android | the ellipsoid | Chromium hands on `Location.getAltitude()`, which Android documents as "above the WGS84 reference
// |   | | ellipsoid". Android 14 has `getMslAltitudeMeters()` beside it; the builds that were looked at do not ask for it |
// | others | as the specification says, where there is an altitude at all | |
//
// Every browser on an Apple system takes its positions from there, so the system counts and not the browser. On an iPad that asks for the
// desktop's pages the system is called Macintosh.

/** @typedef {import('../../engine/bindings').HeightDatum} HeightDatum */

/**
 * @param {string} [agent]
 * @returns {HeightDatum}
 */
export function altitudeDatum(agent = navigator.userAgent) {
  return /iPhone|iPad|iPod|Macintosh/.test(agent) ? 'seaLevel' : 'ellipsoid';
}
