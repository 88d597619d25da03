import { createRandom } from '@cellfolio/analysis';
import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatasetManifest } from '@cellfolio/store';
import { CellDepths, depthTasks } from '../../runtime/cell-depths.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { inlineCompute } from '../../testing/inline-compute.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { subsetTasks } from '../subsets/build-mask.ts';
import { CellMasks } from '../subsets/cell-masks.ts';
import { Comparisons } from './comparisons.ts';
import { sampleDesignTasks } from '../sample-design/tasks.ts';
import { comparisonTasks } from './tasks.ts';

const types = ['Hepatocyte', 'T cell', 'B cell', 'NK', 'Monocyte'];
const cellsOfType = 80;
const cellCount = types.length * cellsOfType;
const isOfA = (cell: number) => cell % 2 === 0;
const typeOf = (cell: number) => Math.floor(cell / cellsOfType);
/** Genes of the first type that reach the droplets of the others from broken cells, more of them in A. */
const ambient = ['ALB', 'APOA1', 'TTR', 'SERPINA1'];
const others = Array.from({ length: 40 }, (_, gene) => `GENE${gene + 1}`);

let store: TemporaryObjects;
let manifest: DatasetManifest;

beforeAll(async () => {
  store = await temporaryObjects();
  const random = createRandom('ambient');
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const gene = (name: string, levelOf: (cell: number) => number) => ({
    name,
    cells,
    values: Float32Array.from(cells, (cell) => levelOf(cell) * (0.8 + 0.4 * random.uniform())),
  });
  manifest = await writeTestDataset(store.folder, 'ambient.h5ad', {
    cellCount,
    obs: new Map([
      ['cell_type', categorical(types, cellCount, typeOf)],
      ['condition', categorical(['ill', 'well'], cellCount, (cell) => (isOfA(cell) ? 0 : 1))],
    ]),
    genes: [
      ...ambient.map((name) => gene(name, (cell) => (typeOf(cell) === 0 ? 5 : isOfA(cell) ? 1.5 : 0.7))),
      ...others.map((name) => gene(name, () => 1)),
    ],
    embeddings: [],
    catalogue: { name: 'Ambient' },
    roles: { cellType: 'cell_type', metadata: { Condition: 'condition' } },
  });
});
afterAll(() => store.remove());

const waiting: CallContext = { signal: new AbortController().signal, users: () => [], onProgress: () => {} };

async function cautionOf(roundRows?: number) {
  const datasets = new OpenDatasets(store.objects, { datasets: 4, cacheBytes: 0 });
  const compute = inlineCompute(
    [...subsetTasks, ...sampleDesignTasks, ...comparisonTasks, ...depthTasks],
    datasets,
  );
  const masks = new CellMasks({ compute, datasets, scoring: () => expect.unreachable() });
  const ranking = { version: () => expect.unreachable(), sides: () => expect.unreachable() };
  const depths = new CellDepths({ compute, datasets });
  const rounds = roundRows === undefined ? {} : { roundRows };
  const comparisons = new Comparisons({ compute, datasets, masks, depths, ranking, ...rounds });
  const side = (name: string) => ({
    name,
    filter: {
      subset_group_name: name,
      patient_metadata_filter: true,
      patient_metadata: { Condition: [name] },
    },
  });
  const parameters = comparisonParameters.parse({ a: side('ill'), b: side('well'), within: 'cell_type' });
  const comparison = await comparisons.run({ manifest, subset: undefined }, parameters, waiting);
  return comparison.cautions.find(({ code }) => code === 'ambient-genes-lead');
}

test('genes of one type that change alike in all others are reported as ambient, in the types where they lead', async () => {
  const caution = (await cautionOf())!;
  expect(caution.message).toMatch(/: T cell: 4 of the first \d+ \(ALB, APOA1 and 2 more\), /);
  expect(caution.numbers).toMatchObject({ groups: ['T cell', 'B cell', 'NK', 'Monocyte'] });
});

test('no ambient genes are reported for types in several rounds, whose tables are not available together', async () => {
  expect(await cautionOf(50)).toBeUndefined();
});
