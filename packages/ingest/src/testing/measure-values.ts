/**
 * What becomes of values on other scales and of features that are no genes, on simulated files:
 *
 *     node packages/ingest/src/testing/measure-values.ts [folder of a checkout]
 *
 * The files are the same whichever checkout imports them; without a folder it is this one.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { normalised, simulatedCounts, text, writeSimulated } from './normalised-cells.ts';
import { SeededRandom } from './seeded-random.ts';

const checkout = resolve(process.argv[2] ?? join(import.meta.dirname, '../../../..'));
const { importH5ad } = await import(join(checkout, 'packages/ingest/src/index.ts'));
const { FileObjectStore, openDataset } = await import(join(checkout, 'packages/store/src/index.ts'));
const { denseValues } = await import(join(checkout, 'packages/model/src/index.ts'));
const { runWork } = await import(join(checkout, 'apps/server/src/jobs/work/index.ts'));

const folder = mkdtempSync(join(tmpdir(), 'measure-values-'));
const catalogue = {
  name: 'Simulated',
  disease: '',
  subdisease: '',
  category1: '',
  category2: '',
  description: '',
  simulated: true,
};

/** Stored expression of the first genes, a gene after the other. */
async function stored(id: string, genes: number): Promise<Float64Array[]> {
  const dataset = await openDataset(new FileObjectStore(folder), id);
  const columns = [];
  for (let gene = 0; gene < genes; gene++)
    columns.push(Float64Array.from(denseValues(await dataset.gene(gene)) as Float32Array));
  return columns;
}

/** As scanpy: log2 of the ratio of the groups' un-logged means, for cells of even and of odd number. */
function foldChange(values: Float64Array): number {
  const mean = (odd: number) => {
    const group = values.filter((_, cell) => cell % 2 === odd);
    return group.reduce((sum, value) => sum + value, 0) / group.length;
  };
  return Math.log2((Math.expm1(mean(1)) + 1e-9) / (Math.expm1(mean(0)) + 1e-9));
}

async function scales(): Promise<void> {
  const [cellCount, geneCount] = [400, 300];
  const simulated = simulatedCounts(8, cellCount, geneCount);
  const natural = (target: number) => normalised(simulated, target, Math.log1p);
  const columnOf = (values: Float64Array, gene: number) =>
    Float64Array.from({ length: cellCount }, (_, cell) => values[cell * geneCount + gene]!);
  for (const [name, values, truth] of [
    ['natural logarithms', natural(1e4), natural(1e4)],
    ['log2(1 + x)', normalised(simulated, 1e4, (value) => Math.log2(1 + value)), natural(1e4)],
    ['log10(1 + x)', normalised(simulated, 1e4, (value) => Math.log10(1 + value)), natural(1e4)],
    ['linear, total 500', normalised(simulated, 500, Number), natural(500)],
  ] as const) {
    const path = join(folder, 'scale.h5ad');
    await writeSimulated(path, { cellCount, geneCount, values });
    const { manifest } = await importH5ad({ path, root: folder, id: 'scale', catalogue, replace: true });
    const found = await stored('scale', geneCount);
    const errors = found.map((column, gene) =>
      Math.abs(foldChange(column) - foldChange(columnOf(truth, gene))),
    );
    console.log(
      `${name}: ${manifest.expression.state}, read ${manifest.expression.scale?.read ?? '-'}; largest error of a log2 fold change ${Math.max(...errors).toFixed(3)}`,
    );
  }
}

/** Four types of cells by their genes, and antibodies with most of the counts that know nothing of the types. */
async function antibodies(): Promise<void> {
  const [cellCount, geneCount, features] = [600, 400, 440];
  const random = new SeededRandom(5);
  const types = Array.from({ length: features }, (_, i) =>
    i < geneCount ? 'Gene Expression' : 'Antibody Capture',
  );
  const base = simulatedCounts(5, cellCount, features).counts;
  const counts = base.map((count, at) => {
    const [cell, feature] = [Math.floor(at / features), at % features];
    if (feature >= geneCount) return 0;
    return feature % 4 === cell % 4
      ? count * (feature % 8 < 4 ? 3 : 1) + (random.chance(0.3) ? 1 : 0)
      : count;
  });
  for (let cell = 0; cell < cellCount; cell++) {
    const staining = Math.exp(3 * random.fraction());
    for (let feature = geneCount; feature < features; feature++)
      counts[cell * features + feature] = Math.round(
        staining * (cell % 3 === feature % 3 ? 120 : 30) * (0.7 + 0.6 * random.fraction()),
      );
  }
  const path = join(folder, 'antibodies.h5ad');
  await writeSimulated(path, {
    cellCount,
    geneCount: features,
    values: counts,
    var: new Map([['feature_types', text(types)]]),
    cellTypes: false,
  });
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const result = await runWork(
    {
      kind: 'build',
      file: { path, name: 'antibodies.h5ad' },
      root: folder,
      datasetId: 'antibodies',
      catalogue,
      columns: {},
      processing: {},
      memoryBytes: 2 ** 31,
    },
    { scratch, signal: new AbortController().signal, onProgress: () => {}, log: () => {} },
  );
  const dataset = await openDataset(new FileObjectStore(folder), 'antibodies');
  const names = dataset.manifest.roles.cluster;
  const clusters = await dataset.obs(names);
  const kept = clusters.codes.length;
  const truth = normalised(
    { cellCount, geneCount: features, counts },
    1e4,
    Number,
    (feature) => feature < geneCount,
  );
  let [now, then] = [0, 0];
  const genes = await stored('antibodies', geneCount);
  for (const column of genes) for (const value of column) now += Math.expm1(value);
  truth.forEach((value, at) => (then += at % features < geneCount ? value : 0));
  console.log(
    `antibodies: ${result.genes} features in the dataset, ${kept} of ${cellCount} cells kept; RNA at ${(now / kept / (then / cellCount)).toFixed(3)} of its value; clusters agree with the types ${kept === cellCount ? adjustedRand(clusters.codes, (cell) => cell % 4).toFixed(2) : '(cells were removed)'}`,
  );
}

function adjustedRand(codes: ArrayLike<number>, typeOf: (cell: number) => number): number {
  const pairs = (n: number) => (n * (n - 1)) / 2;
  const [both, ones, others] = [
    new Map<string, number>(),
    new Map<number, number>(),
    new Map<number, number>(),
  ];
  for (let cell = 0; cell < codes.length; cell++) {
    const [a, b] = [codes[cell]!, typeOf(cell)];
    both.set(`${a} ${b}`, (both.get(`${a} ${b}`) ?? 0) + 1);
    ones.set(a, (ones.get(a) ?? 0) + 1);
    others.set(b, (others.get(b) ?? 0) + 1);
  }
  const sum = (counts: Map<unknown, number>) =>
    [...counts.values()].reduce((total, n) => total + pairs(n), 0);
  const expected = (sum(ones) * sum(others)) / pairs(codes.length);
  return (sum(both) - expected) / ((sum(ones) + sum(others)) / 2 - expected);
}

await scales();
await antibodies();
rmSync(folder, { recursive: true, force: true });
