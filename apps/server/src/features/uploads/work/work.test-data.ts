import { packStrings, type Column, type Embedding } from '@cellfolio/model';
import { writeH5ad, type H5adContent } from '@cellfolio/ingest';
import type { BuildWork, InputFile, WorkContext } from './work.ts';

export const datasetId = 'custom:0f8fad5b-d9cb-469f-a165-70867728950e';
const GENES = 1000;
const GROUPS = 3;

/** Mulberry32: a reproducible sequence of numbers from 0 to 1. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Counts of three kinds of cells, each with specific genes; cells × genes. */
export function simulatedCounts(cells: number, genes = GENES): Int32Array[] {
  const random = generator(7);
  return Array.from({ length: cells }, (_, cell) =>
    Int32Array.from({ length: genes }, (_, gene) => {
      const own = gene % 4 === cell % GROUPS;
      return Math.floor(random() * random() * (own ? 12 : 2.5));
    }),
  );
}

interface SmallFile {
  rows: readonly (Int32Array | Float32Array)[];
  obs?: ReadonlyMap<string, Column>;
  obsm?: readonly Embedding[];
  proteins?: H5adContent['proteins'];
  uns?: H5adContent['uns'];
  cellNames?: (cell: number) => string;
  /** Default: `MT-0` to `MT-4`, then `GENE5` and on. */
  geneNames?: (gene: number) => string;
}

export async function writeSmallFile(
  path: string,
  { rows, obs, obsm, proteins, uns, cellNames, geneNames }: SmallFile,
): Promise<void> {
  const genes = rows[0]!.length;
  const content: H5adContent = {
    obs: {
      rowCount: rows.length,
      indexName: '_index',
      index: packStrings(rows.map((_, cell) => cellNames?.(cell) ?? `cell-${cell}`)),
      columns: obs ?? new Map(),
    },
    var: {
      rowCount: genes,
      indexName: '_index',
      index: packStrings(
        Array.from(
          { length: genes },
          (_, gene) => geneNames?.(gene) ?? (gene < 5 ? `MT-${gene}` : `GENE${gene}`),
        ),
      ),
      columns: new Map(),
    },
    X: {
      format: 'dense',
      dtype: 'float32',
      blocks: [{ values: Float32Array.from(rows.flatMap((row) => [...row])) }],
    },
    ...(obsm && { obsm }),
    ...(proteins && { proteins }),
    ...(uns && { uns }),
  };
  await writeH5ad(path, content);
}

export function labels(names: readonly string[]): Column {
  const categories = [...new Set(names)].toSorted();
  return {
    kind: 'categorical',
    codes: Int8Array.from(names, (name) => categories.indexOf(name)),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

export function buildOf(file: InputFile, root: string, more: Partial<BuildWork> = {}): BuildWork {
  return {
    kind: 'build',
    file,
    root,
    datasetId,
    catalogue: {
      name: file.name,
      disease: 'Custom Data',
      subdisease: 'Not Available',
      category1: '',
      category2: '',
      description: '',
      simulated: false,
    },
    columns: {},
    processing: {},
    memoryBytes: 2 ** 31,
    ...more,
  };
}

export function listening(scratch: string, signal: WorkContext['signal'] = new AbortController().signal) {
  const stages: string[] = [];
  const fractions: number[] = [];
  const lines: string[] = [];
  const context: WorkContext = {
    scratch,
    signal,
    onProgress: (stage, fraction) => {
      if (stages.at(-1) !== stage) stages.push(stage);
      fractions.push(fraction);
    },
    log: (text) => lines.push(text),
  };
  return { context, stages, fractions, lines };
}
