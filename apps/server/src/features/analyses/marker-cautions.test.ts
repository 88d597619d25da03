import { filterRequest } from '@cellfolio/contract';
import { type CategoricalColumn, type Caution, scaledValues } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryObjects, type TemporaryObjects } from '../gene-sets/testing/temporary-objects.ts';
import type { SubsetFilter } from '../selection/index.ts';
import { inlineMarkers, markersByGroup, type MarkersOutcome } from './testing/inline-analyses.ts';
import {
  donors,
  type NullDataset,
  structureless,
  tinyGroups,
  writeNullDataset,
} from './testing/null-datasets.test-data.ts';

/** 400 cells each of two kinds, which one of three genes separates with a p-value that underflows. */
function farApart(): NullDataset {
  const cells = Array.from({ length: 800 }, (_, cell) => cell);
  const gene = (valueOf: (cell: number) => number) => Float32Array.from(cells, valueOf);
  const kind: CategoricalColumn = {
    kind: 'categorical',
    codes: Int8Array.from(cells, (cell) => cell % 2),
    categories: ['a', 'b'],
    categoryType: 'string',
    ordered: false,
  };
  const genes = [
    gene((cell) => (cell % 2 === 0 ? 5 + (cell % 7) / 1000 : 0)),
    gene((cell) => (cell % 3) / 2),
    gene((cell) => (cell % 5) / 3),
  ];
  return { obs: new Map([['kind', kind]]), obsm: [], genes, roles: {} };
}

function lanesOfDonors(): NullDataset {
  const base = donors();
  const donor = base.obs.get('donor')!;
  const sample: CategoricalColumn = {
    ...donor,
    codes: Int32Array.from(donor.codes, (code, cell) => 4 * code + (cell % 4)),
    categories: Array.from({ length: 24 }, (_, at) => `lane ${at}`),
  };
  return {
    ...base,
    obs: new Map([...base.obs, ['sample', sample]]),
    roles: { ...base.roles, patient: 'sample' },
  };
}

const generators = { structureless, donors, lanesOfDonors, tinyGroups, farApart };
type Name = keyof typeof generators;

let store: TemporaryObjects;
const written = new Map<Name, Awaited<ReturnType<typeof writeNullDataset>>>();

beforeAll(async () => {
  store = await temporaryObjects();
  for (const [name, make] of Object.entries(generators) as [Name, () => NullDataset][]) {
    written.set(name, await writeNullDataset(store.folder, `${name}.h5ad`, make()));
  }
});
afterAll(() => store.remove());

async function analyse(
  name: Name,
  overrides: object,
  {
    subset,
    ...values
  }: Partial<Pick<DatasetManifest, 'expression' | 'warnings'>> & { subset?: SubsetFilter } = {},
): Promise<MarkersOutcome> {
  const selection = { manifest: { ...written.get(name)!, ...values }, subset };
  return inlineMarkers(store.objects).run(selection, { n_genes: 1000, logfoldchanges: 0, ...overrides });
}

const caution = ({ cautions }: MarkersOutcome, code: string): Caution | undefined =>
  cautions.find((one) => one.code === code);
const codes = ({ cautions }: MarkersOutcome) => cautions.map(({ code }) => code);
const listed = ({ result }: MarkersOutcome) => result.groups.reduce((sum, { markers }) => sum + markers, 0);
const counts = ({ result }: MarkersOutcome) => result.groups.map(({ name, markers }) => [name, markers]);

test('a subset that a filter by expression chose says so, and one by cell types does not', async () => {
  const named = (more: object) => filterRequest.parse({ subset_group_name: 'part', ...more });
  const request = { groupby: 'kind' };
  const cut = named({ gene_filter: true, gene: { name: 'GENE1', presence: 'positive' } });
  const cutCaution = caution(await analyse('farApart', request, { subset: cut }), 'cells-cut-by-expression')!;
  expect(cutCaution.message).toContain('chosen by expression (GENE1 above 0)');
  const types = named({ cell_type_filter: true, cell_type: ['a'] });
  expect(codes(await analyse('farApart', request, { subset: types }))).not.toContain(
    'cells-cut-by-expression',
  );
  expect(codes(await analyse('farApart', request))).not.toContain('cells-cut-by-expression');
});

