import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openCounts } from '../counts/open-counts.ts';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import {
  convertMatrixMarket,
  type MatrixMarketFiles,
  type NamedFile,
} from '../matrix-market/convert-matrix-market.ts';
import { inspectTextFile } from '../matrix-market/inspect-text-file.ts';
import { writeCorruptH5ad, strangeNames } from './corrupt-h5ad.ts';
import { SeededRandom } from './simulated-files.ts';

interface CorruptOutcome {
  kind: 'bytes' | 'structure' | 'text';
  ended: 'well' | 'refused' | 'BADLY';
  why: string;
}

const fixtures = join(import.meta.dirname, '../../fixtures');
const h5seurats = join(import.meta.dirname, '../formats/h5seurat/fixtures');
const clear = new Set(['H5adError', 'TextFileError']);
const memory = 32 * 2 ** 20;
const catalogue = {
  name: 'Corrupt',
  disease: '',
  subdisease: '',
  category1: '',
  category2: '',
  description: '',
  simulated: true,
};

let originals: { name: string; bytes: Buffer }[] | undefined;

/** Makes the file of a number, always the same, and runs every step of an upload on it. Leaves nothing behind. */
async function tryCorruptFile(number: number): Promise<CorruptOutcome> {
  const random = new SeededRandom(number * 7919 + 1);
  const kind = (['bytes', 'structure', 'text'] as const)[number % 3]!;
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-corrupt-'));
  try {
    const works = kind === 'text' ? trioWorks(folder, random) : await h5adWorks(folder, kind, random);
    const refusals: string[] = [];
    let last: string | undefined;
    for (const [name, work] of works) {
      const problem = await problemOf(work);
      if (problem?.startsWith('BAD') === true) return { kind, ended: 'BADLY', why: `${name}: ${problem}` };
      if (problem !== undefined) refusals.push(problem);
      last = problem;
    }
    // The last work is the one that makes a dataset, which has need of less than the others read.
    const left = leftovers(folder, last !== undefined);
    if (left.length > 0) return { kind, ended: 'BADLY', why: `left over: ${left.join(', ')}` };
    return { kind, ended: refusals.length === 0 ? 'well' : 'refused', why: refusals.at(-1) ?? '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether HDF5 still reads a valid file: after giving up on a corrupt one, it reads no file in that thread. */
async function isHdf5Alive(): Promise<boolean> {
  try {
    await inspectH5ad(join(fixtures, 'csr-log.h5ad'));
    return true;
  } catch {
    return false;
  }
}

type Works = [string, () => Promise<unknown>][];

async function h5adWorks(folder: string, kind: 'bytes' | 'structure', random: SeededRandom): Promise<Works> {
  const path = join(folder, 'corrupt.h5ad');
  if (kind === 'structure') await writeCorruptH5ad(path, random);
  else {
    originals ??= [fixtures, h5seurats].flatMap((place) =>
      readdirSync(place)
        .filter((name) => /\.h5(ad|seurat)$/.test(name))
        .toSorted()
        .map((name) => ({ name, bytes: readFileSync(join(place, name)) })),
    );
    writeFileSync(path, corruptBytes(random.pick(originals).bytes, random));
  }
  return h5adPath(path, join(folder, 'store'));
}

function h5adPath(path: string, root: string): Works {
  return [
    ['inspect', () => inspectH5ad(path)],
    ['counts', () => readCounts(path)],
    ['import', () => importH5ad({ path, root, id: 'corrupt.h5ad', catalogue, memoryBudget: memory })],
  ];
}

function trioWorks(folder: string, random: SeededRandom): Works {
  const files = corruptTrio(folder, random);
  const output = join(folder, 'converted.h5ad');
  return [
    ...[files.matrix, ...files.tables].map(({ path, name }): Works[number] => [
      'inspect',
      () => inspectTextFile(path, name),
    ]),
    [
      'convert',
      async () => {
        await convertMatrixMarket(files, output);
        // What was converted is sound, so nothing of it may be refused.
        for (const [name, work] of h5adPath(output, join(folder, 'store')))
          await work().catch((cause: unknown) => {
            throw new Error(`${name} of a converted file`, { cause });
          });
      },
    ],
  ];
}

async function readCounts(path: string): Promise<void> {
  const counts = await openCounts(path);
  if (counts === undefined) return;
  try {
    if (counts.geneNames.length !== counts.geneCount) throw new Error('not as many names as genes');
    for (const { pointers, indices } of counts.blocks())
      if (pointers.at(-1) !== indices.length) throw new Error('a block does not fit its pointers');
  } finally {
    counts.close();
  }
}

/** Refusal code, `BAD…` for an unclear error, undefined on success. */
async function problemOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Error && clear.has(error.name) && 'code' in error) return String(error.code);
    const { stack = String(error), cause } = error instanceof Error ? error : { stack: String(error) };
    return `BAD ${stack}${cause === undefined ? '' : `\n${cause instanceof Error ? cause.stack : String(cause)}`}`;
  }
}

function leftovers(folder: string, refused: boolean): string[] {
  const inside = readdirSync(folder, { recursive: true }).map(String);
  return inside.filter(
    (name) =>
      /(^|\/)store\/incoming\/./.test(name) ||
      /\.(part|tmp|partial)/.test(name) ||
      (refused && /datasets\/.*\//.test(name)),
  );
}

export type CorruptMessage =
  | { begins: number }
  | { number: number; outcome: CorruptOutcome; milliseconds: number };

function tell(message: CorruptMessage): void {
  process.send?.(message);
}

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

function corruptTrio(folder: string, random: SeededRandom): MatrixMarketFiles {
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

function corruptBytes(original: Uint8Array, random: SeededRandom): Buffer {
  let bytes: Buffer = Buffer.from(original);
  if (random.chance(0.15)) return bytes.subarray(0, random.below(bytes.length));
  const count = 1 + random.below(maxChanges);
  for (let change = 0; change < count && bytes.length > 0; change++) {
    const reach = random.chance(0.5) ? Math.min(head, bytes.length) : bytes.length;
    bytes = random.pick(changes)(bytes, random.below(reach), random);
  }
  return bytes;
}

// Tries the files of the numbers FROM to TO, TO not among them, and tells its parent:
//     node corrupt-files-child.ts FROM TO
// It may end before TO, and is to be started again from there.
const [from, to] = process.argv.slice(2).map(Number) as [number, number];
for (let number = from; number < to; number++) {
  tell({ begins: number });
  const started = performance.now();
  const outcome = await tryCorruptFile(number);
  tell({ number, outcome, milliseconds: performance.now() - started });
  // The next file is not to be refused for the sake of this one: the parent goes on with a new process.
  if (outcome.why === 'unreadable' && !(await isHdf5Alive())) break;
}
process.disconnect?.();
