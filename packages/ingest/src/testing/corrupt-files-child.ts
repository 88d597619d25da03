import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCounts } from '../counts/open-counts.ts';
import { importH5ad, inspectH5ad } from '../import-h5ad.ts';
import { convertMatrixMarket } from '../matrix-market/convert-matrix-market.ts';
import { inspectTextFile } from '../matrix-market/inspect-text-file.ts';
import { corruptBytes, corruptTrio } from './corrupt-trio.ts';
import { writeCorruptH5ad } from './corrupt-h5ad.ts';
import { SeededRandom } from './simulated-files.ts';

interface CorruptOutcome {
  readonly kind: 'bytes' | 'structure' | 'text';
  readonly ended: 'well' | 'refused' | 'BADLY';
  readonly why: string;
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

let originals: { readonly name: string; readonly bytes: Buffer }[] | undefined;

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
  | { readonly begins: number }
  | { readonly number: number; readonly outcome: CorruptOutcome; readonly milliseconds: number };

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

function tell(message: CorruptMessage): void {
  process.send?.(message);
}
