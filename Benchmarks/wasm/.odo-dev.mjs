// World tracking as the page has it: a sequence of the form that `sightline odometry track` reads, through odometry.wasm.
//
//   node Benchmarks/wasm/odometry.mjs FOLDER [--output poses.csv] [--native poses.csv]
//
// FOLDER has grey frames as PGM files. Prints how long frames take (readings before a frame count with it), and writes poses as the command
// does; `--native` compares them with those of the command. Times are those of the processor, so that what else runs does not count.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Odometry } from '../../WebClient/engine/odometry.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values, positionals: [folder] } = parseArgs({
  allowPositionals: true, options: { output: { type: 'string' }, native: { type: 'string' } },
});
if (!folder) {
  console.error('usage: node Benchmarks/wasm/odometry.mjs FOLDER [--output poses.csv] [--native poses.csv]');
  process.exit(2);
}
const DEGREES = 180 / Math.PI;
const READOUT = { '+x': 'right', '-x': 'left', '+y': 'down', '-y': 'up' };
const GOAL = { p50: 8, p95: 12, p99: 16 };

/** @param {string} name */
function rows(name) {
  const [, ...lines] = readFileSync(name, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

/** The grey levels of a PGM file. @param {string} name */
function pgm(name) {
  const file = readFileSync(name);
  const head = /^P5\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 200).toString('latin1'));
  if (!head) throw new Error(`${name} is no PGM file of 8 bits`);
  return file.subarray(head[0].length);
}

const sequence = JSON.parse(readFileSync(join(folder, 'sequence.json'), 'utf8'));
const { width, height } = sequence;
const build = '/work/page/.build-wasm/release';
const module = await WebAssembly.compile(readFileSync(join(build, 'odometry.wasm')));
const odometry = await Odometry.make(module);
odometry.begin({ width, height, focal: sequence.focal_guess, screenAngle: sequence.screen_angle, readout: READOUT[sequence.readout] });
const layout = { format: 'gray', width, height, offset: 0, stride: width, isLimited: false };
const readings = rows(join(folder, 'imu.csv'));
const milliseconds = [];
const poses = [];
let next = 0;
for (const [time, number] of rows(join(folder, 'frames.csv'))) {
  const path = sequence.frames.pattern.replace(/%0?(\d*)d/, (_, digits) => String(number).padStart(Number(digits || 1), '0'));
  odometry.room(width * height).set(pgm(join(folder, path)));
  const start = process.cpuUsage();
  for (; next < readings.length && readings[next][0] <= time; next++) {
    const [t, gx, gy, gz, ax, ay, az] = readings[next];
    odometry.motion(t, [gx * DEGREES, gy * DEGREES, gz * DEGREES], [ax, ay, az]);
  }
  const seen = odometry.look(layout, time);
  const { user, system } = process.cpuUsage(start);
  milliseconds.push((user + system) / 1000);
  poses.push(seen);
}
const STATES = ['none', 'orientation', 'uncertainScale', 'metric'];
if (values.output) {
  const lines = poses.map(({ time, position, rotation, state, positionDeviation, yawDeviation, focal, timeOffset, rowTime }, k) => [
    time, ...position, ...rotation, STATES.indexOf(state), positionDeviation, yawDeviation, focal, timeOffset, rowTime, milliseconds[k],
  ].join());
  writeFileSync(values.output, `t,px,py,pz,qw,qx,qy,qz,state,sigma_p,sigma_yaw,focal,offset,row_time,milliseconds\n${lines.join('\n')}\n`);
}
const sorted = milliseconds.slice().sort((a, b) => a - b);
const at = (/** @type {number} */ part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
const missed = Object.entries(GOAL).filter(([name, goal]) => at(Number(name.slice(1)) / 100) > goal);
console.log(`${poses.length} frames: ${at(0.5).toFixed(2)} ms in the median, 95 % ${at(0.95).toFixed(2)}, 99 % ${at(0.99).toFixed(2)}, ` +
  `longest ${at(1).toFixed(2)}; goals ${Object.values(GOAL).join(', ')}${missed.length ? `, missed: ${missed.map(([name]) => name).join(' ')}` : ''}`);
if (values.native) {
  let [largest, turned, same] = [0, 0, 0];
  rows(values.native).forEach((row, k) => {
    const { position, rotation } = poses[k];
    const way = Math.hypot(...position.map((value, axis) => value - row[1 + axis]));
    const dot = Math.abs(rotation.reduce((sum, value, axis) => sum + value * row[4 + axis], 0));
    largest = Math.max(largest, way);
    turned = Math.max(turned, 2 * Math.acos(Math.min(1, dot)) * DEGREES);
    if (way === 0) same += 1;
  });
  console.log(`against the command: at most ${largest.toExponential(2)} m and ${turned.toExponential(2)}° apart, ${same} frames the same`);
}
