import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { MatrixMarketFiles, NamedFile } from '../matrix-market/convert-matrix-market.ts';
import type { SeededRandom } from './simulated-files.ts';
import { strangeNames } from './corrupt-h5ad.ts';

interface Texts {
  matrix: string;
  barcodes: string;
  features: string;
}
type Part = keyof Texts;
type Bend = (texts: Texts, random: SeededRandom) => void;

const cells = 12;
const genes = 8;

function soundTexts(random: SeededRandom): Texts {
  const entries: string[] = [];
  for (let cell = 1; cell <= cells; cell++)
    for (let gene = 1; gene <= genes; gene++)
      if (random.chance(0.4)) entries.push(`${gene} ${cell} ${1 + random.below(30)}`);
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
  return {
    matrix: `%%MatrixMarket matrix coordinate integer general\n%\n${genes} ${cells} ${entries.length}\n${entries.join('\n')}\n`,
    barcodes: lines(cells, (at) => `AAAC${'ACGT'[at % 4]}${'ACGT'[at >> 2]}CCTG-1`),
    features: lines(genes, (at) => `ENSG0000000000${at}\tGENE${at}\tGene Expression`),
  };
}

function withField(text: string, random: SeededRandom, field: string): string {
  const lines = text.split('\n');
  const line = random.below(lines.length);
  const fields = lines[line]!.split(/[\t ]/);
  fields[random.below(fields.length)] = field;
  return [
    ...lines.slice(0, line),
    fields.join(text.startsWith('%%') ? ' ' : '\t'),
    ...lines.slice(line + 1),
  ].join('\n');
}

const numbers = [
  '-1',
  '0',
  '1.5',
  '1e400',
  'nan',
  'NaN',
  'inf',
  '-0',
  '1e3',
  '0x10',
  '99999999999999999999',
  '1 1',
];
const sizes = [
  '0 0 0',
  '8 12 999999999',
  '2147483647 2147483647 5',
  '99999999999999 12 4',
  '12 8 40',
  '8',
  '8 12 -4',
];
const banners = [
  '%%MatrixMarket matrix array integer general',
  '%%MatrixMarket matrix coordinate complex general',
  '%%MatrixMarket matrix coordinate integer symmetric',
  '%%MatrixMarket matrix coordinate pattern general',
  '%%matrixmarket MATRIX Coordinate REAL General',
  '%%MatrixMarket',
  '',
];
const parts: readonly Part[] = ['matrix', 'barcodes', 'features'];

const bends: readonly Bend[] = [
  (texts, random) => (texts.matrix = withField(texts.matrix, random, random.pick(numbers))),
  (texts, random) => (texts.matrix = texts.matrix.replace(/^\d+ \d+ \d+$/m, random.pick(sizes))),
  (texts, random) => (texts.matrix = texts.matrix.replace(/^.*$/m, random.pick(banners))),
  (texts, random) => {
    const part = random.pick(parts);
    texts[part] = withField(texts[part], random, random.pick(strangeNames));
  },
  (texts, random) => {
    const part = random.pick(parts);
    texts[part] = texts[part].replaceAll('\n', () => random.pick(['\r\n', '\n', '\r', '\n\n']));
  },
  (texts, random) => {
    const part = random.pick(parts);
    texts[part] = `\u{FEFF}${texts[part]}`;
  },
  // A line twice: a count, a barcode or a feature.
  (texts, random) => {
    const part = random.pick(parts);
    const lines = texts[part].split('\n');
    lines.push(random.pick(lines));
    texts[part] = lines.join('\n');
  },
  (texts, random) => {
    const part = random.pick(parts);
    const lines = texts[part].split('\n');
    lines.splice(random.below(lines.length), 1 + random.below(4));
    texts[part] = lines.join('\n');
  },
  (texts) => ([texts.barcodes, texts.features] = [texts.features, texts.barcodes]),
  (texts, random) =>
    (texts[random.pick(parts)] = random.pick(['', '\n', '\0', '\t\t\t\n', 'x'.repeat(70_000)])),
  (texts, random) => {
    const lines = texts.matrix.split('\n');
    texts.matrix = [...lines.slice(0, 3), ...lines.slice(3).toSorted(() => random.fraction() - 0.5)].join(
      '\n',
    );
  },
  (texts, random) =>
    (texts.barcodes = texts.barcodes.replaceAll('\n', `\t${random.pick(strangeNames)}\tx\n`)),
];

