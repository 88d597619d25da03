// Writes answers as readable files, without what differs between two runs of the same program.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Version of a dataset. */
const version = /(?<![\da-f])[\da-f]{32}(?![\da-f])/g;

/** Parts of answers that differ between two runs of the same program, and what is recorded in their place. */
const volatile = [
  [/(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/g, '<id>'],
  [version, '<version>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g, '<time>'],
];

export function writerTo(folder) {
  const hidden = [];
  const versions = new Set();
  const clean = (text) => {
    for (const match of text.match(version) ?? []) versions.add(match);
    return [...hidden, ...volatile].reduce((cleaned, [part, name]) => cleaned.replaceAll(part, name), text);
  };
  const write = (name, content) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? clean(content) : content);
  };
  return {
    hide: (part, name) => void hidden.push([part, name]),
    write,
    /** Versions of datasets, once: a change of one would otherwise be a difference in most files. */
    writeVersions: () => writeFileSync(join(folder, 'versions.txt'), `${[...versions].sort().join('\n')}\n`),
    /** Tables and pictures in the value become files beside it. */
    writeJson: (name, value) => {
      const rest = withoutFiles(value, [], (path, ending, content) => {
        write(`${name}.${path.join('.')}${ending}`, content);
        return `in ${path.join('.')}${ending}`;
      });
      write(`${name}.json`, `${JSON.stringify(rest, null, 1)}\n`);
    },
  };
}

const pngStart = /^(?:data:image\/png;base64,)?(?=iVBORw0KGgo)/;

/** The value with sorted keys, and with what `keep` returns of each CSV and PNG in their places. */
function withoutFiles(value, path, keep) {
  if (typeof value === 'string') {
    if (String(path.at(-1)).endsWith('_csv')) return keep(path, '.csv', value);
    if (pngStart.test(value)) return keep(path, '.png', Buffer.from(value.replace(pngStart, ''), 'base64'));
    return value;
  }
  if (Array.isArray(value)) return value.map((one, at) => withoutFiles(one, [...path, at], keep));
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withoutFiles(value[key], [...path, key], keep)]));
}

const endings = { csv: 'text/csv', svg: 'image/svg', png: 'image/png', pdf: 'application/pdf' };

export function writeAnswer(files, name, { status, type, bytes }) {
  if (type.startsWith('application/json')) {
    const body = JSON.parse(bytes);
    files.writeJson(name, status < 300 ? body : { status, body });
    return;
  }
  const ending = Object.keys(endings).find((one) => type.startsWith(endings[one]));
  if (ending === undefined) files.write(`${name}.txt`, `${status} ${type}, ${bytesText(bytes)}`);
  else files.write(`${name}.${ending}`, ending === 'png' || ending === 'pdf' ? bytes : bytes.toString());
}

/** Length and checksum, with zeros in the place of what is volatile. */
function bytesText(bytes) {
  const stable = volatile.reduce(
    (text, [pattern]) => text.replaceAll(pattern, (digits) => '0'.repeat(digits.length)),
    bytes.toString('latin1'),
  );
  const checksum = createHash('sha256').update(stable, 'latin1').digest('hex');
  return `${bytes.length} bytes, sha256 ${checksum}\n`;
}
