import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobProblem } from '@cellfolio/contract';
import type { InputFile, Work, WorkContext, WorkResults } from '../work/index.ts';

/**
 * Test work that does what its file says, one word per line, and appends a line for each run to `runs` beside it. wait
 * PATH: until PATH exists · unless PATH WORD: the word, unless PATH exists · crash · crash-once PATH: unless PATH
 * exists · fill: memory · spin: for ever, without responding · hang: the same, without work · columns NAME NAME: of an
 * .h5ad · refuse · asks: what the values of an .h5ad are · review: waits for its owner · strange: names that no
 * database accepts · large BYTES: size of the converted file · env: the environment
 */
export async function runWork(work: Work, context: WorkContext): Promise<WorkResults[Work['kind']]> {
  if (work.kind === 'subset') {
    // What the dataset is called is what is done.
    await follow(work.parent.name, work.kind, context);
    await writeFile(work.output, work.cells);
    return { columns: { cellType: 'type' }, notes: ['Some cells.'] };
  }
  if (work.kind === 'cellxgene') throw new Error('Tests of this work do it.');
  const { path, name } = inputOf(work);
  const text = await readFile(path, 'utf8');
  const folder = /^runs (.*)$/m.exec(text)?.[1] ?? dirname(path);
  await appendFile(`${folder}/runs`, `${work.kind} ${name} ${process.pid}\n`);
  context.onProgress('Doing what the file says', 0.5);
  for (const line of text.split('\n')) await follow(line, work.kind, context);
  switch (work.kind) {
    case 'inspect':
      return name.endsWith('.h5ad') ? h5adReport(text) : tableReport(text);
    case 'convert': {
      const size = Number(/^large (\d+)$/m.exec(text)?.[1] ?? 10);
      await writeFile(work.output, Buffer.alloc(size));
      return { cells: 4, genes: 5, entries: 6, notes: ['Six entries.'] };
    }
    case 'combine': {
      await writeFile(work.output, 'combined');
      const files = work.samples.map(({ sample, file }) => ({ sample, file: file.name, cells: 4, genes: 5 }));
      return {
        record: { genes: { kept: work.genes, matchedBy: 'names', shared: 5, ofAny: 5 }, files },
        notes: ['Eight cells.'],
      };
    }
    case 'build':
      return { version: 'v1', cells: 4, genes: 5, carriedBytes: 300, processed: undefined, notes: [] };
  }
}

function inputOf(work: Exclude<Work, { kind: 'subset' | 'cellxgene' }>): InputFile {
  if (work.kind === 'convert') return work.matrix;
  return work.kind === 'combine' ? work.samples[0]!.file : work.file;
}

async function follow(line: string, kind: Work['kind'], { signal }: WorkContext): Promise<void> {
  // `build: wait …` concerns builds alone.
  const [, only, word, value = ''] = /^(?:(\w+): )?([\w-]+) ?(.*)$/.exec(line) ?? [];
  if (only !== undefined && only !== kind) return;
  const there = () => stat(value).then(Boolean, () => false);
  if (word === 'unless') {
    const [path = '', then = ''] = value.split(' ');
    if (!(await stat(path).then(Boolean, () => false))) await follow(then, kind, { signal } as WorkContext);
  }
  if (word === 'wait') while (!(await there())) await pause(20, undefined, { signal });
  if (word === 'crash') process.exit(3);
  if (word === 'crash-once' && !(await there())) {
    await writeFile(value, '');
    process.kill(process.pid, 'SIGKILL');
    await pause(10_000);
  }
  if (word === 'spin') for (;;);
  if (word === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (word === 'refuse') throw new Refused('The file is of no use.');
  if (word === 'fault') throw new Error('/secret/path broke');
  if (word === 'env') throw new Refused(Object.keys(process.env).join(' '));
  if (word === 'fill')
    for (const ballast: unknown[] = []; ;) ballast.push(Array.from({ length: 1e6 }, () => ({})));
}

class Refused extends Error {
  override readonly name = 'Refused';
}

export function problemOf(error: unknown): JobProblem {
  return error instanceof Refused
    ? { code: 'refused', message: error.message }
    : { code: 'internal', message: 'Something went wrong.' };
}

function h5adReport(text: string): WorkResults['inspect'] {
  const alternatives = /^columns (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  return {
    kind: 'h5ad',
    cells: 4,
    genes: 5,
    expression: 'Counts.',
    waitsFor: [
      ...(/^asks$/m.test(text) ? (['expression'] as const) : []),
      ...(/^review$/m.test(text) ? (['qualityControl'] as const) : []),
    ],
    otherFeatures: [],
    hasCounts: true,
    roles: [{ role: 'cellType', why: 'none is named so', alternatives }],
    metadata: [],
    willCompute: [],
    plans: [],
    notes: [],
    warnings: [],
  };
}

function tableReport(text: string): WorkResults['inspect'] {
  const first = text.includes('strange') ? ['a\0b', 'c\uD800'] : ['a'];
  return { kind: 'barcodes', lines: 1, columns: 1, first, notes: [] };
}
