// Compares two recorded folders, file by file.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { PNG } from 'pngjs';

/** @returns lines `file: where it differs first`, and the pictures that differ in soft edges of type alone */
export function differences(before, after) {
  const [old, now] = [filesIn(before), filesIn(after)];
  const lines = [];
  const softened = [];
  for (const file of [...new Set([...old, ...now])].sort()) {
    if (!now.has(file)) lines.push(`${file}: is gone`);
    else if (!old.has(file)) lines.push(`${file}: is new`);
    else {
      const [a, b] = [before, after].map((folder) => readFileSync(join(folder, file)));
      if (a.equals(b)) continue;
      const difference = file.endsWith('.png') ? pixels(a, b) : firstDifference(file, a, b);
      if (difference === undefined) softened.push(file);
      else lines.push(`${file}: ${difference}`);
    }
  }
  return { lines, softened };
}

/**
 * After a change of wording: JSON and CSV without their texts, as numbers, keys and lengths of lists, and the lines of a
 * CSV below its head.
 *
 * @returns lines `file: each number that differs`, and how many numbers and lines are equal
 */
export function numericDifferences(before, after) {
  const now = filesIn(after);
  const lines = [];
  const same = { numbers: 0, rows: 0 };
  for (const file of [...filesIn(before)].sort()) {
    if (!now.has(file)) {
      lines.push(`${file}: is gone`);
      continue;
    }
    const [a, b] = [before, after].map((folder) => readFileSync(join(folder, file), 'utf8'));
    const differing = file.endsWith('.json')
      ? [...numbersThatDiffer(JSON.parse(a), JSON.parse(b), '', same)]
      : /\.[ct]sv$/.test(file)
        ? rowsThatDiffer(a, b, same)
        : [];
    if (differing.length > 0)
      lines.push(
        `${file}: ${differing.slice(0, 3).join('; ')}${differing.length > 3 ? `; ${differing.length - 3} more` : ''}`,
      );
  }
  return { lines, same };
}

function* numbersThatDiffer(a, b, path, same) {
  if (typeof a === 'string' && typeof b === 'string') return;
  const areObjects = [a, b].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) {
    if (a === b) same.numbers += 1;
    else yield `${path || 'all'}: ${shown(JSON.stringify(a), JSON.stringify(b))}`;
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    yield* numbersThatDiffer(a[key], b[key], `${path}/${key}`, same);
}

function rowsThatDiffer(a, b, same) {
  const [before, after] = [a, b].map((text) => text.split('\n').filter((line) => !line.startsWith('#')));
  const at = before.findIndex((line, place) => line !== after[place]);
  if (at !== -1 || before.length !== after.length) return [`row ${at + 1}: ${shown(before[at], after[at])}`];
  same.rows += before.length;
  return [];
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      ),
  );
}

function firstDifference(file, a, b) {
  if (file.endsWith('.json')) return inValues(JSON.parse(a), JSON.parse(b), '');
  if (/\.(pdf|parquet)$/.test(file)) {
    const at = a.findIndex((byte, place) => byte !== b[place]);
    return `${a.length} and ${b.length} bytes, from byte ${at === -1 ? a.length : at} on`;
  }
  const [before, after] = [a, b].map((bytes) => bytes.toString().split('\n'));
  const at = before.findIndex((line, place) => line !== after[place]);
  const place = at === -1 ? before.length : at;
  return `line ${place + 1}: ${shown(before[place], after[place])}`;
}

/**
 * The server caches bitmaps of lines of type, whose edges depend in the last levels on the lines that they were drawn
 * beside, and so on what the thread drew before.
 */
const maxSoftLevels = 24;
const maxSoftShare = 0.0002;

function pixels(a, b) {
  const [before, after] = [PNG.sync.read(a), PNG.sync.read(b)];
  const { width, height } = before;
  if (width !== after.width || height !== after.height) {
    return `${width} × ${height} pixels became ${after.width} × ${after.height}`;
  }
  let count = 0;
  let levels = 0;
  for (let at = 0; at < before.data.length; at += 4) {
    if (before.data.readUInt32LE(at) === after.data.readUInt32LE(at)) continue;
    count++;
    for (let channel = at; channel < at + 4; channel++) {
      levels = Math.max(levels, Math.abs(before.data[channel] - after.data[channel]));
    }
  }
  if (count === 0) return 'same pixels, other bytes';
  if (levels <= maxSoftLevels && count <= maxSoftShare * width * height) return undefined;
  return `${count} of ${width * height} pixels, by up to ${levels} of 255 levels`;
}

function inValues(a, b, path) {
  const areObjects = [a, b].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects || Array.isArray(a) !== Array.isArray(b)) {
    return `${path || 'all'}: ${shown(JSON.stringify(a), JSON.stringify(b))}`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (JSON.stringify(a[key]) !== JSON.stringify(b[key])) return inValues(a[key], b[key], `${path}/${key}`);
  }
  return 'other layout of the same values';
}

/** Maximum length of a text in a line of the report, in characters. */
const maxShown = 120;

/** Both texts from shortly before their first difference. */
function shown(a = '(nothing)', b = '(nothing)') {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 30);
  const part = (text) => `${from > 0 ? '…' : ''}${text.slice(from, from + maxShown)}`;
  return `${part(a)} became ${part(b)}`;
}
