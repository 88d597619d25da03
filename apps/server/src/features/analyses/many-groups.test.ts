import { analyses } from '@cellfolio/analyses/serve';
import { type BlockStatistics, createRandom } from '@cellfolio/analysis';
import type { ProgressEvent } from '@cellfolio/contract';
import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuse } from './context.ts';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { inlineMarkers, markersByGroup, type MarkersOutcome, waiting } from './testing/inline-analyses.ts';
import { writeNullDataset } from './testing/null-datasets.test-data.ts';

const groupCount = 1200;
const cellsEach = 4;
const controls = 60;
const geneCount = 2000;
const cellCount = (groupCount - 1) * cellsEach + controls;
const guideOf = (cell: number) => (cell < controls ? 0 : 1 + Math.floor((cell - controls) / cellsEach));
const guide: CategoricalColumn = {
  kind: 'categorical',
  codes: Int16Array.from({ length: cellCount }, (_, cell) => guideOf(cell)),
  categories: Array.from({ length: groupCount }, (_, at) => (at === 0 ? 'control' : `guide ${at}`)),
  categoryType: 'string',
  ordered: false,
};

let store: TemporaryObjects;
let manifest: DatasetManifest;
let mask: CellMask | undefined;

beforeAll(async () => {
  store = await temporaryObjects();
  const random = createRandom('a screen of 1,199 guides');
  // A fiftieth of the values, and one gene that each guide raises, some of them in more genes.
  const genes = Array.from({ length: geneCount }, () => new Float32Array(cellCount));
  for (let cell = 0; cell < cellCount; cell++) {
    for (let at = 0; at < 40; at++)
      genes[Math.floor(random.uniform() * geneCount)]![cell] = 1 + random.uniform();
    const of = guideOf(cell);
    for (let more = 0; more < (of === 0 ? 0 : of % 100 === 7 ? 60 : 1); more++)
      genes[(of + more) % geneCount]![cell] = 3 + random.uniform();
  }
  const obs = new Map([['guide', guide]]);
  manifest = await writeNullDataset(store.folder, 'guides.h5ad', { obs, obsm: [], genes, roles: {} });
});
afterAll(() => store.remove());

interface Work {
  blocks: number;
  ranked: number;
  readonly memories: Set<ArrayBufferLike>;
  readonly steps: string[];
  readonly events: ProgressEvent[];
}

const request = {
  groupby: 'guide',
  reference: 'control',
  n_genes: 10,
  // Groups of a few cells, of which exact tests pass none.
  sparse_genes: 'approximate' as const,
  pvals_adj: 0.05,
  min_cells: 2,
};

async function analyse(change: object = {}, signal = waiting.signal, onStep: () => void = () => {}) {
  const work: Work = { blocks: 0, ranked: 0, memories: new Set(), steps: [], events: [] };
  const memoryOf = ({ sums, rankSums, tieTerms, expressing }: BlockStatistics) =>
    [sums, rankSums, tieTerms, expressing].forEach(
      ({ buffer, length }) => length > 0 && work.memories.add(buffer),
    );
  const services = inlineMarkers(store.objects, {
    threads: 2,
    maskOf: () => mask,
    onTask: (kind, task) => {
      const { into, step, input } = task as unknown as {
        into?: readonly BlockStatistics[];
        step?: string;
        input?: { strata: readonly { blocks?: readonly BlockStatistics[] }[] };
      };
      if (kind === 'block') work.blocks++;
      if (step !== undefined) work.steps.push(step);
      into?.forEach(memoryOf);
      input?.strata.forEach(({ blocks = [] }) => blocks.forEach(memoryOf));
      if (step === 'rank') onStep();
    },
  });
  const call = { ...waiting, signal, onProgress: (event: ProgressEvent) => void work.events.push(event) };
  const outcome = services.run({ manifest, subset: undefined }, { ...request, ...change }, call);
  return { work, outcome };
}

const analysed = async (change: object = {}) => (await analyse(change)).outcome;
let first: ReturnType<typeof analyse> | undefined;
/** The same for all tests that change nothing. */
const whole = () => (first ??= analyse());

