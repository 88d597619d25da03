import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, denseValues, unpackStrings } from '@cellfolio/model';
import { type Dataset, FileObjectStore, openDataset, verifyDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CarriedContent } from '../../carried/carried-content.ts';
import { placeCarried } from '../../carried/place-carried.ts';
import { importH5ad, inspectH5ad } from '../../index.ts';
import {
  array,
  fixtureCatalogue,
  frameOf,
  group,
  type Hdf5Node,
  strings,
  writeHdf5,
} from '../../testing/hdf5-fixtures.ts';

interface Expected {
  cells: string[];
  genes: string[];
  counts: number[][];
  cellType: string[];
  jointCluster: (string | null)[];
  umap: number[][];
  jointUmap: number[][];
  mofa: number[][];
  proteins: string[];
  proteinCounts: number[][];
}

const fixtures = join(import.meta.dirname, 'fixtures');
/** Contents of the same file according to MuData: see fixtures/make-mudata-fixtures.py. */
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8')) as Expected;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-mudata-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function imported(name: string) {
  const path = join(fixtures, `${name}.h5mu`);
  const id = `${name}.h5ad`;
  const result = await importH5ad({ path, root, id, catalogue: fixtureCatalogue(name), replace: true });
  const store = new FileObjectStore(root);
  expect((await verifyDataset(store, id)).problems).toEqual([]);
  return { ...result, dataset: await openDataset(store, id) };
}

function textsOf(column: Column): (string | null)[] {
  if (column.kind === 'categorical')
    return Array.from(column.codes, (code) => column.categories[code] ?? null);
  if (column.kind === 'string') return unpackStrings(column.strings);
  throw new Error(`a column of kind ${column.kind}`);
}

/** Counts of one cell, normalized to 10,000 and log1p. */
function normalized(rows: readonly number[][], gene: number): number[] {
  return rows.map((row) => {
    const total = row.reduce((sum, value) => sum + value, 0);
    return total === 0 ? 0 : Math.log1p((row[gene]! * 10_000) / total);
  });
}