describe('clusters tested on the data that made them', () => {
  test('markers of structureless data come with their number, their effects and the separation', async () => {
    const result = await analyse('structureless', { groupby: 'leiden' });
    const clusterCaution = caution(result, 'clusters-tested-on-own-data')!;
    // 300 genes in cells of one kind.
    expect(listed(result)).toBeGreaterThan(150);
    expect(clusterCaution.numbers).toMatchObject({
      passing: listed(result),
      smallEffects: listed(result),
      embedding: 'X_pca',
      dimensions: 10,
      groups: ['0', '1', '2', '3'],
    });
    expect(clusterCaution.numbers!['silhouette']).toBeLessThan(0.1);
    expect(clusterCaution.message).toContain(
      `${listed(result)} of ${listed(result)} markers have a small effect`,
    );
  });

  test('genes beyond the number that is listed are counted, too', async () => {
    const [all, two] = await Promise.all(
      [1000, 2].map((genes) => analyse('structureless', { groupby: 'leiden', n_genes: genes })),
    );
    expect(listed(two!)).toBeLessThan(9);
    expect(caution(two!, 'clusters-tested-on-own-data')!.numbers!['passing']).toBe(listed(all!));
  });

  test('a t-test, which has no ranks, judges effects by the shares of expressing cells', async () => {
    const result = await analyse('structureless', { groupby: 'leiden', method: 't-test' });
    const { message, numbers } = caution(result, 'clusters-tested-on-own-data')!;
    expect(message).toContain('less than 10 points apart');
    expect(numbers!['smallEffects']).toBeGreaterThan(0.9 * listed(result));
  });
});

describe('cells as replicates', () => {
  test('markers are checked with donors where samples are lanes of them', async () => {
    const [plain, lanes] = await Promise.all(
      (['donors', 'lanesOfDonors'] as const).map((name) => analyse(name, { groupby: 'condition' })),
    );
    expect(lanes!.cautions[0]!.numbers).toMatchObject({ samples: 6, sampleColumn: 'donor', keptAdjusted: 0 });
    expect(lanes!.cautions).toEqual(plain!.cautions);
  });

  test('differences between donors without an effect do not hold between donors, and a caution reports it', async () => {
    const result = await analyse('donors', { groupby: 'condition' });
    expect(codes(result)).toEqual(['cells-as-replicates', 'multiple-testing']);
    const { numbers, message } = result.cautions[0]!;
    // 1,500 genes, none of which differs between the conditions.
    expect(listed(result)).toBeGreaterThan(450);
    expect(numbers).toMatchObject({
      cells: 600,
      samples: 6,
      sampleColumn: 'donor',
      listed: listed(result),
      testable: listed(result),
      keptAdjusted: 0,
      groups: ['control', 'treated'],
      groupSamples: [3, 3],
    });
    // The number that chance leaves of 1,500 genes, all of them among those listed.
    expect(numbers!['kept']).toBeLessThan(0.06 * 1500);
    expect(numbers!['effectiveCells']).toBeLessThan(120);
    expect(message).toMatch(
      /^Each of 600 cells counts as a replicate, but there are only 6 donors, worth about \d+ independent cells\. Between donors, /,
    );
    expect(message).toContain(`of the ${listed(result)} markers have p < 0.05, 0 adjusted, by `);
    expect(message).not.toContain('sample');
  });

  test('for integrated values a caution reports that samples as replicates show little, with the share below 0', async () => {
    const expression = { path: 'X', state: 'scaled', hasCounts: false } as const;
    const warnings = [{ code: scaledValues, message: '', numbers: { negative: 0.41, zeros: 0 } }];
    const result = await analyse('donors', { groupby: 'condition' }, { expression, warnings });
    expect(codes(result)).toEqual(['not-log-normalised', 'cells-as-replicates', 'multiple-testing']);
    expect(result.cautions[0]!.message).toContain('41 % of the values are below 0');
    expect(result.cautions[1]!.message).toContain('For corrected values this is weak evidence');
  });

  test('where the groups are the samples, nothing is tested between them', async () => {
    const result = await analyse('donors', { groupby: 'donor' });
    expect(codes(result)).toEqual(['cells-as-replicates', 'multiple-testing']);
    expect(result.cautions[0]!.message).toContain(
      'Each group is one of 6 donors, and each of 600 cells counts as a replicate: p-values describe how these donors differ,',
    );
  });

  test('where no gene is listed there is nothing to be cautious about', async () => {
    const result = await analyse('donors', { groupby: 'half' });
    expect(listed(result)).toBe(0);
    expect(codes(result)).toEqual(['groups-without-markers']);
  });

  test('without a column of samples a caution reports that they are unknown', async () => {
    const result = await analyse('structureless', { groupby: 'leiden' });
    const { message, numbers } = caution(result, 'cells-as-replicates')!;
    expect(message).toContain('no sample column is known');
    expect(numbers).toEqual({ cells: 6000 });
  });
});

test('the answer reports the number of tests and how many of them pass', async () => {
  const result = await analyse('donors', { groupby: 'condition', pvals_adj: 0.01 });
  expect(caution(result, 'multiple-testing')).toEqual({
    code: 'multiple-testing',
    message:
      '3,000 tests were made in 2 groups; p-values are adjusted by Benjamini and Hochberg over the 1,500 genes of each group, not over the groups. Of genes with an adjusted p below 0.01, about 1 % are false if the test holds.',
    numbers: { tests: 3000, genes: 1500, groups: 2, passing: listed(result) },
  });
});

