// What the tests need built: the WebAssembly file and the native engine's answers. Made when missing or out of date.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Bytes of the release build: the session. */
export const engineBytes = () => bytesOf('sightline.wasm');
/** Bytes of the release build: a session for places alone. */
export const placesBytes = () => bytesOf('places.wasm');
/** Bytes of the release build: what looks into pictures. */
export const visionBytes = () => bytesOf('vision.wasm');
/** Bytes of the release build: what makes fronts of walls. */
export const wallsBytes = () => bytesOf('walls.wasm');
/** Bytes of the release build: what reads models. */
export const modelsBytes = () => bytesOf('models.wasm');
/** Bytes of the release build: what tracks the phone through the world. */
export const odometryBytes = () => bytesOf('odometry.wasm');

/** @param {string} file */
function bytesOf(file) {
  const output = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return readFileSync(join(output.trimEnd().split('\n').at(-1), file));
}

/** The calls and answers that the native tests wrote down, one object a line. */
export function parityLines() {
  return written('parity.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
}

/** Codes that the native engine made, as rows of # for dark. */
export function madeCodes() {
  return JSON.parse(written('codes.json'));
}

/** A target, frames and what the native engine makes of them. */
export function targetParity() {
  return JSON.parse(written('targets.json'));
}

/** A walk through a drawn room, its frames, and what the native engine makes of them. */
export function odometryParity() {
  const record = JSON.parse(written('odometry.json'));
  return { ...record, pixels: new Uint8Array(readFileSync(join(root, '.build-wasm', 'odometry.gray'))) };
}

/** @param {string} name what the native tests write; they are run when it is missing or out of date */
function written(name) {
  const path = join(root, '.build-wasm', name);
  const sources = ['Sources/Engine', 'Sources/Web', 'Tests/SightlineWasmTests', 'Tests/Support'];
  const changed = Math.max(...sources.map((folder) => newest(join(root, folder))));
  if (!existsSync(path) || statSync(path).mtimeMs < changed) {
    // A build of its own without the server, seconds instead of minutes.
    execFileSync('swift', ['test', '--scratch-path', '.build-core', '--filter', 'ParityCases'], {
      cwd: root, env: { ...process.env, SIGHTLINE_CORE_ONLY: '1' }, stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return readFileSync(path, 'utf8');
}

/** @param {string} folder */
function newest(folder) {
  return Math.max(0, ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
  }));
}