test('thousands of groups are read once into one memory, and ranked by ranges of groups', async () => {
  const { work, outcome } = await whole();
  const { result } = await outcome;
  expect(result.groups).toHaveLength(groupCount - 1);
  expect(result.groups.every(({ markers }) => markers > 0)).toBe(true);
  expect(result.cell_count).toBe(cellCount);
  expect(work.memories.size).toBe(1);
  const [memory] = work.memories;
  expect(memory).toBeInstanceOf(SharedArrayBuffer);
  // Ranks against a reference: 28 bytes a test, and the slot for cells of no group.
  expect(memory!.byteLength).toBe(28 * geneCount * (groupCount + 1));
  expect(work.steps.filter((step) => step === 'rank')).toHaveLength(3);
  expect(work.steps.filter((step) => step === 'dots')).toHaveLength(1);
  const events = (name: string) => work.events.filter(({ stage }) => stage === name);
  expect(events('Comparing the groups').map(({ total }) => total)).toContain(work.blocks);
  expect(events('Testing the groups').map(({ done }) => done)).toEqual([0, 1, 2, 3]);
});

test.each(['wilcoxon', 't-test'])(
  'by a %s, a group has the numbers of its cells and the controls alone',
  async (method) => {
    const [many] = markersByGroup(await analysed({ method })).slice(706, 707);
    const bits = Uint8Array.from({ length: cellCount }, (_, cell) =>
      Number([0, 707].includes(guideOf(cell))),
    );
    mask = { bits, count: controls + cellsEach };
    const [alone] = markersByGroup(await analysed({ method }));
    mask = undefined;
    expect(many!.name).toBe('guide 707');
    expect(many!.genes.length).toBeGreaterThan(1);
    expect(many).toEqual(alone);
  },
);

test('a run that is cancelled makes no further tasks', async () => {
  const cancel = new AbortController();
  let ranges = 0;
  const { outcome, work } = await analyse({}, cancel.signal, () => {
    if (++ranges === 1) cancel.abort();
  });
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' });
  expect(work.steps).not.toContain('dots');
  expect(ranges).toBeLessThan(3);
});

const markersAnalysis = analyses.find(({ declaration }) => declaration.id === 'markers')!;
interface Input {
  readonly title: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  readonly genes: readonly { readonly symbol: string; readonly group: string }[];
  readonly mean: Float64Array;
  readonly ofGroups?: { readonly count: number; readonly which: string };
}
const figureOf = ({ drawing }: MarkersOutcome, content: object = {}) =>
  markersAnalysis.input!(drawing as never, content, { refuse }) as unknown as Input;

test('the figure has the groups with the most markers and the reference, and says so', async () => {
  const outcome = await (await whole()).outcome;
  const input = figureOf(outcome);
  expect(input.groups).toHaveLength(59);
  expect(input.groups[0]).toEqual({ label: 'control', cells: controls });
  const expected = Array.from({ length: 12 }, (_, at) => `guide ${100 * at + 7}`);
  expect(input.groups.map(({ label }) => label)).toEqual(expect.arrayContaining(expected));
  expect(input.ofGroups).toEqual({
    count: groupCount,
    which: 'those with the most markers, and the reference',
  });
  expect(input.title).toBe('Markers against control by Guide');
  const drawn = new Set(input.groups.map(({ label }) => label));
  expect(input.genes.every(({ group }) => drawn.has(group))).toBe(true);
});

test('the markers of any one group can be drawn with its own row, those of several only where they are drawn', async () => {
  const outcome = await (await whole()).outcome;
  const drawn = new Set(figureOf(outcome).groups.map(({ label }) => label));
  const others = markersByGroup(outcome).filter(({ name }) => !drawn.has(name));
  const chosen = (count: number) => ({
    markers: others.slice(0, count).map(({ name: group, genes }) => ({ group, genes })),
  });
  const [one] = others;
  const input = figureOf(outcome, chosen(1));
  expect(input.groups.map(({ label }) => label)).toEqual([one!.name, ...drawn]);
  expect(input.title).toBe(`Markers of ${one!.name} against control by Guide`);
  expect(input.mean).toHaveLength(60 * one!.genes.length);
  // Raised by the guide to between 3 and 4.
  expect(input.mean[0]).toBeGreaterThan(3);
  expect(input.mean[one!.genes.length]).toBeLessThan(1);
  // One that is drawn, beside one that is not.
  const both = ['guide 707', one!.name].map((group) => ({
    group,
    genes: markersByGroup(outcome).find(({ name }) => name === group)!.genes,
  }));
  const ofOne = figureOf(outcome, { markers: both });
  expect(ofOne.title).toBe('Markers of guide 707 against control by Guide');
  expect(new Set(ofOne.genes.map(({ group }) => group))).toEqual(new Set(['guide 707']));
  expect(() => figureOf(outcome, chosen(2))).toThrow('The figure has 59 of 1,200 groups');
});
