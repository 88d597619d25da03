import type { CategoricalColumn } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import { inlineMarkers, markersByGroup, type MarkersOutcome } from './testing/inline-analyses.ts';
import { type NullDataset, writeNullDataset } from './testing/null-datasets.test-data.ts';

interface Ranked {
  readonly logfoldchanges: string;
  readonly tests: Readonly<Record<string, Partial<Record<'scores' | 'pvals', string>>>>;
}

/** Written by fixtures/analysis/screen_reference.py: 120 groups, the first the controls, and cells of none. */
const screen = JSON.parse(
  readFileSync(
    new URL('../../../../../packages/analysis/src/markers/screen-reference.json', import.meta.url),
    'utf8',
  ),
) as {
  readonly matrix: Readonly<Record<'starts' | 'cells' | 'values', string>> & { readonly cellCount: number };
  readonly column: { readonly categories: readonly string[]; readonly codes: string };
  readonly control: Ranked;
};
const bytesOf = (packed: string) => new Uint8Array(inflateSync(Buffer.from(packed, 'base64'))).buffer;
const { cellCount } = screen.matrix;
const starts = new Float64Array(bytesOf(screen.matrix.starts));
const geneCount = starts.length - 1;
const guides: CategoricalColumn = {
  kind: 'categorical',
  codes: new Int16Array(bytesOf(screen.column.codes)),
  categories: screen.column.categories,
  categoryType: 'string',
  ordered: false,
};

function writtenScreen(): NullDataset {
  const [cells, values] = [
    new Int32Array(bytesOf(screen.matrix.cells)),
    new Float32Array(bytesOf(screen.matrix.values)),
  ];
  const genes = Array.from({ length: geneCount }, (_, gene) => {
    const dense = new Float32Array(cellCount);
    for (let at = starts[gene]!; at < starts[gene + 1]!; at++) dense[cells[at]!] = values[at]!;
    return dense;
  });
  const categories = (names: readonly string[], codeOf: (cell: number) => number): CategoricalColumn => ({
    ...guides,
    codes: Int16Array.from({ length: cellCount }, (_, cell) => codeOf(cell)),
    categories: names,
  });
  return {
    obs: new Map([
      ['guide', guides],
      ['donor', categories(['D1', 'D2', 'D3', 'D4'], (cell) => cell % 4)],
      // All controls, and some cells of guides, are in the first lane.
      ['lane', categories(['L1', 'L2'], (cell) => (guides.codes[cell]! > 0 && cell % 2 === 0 ? 1 : 0))],
      ['kind', categories(['a', 'Unknown', 'c'], (cell) => cell % 3)],
    ]),
    obsm: [],
    genes,
    roles: { patient: 'donor' },
  };
}

let store: TemporaryObjects;
let manifest: DatasetManifest;
let tasks: string[];

beforeAll(async () => {
  store = await temporaryObjects();
  manifest = await writeNullDataset(store.folder, 'screen.h5ad', writtenScreen());
});
afterAll(() => store.remove());
beforeEach(() => {
  tasks = [];
});

const everyGene = {
  groupby: 'guide',
  reference: 'control',
  n_genes: 1000,
  pvals_adj: 1,
  logfoldchanges: -100,
  min_cells: 2,
  pseudocount: 1e-9,
};

const services = () => inlineMarkers(store.objects, { onTask: (kind) => tasks.push(kind) });
const run = (change: object): Promise<MarkersOutcome> =>
  services().run({ manifest, subset: undefined }, { ...everyGene, ...change });
const cautionOf = ({ cautions }: MarkersOutcome, code: string) =>
  cautions.find((caution) => caution.code === code);

describe.each(['wilcoxon', 't-test'] as const)('by a %s', (method) => {
  test('markers against the controls have the numbers of scanpy to 1e-6, and the controls have none', async () => {
    const outcome = await run({ method });
    const groups = markersByGroup(outcome);
    expect(groups.map(({ name }) => name)).toEqual(screen.column.categories.slice(1));
    const controls = Array.from(guides.codes).filter((code) => code === 0).length;
    expect(new Set(groups.map(({ others }) => others))).toEqual(new Set([controls]));
    const { tests, logfoldchanges } = screen.control;
    const theirs = (packed: string | undefined) => new Float32Array(bytesOf(packed!));
    const [scores, changes] = [theirs(tests[method]!.scores), theirs(logfoldchanges)];
    const isClose = (ours: number, expected: number) =>
      Math.abs(ours - expected) <= 1e-6 * Math.max(1, Math.abs(expected));
    let compared = 0;
    const wrong = groups.flatMap(({ genes, scores: own, changes: ownChanges }, group) =>
      genes.filter((gene, place) => {
        compared++;
        const at = group * geneCount + Number(gene.replace('row-', ''));
        return !isClose(own[place]!, scores[at]!) || !isClose(ownChanges[place]!, changes[at]!);
      }),
    );
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(500);
  });

  test('what was the others is called by the name of the reference', async () => {
    const outcome = await run({ method, n_genes: 3 });
    const { head = [], drawing } = outcome;
    expect(head[0]).toContain('of each group by Guide against control;');
    expect(head[1]).toContain('of the group over that of control');
    expect(drawing.reference).toBe('control');
    // The reference is among the groups that the figure draws.
    expect(drawing.groups[0]!.name).toBe('control');
    expect(cautionOf(outcome, 'unlabelled-cells')!.message).toContain('left out of every comparison');
    const texts = [...head, ...outcome.cautions.map(({ message }) => message)].join('\n');
    expect(texts).not.toMatch(/the others|other cells/);
  });
});