function asBytes(text: string, random: SeededRandom): Buffer {
  const kind = random.below(10);
  if (kind === 0) return Buffer.from(text, 'utf16le');
  if (kind === 1) return Buffer.from(`${text.slice(0, 40)}M\u00FCller\u20AC${text.slice(40)}`, 'latin1');
  if (kind === 2) return packed(text, random);
  if (kind === 3) return corruptBytes(gzipSync(text), random);
  if (kind === 4) return corruptBytes(Buffer.from(text), random);
  return Buffer.from(text);
}

function packed(text: string, random: SeededRandom): Buffer {
  const half = text.length >> 1;
  switch (random.below(4)) {
    case 0:
      return Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
    case 1:
      return Buffer.concat([gzipSync(text), Buffer.alloc(1 + random.below(600), random.below(256))]);
    case 2:
      return gzipSync(random.chance(0.5) ? gzipSync(text) : Buffer.from('\u0089HDF\r\n\u001a\n', 'latin1'));
    default:
      return gzipSync(text);
  }
}

/** Near the maximum gzip ratio: unpacks to more than memory should hold. */
function bomb(text: string): Buffer {
  return gzipSync(Buffer.concat([Buffer.from(text), Buffer.alloc(80_000_000, '%\n')]), { level: 1 });
}

export function corruptTrio(folder: string, random: SeededRandom): MatrixMarketFiles {
  const texts = soundTexts(random);
  for (let count = random.below(3); count >= 0; count--) random.pick(bends)(texts, random);
  const save = (part: Part, name: string): NamedFile => {
    const path = join(folder, `${part}.bin`);
    // Rarely, as it takes long to make.
    const bytes = random.chance(0.004) ? bomb(texts[part]) : asBytes(texts[part], random);
    writeFileSync(path, bytes);
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return { path, name: random.chance(0.05) ? random.pick(strangeNames) : packed ? `${name}.gz` : name };
  };
  return {
    matrix: save('matrix', 'matrix.mtx'),
    tables: [save('barcodes', 'barcodes.tsv'), save('features', 'features.tsv')],
  };
}

/** Most of the structure of an HDF5 file, and the head of a text, are in this many bytes. */
const head = 4096;
const maxChanges = 12;

type Change = (bytes: Buffer, at: number, random: SeededRandom) => Buffer;

const extremes = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 40, 2 ** 52];

const changes: readonly Change[] = [
  (bytes, at, random) => {
    bytes[at]! ^= 1 << random.below(8);
    return bytes;
  },
  (bytes, at, random) => {
    bytes[at] = random.below(256);
    return bytes;
  },
  // A length or an address becomes far too large, or nothing.
  (bytes, at, random) => {
    const aligned = at - (at % 8);
    if (aligned + 8 <= bytes.length) bytes.writeBigUInt64LE(BigInt(random.pick(extremes)), aligned);
    return bytes;
  },
  (bytes, at, random) =>
    bytes.fill(random.pick([0, 0xff, 0x20]), at, Math.min(bytes.length, at + random.below(64))),
  (bytes, at, random) => {
    const inserted = Buffer.from(Array.from({ length: 1 + random.below(32) }, () => random.below(256)));
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
  },
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(64))]),
  // A piece of the file in another place of it: all well-formed, and all wrong.
  (bytes, at, random) => {
    const from = random.below(bytes.length);
    bytes.copy(bytes, at, from, from + random.below(256));
    return bytes;
  },
];

export function corruptBytes(original: Uint8Array, random: SeededRandom): Buffer {
  let bytes: Buffer = Buffer.from(original);
  if (random.chance(0.15)) return bytes.subarray(0, random.below(bytes.length));
  const count = 1 + random.below(maxChanges);
  for (let change = 0; change < count && bytes.length > 0; change++) {
    const reach = random.chance(0.5) ? Math.min(head, bytes.length) : bytes.length;
    bytes = random.pick(changes)(bytes, random.below(reach), random);
  }
  return bytes;
}
