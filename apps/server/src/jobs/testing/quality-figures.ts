import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Column } from '@cellfolio/model';
import { writeH5ad } from '@cellfolio/ingest';
import { runWork } from '../work/index.ts';

/**
 * `node apps/server/src/jobs/testing/quality-figures.ts` prints what builds keep of simulated files, and what they record:
 * 1,800 cells with much RNA and 200 healthy ones with little, in two samples and in one; and 300 cells, a third of them
 * with 40 % mitochondrial counts, with each way to name the mitochondrial genes. Seeded: the same at every run.
 */
const GENES = 600;
const MITOCHONDRIAL = 13;
const folder = await mkdtemp(join(tmpdir(), 'quality-figures-'));
const random = generator(11);

interface Population {
  cells: number;
  depth: number;
  kind: number;
  mitochondrial: number;
  sample: string;
}

const rich = [0, 1, 2].map((kind) => ({ cells: 600, depth: 3000, kind, mitochondrial: 0.02, sample: 'A' }));
const poor = { cells: 200, depth: 150, kind: 3, mitochondrial: 0.02, sample: 'B' };
await tell('low RNA, two samples', [...rich, poor], (gene) => `MT-${gene}`);
await tell('low RNA, one sample', [...rich, { ...poor, sample: 'A' }], (gene) => `MT-${gene}`);
const dying = [0.03, 0.4].flatMap((mitochondrial) =>
  [0, 1].map((kind) => ({
    cells: mitochondrial > 0.1 ? 50 : 100,
    depth: 1500,
    kind,
    mitochondrial,
    sample: 'A',
  })),
);
// The 13 genes of proteins, in the order of the chromosome.
const names = 'ND1 ND2 CO1 CO2 ATP8 ATP6 CO3 ND3 ND4L ND4 ND5 ND6 CYB'.split(' ');
const ids =
  '198888 198763 198804 198712 228253 198899 198938 198840 212907 198886 198786 198695 198727'.split(' ');
await tell('named MT-ND1', dying, (gene) => `MT-${names[gene]}`);
await tell('named GRCh38_MT-ND1', dying, (gene) => `GRCh38_MT-${names[gene]}`);
await tell('named MT.ND1', dying, (gene) => `MT.${names[gene]}`);
await tell('named mt:ND1', dying, (gene) => `mt:${names[gene]}`);
await tell('named ENSG00000198888', dying, (gene) => `ENSG00000${ids[gene]}`);
await tell('without mitochondrial genes', dying, (gene) => `OTHER${gene}`);
await rm(folder, { recursive: true });

async function tell(title: string, populations: Population[], nameOf: (gene: number) => string) {
  const path = join(folder, 'counts');
  const samples = populations.flatMap(({ cells, sample }) => new Array<string>(cells).fill(sample));
  const index = Array.from({ length: GENES }, (_, gene) =>
    gene < MITOCHONDRIAL ? nameOf(gene) : `GENE${gene}`,
  );
  await writeH5ad(path, {
    obs: {
      rowCount: samples.length,
      indexName: '_index',
      index: packStrings(samples.map((_, cell) => `cell-${cell}`)),
      columns: new Map<string, Column>([['sample', { kind: 'string', strings: packStrings(samples) }]]),
    },
    var: { rowCount: GENES, indexName: '_index', index: packStrings(index), columns: new Map() },
    X: {
      format: 'dense',
      dtype: 'float32',
      blocks: [{ values: Float32Array.from(populations.flatMap(rowsOf)) }],
    },
  });
  const lines: string[] = [];
  const result = await runWork(
    {
      kind: 'build',
      file: { path, name: 'counts.h5ad' },
      root: join(folder, 'root'),
      datasetId: 'custom:0f8fad5b-d9cb-469f-a165-70867728950e',
      catalogue: {
        name: title,
        disease: '',
        subdisease: '',
        category1: '',
        category2: '',
        description: '',
        simulated: true,
      },
      columns: {},
      processing: {},
      memoryBytes: 2 ** 31,
    },
    {
      scratch: folder,
      signal: new AbortController().signal,
      onProgress: () => {},
      log: (line) => lines.push(line),
    },
  );
  const { cellsKept, cellsBefore, thresholds } = result.processed!;
  process.stdout.write(`\n${title}: ${cellsKept} of ${cellsBefore} cells kept\n`);
  process.stdout.write(`  recorded thresholds: ${JSON.stringify(thresholds)}\n`);
  for (const line of lines.slice(0, 4)) process.stdout.write(`  ${line}\n`);
}

function rowsOf({ cells, depth, kind, mitochondrial }: Population): number[] {
  const values = new Array<number>(cells * GENES).fill(0);
  for (let cell = 0; cell < cells; cell++) {
    const total = Math.round(depth * (0.6 + 0.4 * (random() + random())));
    for (let count = 0; count < total; count++) values[cell * GENES + drawnGene(kind, mitochondrial)]! += 1;
  }
  return values;
}

/** Half of the nuclear counts are of the forty genes of a kind. */
function drawnGene(kind: number, mitochondrial: number): number {
  if (random() < mitochondrial) return Math.floor(random() * MITOCHONDRIAL);
  if (random() < 0.5) return MITOCHONDRIAL + Math.floor(random() * (GENES - MITOCHONDRIAL));
  return MITOCHONDRIAL + 40 * kind + Math.floor(random() * 40);
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
