import { type ComparisonAnswer } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeGrownType } from './testing/grown-type-dataset.ts';
import { comparisonAnswer } from './testing/comparison-answer.ts';

const id = 'grown.h5ad';
const path = '/api/perform-deg-analysis';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) => writeGrownType(objectRoot, id));
  api = apiClient(server, await server.signIn('standard'), 'grown');
  await api.get(`/api/dataset_analysis/${id}`);
});

const chosen = (metadata: Record<string, string[]>) => ({
  name: Object.values(metadata).flat().join(' or '),
  filter: { subset_group_name: 'Group', patient_metadata_filter: true, patient_metadata: metadata },
});
const sides = { a: chosen({ Condition: ['treated'] }), b: chosen({ Condition: ['control'] }) };
const code = 'sides-of-other-groups';

async function compare(body: object = sides): Promise<ComparisonAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return comparisonAnswer.parse(answer);
}
const cautionOf = ({ warnings }: ComparisonAnswer) => warnings.find((caution) => caution.code === code);
const called = ({ deg_csv: csv }: ComparisonAnswer) => {
  const [heading, ...lines] = csv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const at = heading!.split(',').indexOf('pvals_adj') - heading!.split(',').length;
  return lines.filter((line) => Number(line.split(',').at(at) || 1) < 0.05).length;
};

test.each(['wilcoxon', 't-test', 'pseudobulk', 'quasi-likelihood'])(
  'by %s the first warning names a type that grows, with its shares and its genes, and within types none differ',
  async (method) => {
    const together = await compare({ ...sides, method });
    const [first] = together.warnings;
    // 90 of 180 cells of a treated donor, 30 of 120 of another.
    expect(first).toMatchObject({
      code,
      numbers: { column: 'cell_type', limit: 0.1, groups: expect.arrayContaining(['T cell']) },
    });
    expect(first!.message).toContain('T cell 50.0 % against 25.0 %');
    expect(first!.message).toMatch(
      / \d+ of the first \d+ genes differ more for this reason than within groups\. Compare within/,
    );
    const { distance, checked, byComposition } = first!.numbers as Record<string, number>;
    expect(distance).toBeCloseTo(0.25, 12);
    expect(called(together)).toBeGreaterThan(10);
    expect(checked).toBe(called(together));
    expect(byComposition).toBeGreaterThanOrEqual(0.8 * checked!);
    expect(together.deg_csv).toContain(first!.message);
    expect(together.within_offered).toBe('cell_type');

    const within = await compare({ ...sides, method, within: together.within_offered });
    expect(within.groups).toHaveLength(4);
    expect(cautionOf(within)).toBeUndefined();
    expect(within.within_offered).toBeNull();
    expect(called(within)).toBeLessThan(5);
  },
);

test('sides that are distinguished by types, clusters, own labels or a selection have no such caution', async () => {
  await api.post(`/api/datasets/${id}/annotations`, { name: 'mine', from: 'cell_type' });
  for (const types of [
    { a: chosen({ cell_type: ['T cell'] }) },
    { a: chosen({ leiden: ['0'] }), b: chosen({ leiden: ['1'] }) },
    { a: chosen({ mine: ['T cell'] }), b: chosen({ mine: ['B cell'] }) },
    { a: chosen({ Condition: ['treated'], cell_type: ['T cell'] }), b: chosen({ Condition: ['control'] }) },
  ]) {
    const answer = await compare(types);
    expect(cautionOf(answer)).toBeUndefined();
    expect(answer.within_offered).toBeNull();
  }
});

test('sides of the same types are measured among these, in the active cells, and in each part', async () => {
  const of = (condition: string, ...types: string[]) => chosen({ Condition: [condition], cell_type: types });
  const two = await compare({ a: of('treated', 'B cell', 'T cell'), b: of('control', 'B cell', 'T cell') });
  expect(cautionOf(two)?.message).toContain('(most: B cell 25.0 % against 50.0 %)');
  const one = await compare({ a: of('treated', 'T cell'), b: of('control', 'T cell') });
  expect(cautionOf(one)).toBeUndefined();

  const halves = await compare({ ...sides, within: 'half' });
  expect(cautionOf(halves)!.message).toMatch(/^A and B in [xy] differ in Cell Type/);
  expect(cautionOf(halves)!.message).toContain('Compare cells of one group of Cell Type.');
  expect(halves.within_offered).toBeNull();
  expect(
    cautionOf(await compare({ a: chosen({ Half: ['x'] }), b: chosen({ Half: ['y'] }) })),
  ).toBeUndefined();

  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'others',
    cell_type_filter: true,
    cell_type: ['B cell', 'Macrophage'],
  });
  expect(cautionOf(await compare())).toBeUndefined();
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
});

test('a caution reports sides that share no type, and no comparison within types is offered', async () => {
  const answer = await compare({ a: chosen({ Sorted: ['low'] }), b: chosen({ Sorted: ['high'] }) });
  expect(answer.warnings[0]).toMatchObject({ code, numbers: { distance: 1 } });
  expect(answer.within_offered).toBeNull();
});