test('t-tests with one side of equal values are counted, and so are those that pass; ranks have no such case', async () => {
  const outcome = await run({ method: 't-test', pvals_adj: 0.05 });
  const { numbers, message } = cautionOf(outcome, 'flat-side')!;
  // From the values: groups by genes of which one side alone has a single value.
  const { genes } = writtenScreen();
  let flat = 0;
  for (const values of genes) {
    const seen = guides.categories.map(() => new Set<number>());
    for (let cell = 0; cell < cellCount; cell++) seen[guides.codes[cell]!]?.add(values[cell]!);
    const isFlat = seen.map((one) => one.size === 1);
    flat += isFlat.slice(1).filter((one) => one !== isFlat[0]).length;
  }
  expect(numbers).toMatchObject({ tested: 119 * geneCount, limit: 0.05 });
  expect(numbers!['flat']).toBe(flat);
  expect(numbers!['significant']).toBeGreaterThan(0);
  expect(message).toContain(`of 3,094 t-tests one side alone has no variance`);
  expect(cautionOf(await run({ method: 'wilcoxon', pvals_adj: 0.05 }), 'flat-side')).toBeUndefined();
  const ofAll = await run({ method: 't-test', pvals_adj: 0.05, reference: undefined });
  expect(cautionOf(ofAll, 'flat-side')).toBeUndefined();
});

test('sums of a t-test serve every reference, and ranks are made for each', async () => {
  const { run: ofOne } = services();
  const blocks = async (change: object) => {
    tasks = [];
    await ofOne({ manifest, subset: undefined }, { ...everyGene, ...change });
    return tasks.filter((kind) => kind === 'block').length;
  };
  expect(await blocks({ method: 't-test', unlabelled: 'left-out', reference: undefined })).toBe(1);
  expect(await blocks({ method: 't-test' })).toBe(0);
  expect(await blocks({ method: 't-test', reference: 'guide 7' })).toBe(0);
  const ofAll = { method: 't-test', unlabelled: 'left-out', reference: undefined };
  const [first] = markersByGroup(await ofOne({ manifest, subset: undefined }, { ...everyGene, ...ofAll }));
  expect(first).toMatchObject({ name: 'control', cells: 60, others: 530 });
  expect(await blocks({ method: 'wilcoxon' })).toBe(1);
  expect(await blocks({ method: 'wilcoxon', reference: 'guide 7' })).toBe(1);
  expect(await blocks({ method: 'wilcoxon', n_genes: 5 })).toBe(0);
});

test('a split compares with the reference in each category, where it has cells', async () => {
  const split = await run({ split: { column: 'donor' }, groupby: 'kind', reference: 'a' });
  const sizes = (donor: number, kind: number) =>
    Array.from({ length: cellCount }, (_, cell) => cell).filter(
      (cell) => cell % 4 === donor && cell % 3 === kind,
    ).length;
  expect(markersByGroup(split).map(({ name, others }) => [name, others])).toEqual(
    ['Unknown', 'c'].flatMap((kind) =>
      [0, 1, 2, 3].map((donor) => [`${kind} · D${donor + 1}`, sizes(donor, 0)]),
    ),
  );
  expect(cautionOf(split, 'within-categories')!.message).toContain('with a of the same category of Donor');
  await expect(run({ split: { column: 'lane' } })).rejects.toMatchObject({
    code: 'not_enough_groups',
    message: expect.stringContaining('no active cells in 1 category of "Lane": L2.') as string,
  });
});

test('a reference that is no compared group, or beside a selection, is refused by the field', async () => {
  await expect(run({ reference: 'gone' })).rejects.toMatchObject({
    code: 'unknown_group',
    status: 400,
    details: [{ field: 'reference' }],
    message: expect.stringContaining('control, guide 1, guide 2') as string,
  });
  const without = { groupby: 'kind', reference: 'Unknown', unassigned: 'left-out' };
  await expect(run(without)).rejects.toMatchObject({ code: 'unknown_group' });
  const selection = { version: manifest.version, places: '' };
  await expect(run({ selection })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'reference' }],
  });
  await expect(run({ min_cells: 61, split: undefined })).rejects.toThrow('the reference control has');
});

test('batches and samples are those of the group and the reference', async () => {
  const outcome = await run({ pvals_adj: 0.2, logfoldchanges: 0 });
  const apart = cautionOf(outcome, 'batch-confounded')!;
  const lane = (cell: number) => (guides.codes[cell]! > 0 && cell % 2 === 0 ? 1 : 0);
  const inSecond = guides.categories.filter((_, guide) => {
    const cells = Array.from({ length: cellCount }, (_, cell) => cell).filter(
      (cell) => guides.codes[cell] === guide,
    );
    return guide > 0 && cells.every((cell) => lane(cell) === 1);
  });
  expect(inSecond.length).toBeGreaterThan(3);
  expect(apart.numbers!['groups']).toEqual(inSecond);
});
