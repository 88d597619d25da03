import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, openDataset, verifyDataset } from '@cellfolio/store';
import { afterAll, expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import {
  array,
  cells,
  type Content,
  group,
  soundContent,
  strings,
  writeContent,
} from '../testing/h5ad-content.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { SeededRandom } from '../testing/simulated-files.ts';

const root = mkdtempSync(join(tmpdir(), 'cellfolio-graph-'));
const objects = new FileObjectStore(root);
afterAll(async () => {
  await objects.close();
  rmSync(root, { recursive: true, force: true });
});
const catalogue = fixtureCatalogue('Graphs');

const ring = Array.from({ length: cells }, (_, cell) => [(cell + cells - 1) % cells, (cell + 1) % cells]);
const weights = () => Array.from({ length: 2 * cells }, () => 0.5);

interface Matrix {
  rows: number[][];
  values: number[];
  shape?: number[];
  encoding?: string;
}

function addMatrix(content: Content, path: string, { rows, values, shape, encoding }: Matrix): void {
  const starts = [0];
  for (const row of rows) starts.push(starts.at(-1)! + row.length);
  content.set(path, group(encoding ?? 'csr_matrix', { shape: { int64: shape ?? [cells, cells] } }));
  content.set(`${path}/indptr`, array('int32', starts));
  content.set(`${path}/indices`, array('int32', rows.flat()));
  content.set(`${path}/data`, array('float32', values));
}

async function imported(
  name: string,
  change: { connectivities?: Partial<Matrix>; distances?: Partial<Matrix> | 'absent' },
) {
  const content = soundContent(new SeededRandom(3));
  content.set('obsp', group('dict'));
  const sound = { rows: ring, values: weights() };
  addMatrix(content, 'obsp/connectivities', { ...sound, ...change.connectivities });
  if (change.distances !== 'absent') addMatrix(content, 'obsp/distances', { ...sound, ...change.distances });
  content.set('uns', group('dict'));
  content.set('uns/neighbors', group('dict'));
  content.set('uns/neighbors/params', group('dict'));
  content.set('uns/neighbors/params/metric', strings(['cosine']));
  const path = join(root, `${name}.h5ad`);
  await writeContent(path, content);
  const { report } = await importH5ad({ path, root, id: name, catalogue });
  const ignored = report.warnings
    .filter(({ code }) => code === 'ignored-graph')
    .map(({ message }) => message);
  return { report, ignored, dataset: await openDataset(objects, name) };
}

test('a graph of nearest cells is kept as it is, and the dataset is whole', async () => {
  const { report, ignored, dataset } = await imported('sound', {});
  expect(ignored).toEqual([]);
  expect(report.notKept).toEqual([]);
  expect(dataset.graphHead).toEqual({ origin: { metric: 'cosine' }, edges: 2 * cells, weights: 2 * cells });
  const graph = await dataset.graph();
  expect(Array.from(graph!.connectivities.cells)).toEqual(
    ring.flatMap((row) => row.toSorted((a, b) => a - b)),
  );
  expect(await verifyDataset(objects, 'sound')).toMatchObject({ ok: true });
});

test('weights of 0 and the distance of a cell to itself are left out', async () => {
  const own = ring.map((row, cell) => [...row, cell]);
  const values = Array.from({ length: 3 * cells }, (_, at) => (at % 3 === 2 ? 0 : 0.5));
  const { dataset } = await imported('zeros', {
    connectivities: { rows: own, values },
    distances: { rows: own, values },
  });
  expect(dataset.graphHead).toMatchObject({ edges: 2 * cells, weights: 2 * cells });
});

const oneLonger = ring.map((row, cell) => (cell === 0 ? [...row, 5] : row));
test.each([
  ['not of all cells', { connectivities: { shape: [cells, cells - 1] } }, 'for 14 cells'],
  ['not symmetric', { connectivities: { rows: oneLonger, values: [0.5, ...weights()] } }, 'not symmetric'],
  ['of other weights back', { connectivities: { values: weights().with(0, 0.25) } }, 'not symmetric'],
  ['negative', { connectivities: { values: weights().with(0, -0.5) } }, 'one of its values is -0.5'],
  ['no number', { distances: { values: weights().with(3, NaN) } }, 'one of its values is NaN'],
  ['of cells that there are not', { distances: { rows: ring.with(0, [1, 14]) } }, 'names the cell 14 of 14'],
  ['of cells named twice', { distances: { rows: ring.with(0, [1, 1]) } }, 'names a cell twice'],
  ['by columns', { distances: { encoding: 'csc_matrix' } }, 'it is csc, not a CSR matrix'],
  ['of no known encoding', { distances: { encoding: 'x' } }, "encoding 'x' is not known"],
  ['without distances', { distances: 'absent' }, 'it is missing'],
] as const)('a graph that is %s is left out with a caution', async (name, change, reason) => {
  const { ignored, dataset } = await imported(name.replaceAll(' ', '-'), change as never);
  expect(ignored).toHaveLength(1);
  expect(ignored[0]).toContain(reason);
  expect(dataset.graphHead).toBeUndefined();
});