describe('groups of few cells', () => {
  test('a group of two cells has markers by chance alone, none by exact tests, and is left out unless requested', async () => {
    const pair = { groupby: 'kind', tie_correct: true, min_cells: 2 };
    const two = await analyse('tinyGroups', { ...pair, sparse_genes: 'approximate' });
    const three = await analyse('tinyGroups', { groupby: 'kind', tie_correct: true });
    expect(counts(two)[0]).toEqual(['pair', expect.toSatisfy((count: number) => count > 20)]);
    const chance = caution(two, 'sparse-genes')!;
    expect(chance.numbers!['sparse']).toBeGreaterThan(20);
    expect(chance.message).toContain('would not pass with Fisher’s exact test');
    const exact = await analyse('tinyGroups', pair);
    expect(counts(exact)[0]).toEqual(['pair', 0]);
    expect(caution(exact, 'sparse-genes')).toBeUndefined();
    expect(counts(three).map(([name]) => name)).toEqual(['few', 'some', 'most']);
    expect(caution(two, 'groups-left-out')).toBeUndefined();
    expect(caution(three, 'groups-left-out')!.numbers).toEqual({
      minimumCells: 3,
      groups: ['pair'],
      cells: [2],
      groupCount: 1,
    });
  });

  test('a t-test of few cells against many is called too sure, Wilcoxon is not', async () => {
    const request = { groupby: 'kind', sparse_genes: 'approximate' };
    const uneven = caution(await analyse('tinyGroups', { ...request, method: 't-test' }), 'uneven-t-test');
    expect(uneven).toMatchObject({
      message: expect.stringMatching(/^Welch’s t-test of few cells against many \((.*)\) is too sure:/),
      numbers: { groups: ['few'], cells: [5], groupCount: 1 },
    });
    expect(codes(await analyse('tinyGroups', request))).not.toContain('uneven-t-test');
  });

  test('groups below ten cells are named with their sizes', async () => {
    const two = await analyse('tinyGroups', { groupby: 'kind', min_cells: 2 });
    expect(caution(two, 'small-groups')).toMatchObject({
      message: expect.stringContaining('pair (2), few (5)'),
      numbers: { limit: 10, groups: ['pair', 'few'], cells: [2, 5], groupCount: 2 },
    });
    expect(codes(await analyse('donors', { groupby: 'condition' }))).not.toContain('small-groups');
  });
});

test('p-values that are too small for a number are counted', async () => {
  const result = await analyse('farApart', { groupby: 'kind', method: 't-test' });
  expect(counts(result)).toEqual([
    ['a', 1],
    ['b', 0],
  ]);
  expect(caution(result, 'p-values-at-bound')).toMatchObject({
    message: expect.stringMatching(/^1 p-value is below 2\.2e-308, too small for a number/),
    numbers: { genes: 1 },
  });
  expect(codes(await analyse('donors', { groupby: 'condition' }))).not.toContain('p-values-at-bound');
});

describe('cells without a label', () => {
  test('the answer reports both numbers, and what the groups are compared with', async () => {
    const result = await analyse('tinyGroups', { groupby: 'kind' });
    expect(result.result.unlabelled_count).toBe(40);
    expect(caution(result, 'unlabelled-cells')).toMatchObject({
      message: expect.stringContaining('40 cells have no value in Kind, beside 260 with one.'),
      numbers: { labelled: 260, unlabelled: 40, compared: 300 },
    });
  });

  test.each(['wilcoxon', 't-test'] as const)('left out, a %s has them in no reference', async (method) => {
    const approximate = { tie_correct: true, sparse_genes: 'approximate' };
    const request = { groupby: 'kind', method, pvals_adj: 1, ...approximate };
    const [among, out] = await Promise.all([
      analyse('tinyGroups', request),
      analyse('tinyGroups', { ...request, unlabelled: 'left-out' }),
    ]);
    expect(caution(out, 'unlabelled-cells')!.numbers).toEqual({
      labelled: 260,
      unlabelled: 40,
      compared: 260,
    });
    expect(out.drawing.groups).toEqual(among.drawing.groups);
    // Expressing cells among the others of the group `few`, by gene.
    const expressing = (outcome: MarkersOutcome, others: number) => {
      const { genes, sharesOutside } = markersByGroup(outcome)[0]!;
      return new Map(genes.map((gene, place) => [gene, Math.round(sharesOutside[place]! * others)]));
    };
    const [before, after] = [expressing(among!, 295), expressing(out!, 255)];
    const unlabelled = [...after].map(([gene, cells]) => (before.get(gene) ?? cells) - cells);
    expect(Math.min(...unlabelled)).toBe(0);
    expect(Math.max(...unlabelled)).toBeGreaterThan(5);
    expect(Math.max(...unlabelled)).toBeLessThanOrEqual(40);
  });
});