function largestDifference(actual: ArrayLike<number>, expected: readonly number[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(...expected.map((value, at) => Math.abs(value - actual[at]!)));
}

test.each(['same-cells', 'differing-cells'])(
  'the RNA of %s is read with the columns and coordinates that the file has of its cells',
  async (name) => {
    const { dataset, report } = await imported(name);
    const expected = expectedOf(name);
    const { names } = await dataset.cellRows(
      { from: 0, to: expected.cells.length },
      { columns: [], embeddings: [] },
    );
    expect(unpackStrings(names)).toEqual(expected.cells);
    expect(dataset.genes.symbols).toEqual(expected.genes);
    for (const gene of expected.genes.keys()) {
      const values = denseValues(await dataset.gene(gene));
      expect(largestDifference(values, normalized(expected.counts, gene))).toBeLessThan(1e-6);
    }
    expect(textsOf(await dataset.obs('cell_type'))).toEqual(expected.cellType);
    expect(textsOf(await dataset.obs('joint_cluster'))).toEqual(expected.jointCluster);
    for (const [embedding, rows] of [
      ['X_umap', expected.umap],
      ['X_joint_umap', expected.jointUmap],
      ['X_mofa', expected.mofa],
    ] as const) {
      const { values } = await dataset.embedding(embedding);
      expect(largestDifference(values, rows.flat()), embedding).toBeLessThan(1e-6);
    }
    expect(report.format.tables).toMatch(/in the modality rna of a MuData file$/);
    expect(report.carried.map(({ path }) => path)).toContain('mod/atac');
    expect(report.notKept).not.toContain('/mod/atac');
  },
);

test('a modality of proteins becomes their centered log ratios, from its counts', async () => {
  const { dataset, report } = await imported('same-cells');
  const { proteins, proteinCounts } = expectedOf('same-cells');
  expect(report.proteins).toMatchObject({ part: '/mod/prot/layers/counts', names: proteins, scale: 'clr' });
  for (const [at, name] of proteins.entries()) {
    const column = await dataset.obs(`${name} (protein)`);
    if (column.kind !== 'numeric') throw new Error(column.kind);
    const ratios = proteinCounts.map((row) => {
      const mean = row.reduce((sum, value) => sum + Math.log1p(value), 0) / row.length;
      return Math.log1p(row[at]! / Math.exp(mean));
    });
    expect(largestDifference(column.values as Float32Array, ratios)).toBeLessThan(1e-6);
  }
});

test('proteins of other cells than those of the RNA are left out by name, with the call that aligns them', async () => {
  const { dataset, manifest } = await imported('differing-cells');
  expect(dataset.proteins?.columns ?? []).toEqual([]);
  expect(manifest.warnings.map(({ message }) => message)).toContain(
    '/mod/prot was left out: its cells are not those of the RNA in their order; muon.pp.intersect_obs makes them so.',
  );
});

test('other modalities are kept as they are, and come back with all cells', async () => {
  const { dataset } = await imported('differing-cells');
  const { elements } = await placedParts(dataset);
  const modalities = elements.filter(({ from }) => from.startsWith('mod/'));
  expect(modalities.map(({ path }) => path)).toEqual([
    'uns/cellfolio_file/mod/atac',
    'uns/cellfolio_file/mod/prot',
  ]);
  const [{ node }] = modalities as [(typeof modalities)[0]];
  expect(node.kind === 'group' && [...node.members.keys()]).toEqual(
    expect.arrayContaining(['X', 'obs', 'var']),
  );
  const some = await placedParts(dataset, Int32Array.of(0, 2));
  expect(some.leftOut).toContainEqual({ path: 'mod/atac', reason: 'it has cells of its own' });
});

test('parts of all modalities together are kept too, and those with rows of cells come back with all cells', async () => {
  const { dataset, report } = await imported('same-cells');
  expect(report.notKept).not.toContain('/obsp/wnn_connectivities');
  const placed = async (cells?: Int32Array) => {
    const { elements, leftOut } = await placedParts(dataset, cells);
    return [
      elements.filter(({ from }) => from.startsWith('mudata/')).map(({ path }) => path),
      leftOut.filter(({ path }) => path.startsWith('mudata/')).map(({ path }) => path),
    ];
  };
  const [graph, title] = ['mudata/obsp/wnn_connectivities', 'mudata/uns/title'];
  expect(await placed()).toEqual([[`uns/cellfolio_file/${graph}`, `uns/cellfolio_file/${title}`], []]);
  expect(await placed(Int32Array.of(0, 2))).toEqual([[`uns/cellfolio_file/${title}`], [graph]]);
});

async function placedParts(dataset: Dataset, cells?: Int32Array) {
  const content = (await dataset.carried!.description()) as CarriedContent;
  const read = async (from: number, to: number) =>
    from === to ? new Uint8Array(0) : dataset.carried!.bytes({ from, to });
  const none = new Set<string>();
  return placeCarried(content, { cells, taken: none, superseded: none, colours: none }, read);
}

const names = (prefix: string, count: number) =>
  strings(Array.from({ length: count }, (_, at) => prefix + at));

async function written(
  name: string,
  modalities: Record<string, number>,
  jointCells: readonly string[],
): Promise<string> {
  const path = join(root, `${name}.h5mu`);
  const parts: (readonly [string, Hdf5Node])[] = [['mod', group()]];
  for (const [modality, cells] of Object.entries(modalities)) {
    const values = Float32Array.from({ length: cells * 2 }, (_, at) => at % 3);
    parts.push(
      [`mod/${modality}`, group('anndata')],
      [`mod/${modality}/X`, array(values, [cells, 2])],
      ...frameOf(`mod/${modality}/obs`, names('C', cells), new Map()),
      ...frameOf(`mod/${modality}/var`, names(`${modality}-`, 2), new Map()),
    );
  }
  await writeHdf5(path, [
    ...parts,
    ...frameOf('obs', strings(jointCells), new Map([['site', strings(jointCells)]])),
  ]);
  return path;
}

test('a table of all cells whose names repeat, or that lacks cells of the RNA, is left out with the reason', async () => {
  const repeated = await inspectH5ad(await written('repeated', { rna: 3 }, ['C0', 'C1', 'C2', 'C2']));
  expect(repeated.warnings.map(({ message }) => message)).toContain(
    'Column obs/site was left out: names of cells repeat among the modalities.',
  );
  const lacking = await inspectH5ad(await written('lacking', { rna: 3 }, ['C1', 'C2', 'C5']));
  expect(lacking.warnings.map(({ message }) => message)).toContain(
    'Column obs/site was left out: the table of all cells lacks some cells of the RNA.',
  );
});

test('a file without a modality of RNA is refused with the names of those that it has', async () => {
  await expect(
    inspectH5ad(await written('atac', { atac: 3, prot: 3 }, ['C0', 'C1', 'C2'])),
  ).rejects.toMatchObject({
    code: 'not-anndata',
    problem: 'this is a MuData file whose modalities are atac, prot: none is named as RNA is.',
  });
});
