import { cellSetsAnswer, filterPreview } from '@cellfolio/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'analysis.h5ad';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'sets');
  await api.get(`/api/dataset_analysis/${id}`);
});

const types = (...names: string[]) => ({
  subset_group_name: names.join(' or '),
  cell_type_filter: true,
  cell_type: names,
});
const count = async (filter: object) =>
  filterPreview.parse((await api.post('/api/preview-filter', filter)).body).cell_count;
const compare = (sets: readonly object[], keep?: readonly (readonly number[])[]) =>
  api.post('/api/cell-sets', { sets, ...(keep && { keep }) });

describe('sets of cells', () => {
  const expressing = {
    subset_group_name: 'positive',
    gene_filter: true,
    gene: { name: 'GENE0', presence: 'positive' },
  };

  test('are counted alone and in every combination, which together are all cells', async () => {
    const positive = { ...expressing, gene: { ...expressing.gene, name: await someGene() } };
    const sets = [types('T cell'), types('T cell', hostile), positive];
    const answer = cellSetsAnswer.parse((await compare(sets)).body);
    expect(answer.counts).toEqual(await Promise.all(sets.map(count)));
    expect(answer.combinations.reduce((sum, one) => sum + one.count, 0)).toBe(answer.dataset_cells);
    // The first is a part of the second.
    expect(answer.combinations.filter(({ inside }) => inside.includes(0) && !inside.includes(1))).toEqual([]);
    const both = await count({ ...types('T cell'), ...positive, subset_group_name: 'both' });
    const inBoth = answer.combinations.filter(({ inside }) => inside.includes(0) && inside.includes(2));
    expect(inBoth.reduce((sum, one) => sum + one.count, 0)).toBe(both);
  });

  test('in some of the combinations are a filter again', async () => {
    const sets = [types('T cell'), { subset_group_name: 'Default' }];
    const {
      kept: keptCells,
      counts,
      dataset_cells: all,
    } = cellSetsAnswer.parse((await compare(sets, [[1]])).body);
    expect(keptCells?.count).toBe(all - counts[0]!);
    const others = { subset_group_name: 'no T cells', cells_filter: true, cells: keptCells?.cells };
    expect(await count(others)).toBe(keptCells?.count);
    expect(await count({ ...others, ...types('T cell'), subset_group_name: 'none' })).toBe(0);
  });

  test('are made of the categories of a column, whose cells are counted in each of them', async () => {
    const sets = [types('T cell'), types('T cell', hostile), { subset_group_name: 'Default' }];
    const { body } = await api.post('/api/cell-sets', { sets, by: 'cell_type' });
    const { composition, counts } = cellSetsAnswer.parse(body);
    const { categories, others, without } = composition!;
    expect(categories.find(({ name }) => name === 'T cell')?.cells).toEqual([
      counts[0],
      counts[0],
      counts[0],
    ]);
    expect(categories.find(({ name }) => name === hostile)?.cells[0]).toBe(0);
    for (const [set, count] of counts.entries()) {
      const inCategories = categories.reduce((sum, { cells }) => sum + cells[set]!, 0);
      expect(inCategories + others.cells[set]! + without[set]!).toBe(count);
    }
    expect((await api.post('/api/cell-sets', { sets, by: '<script>' })).status).toBe(404);
  });

  test('that are one, or too many, or of an unknown cell type are refused by name', async () => {
    expect((await compare([types('T cell')])).status).toBe(400);
    expect((await compare(Array.from({ length: 7 }, () => types('T cell')))).status).toBe(400);
    const unknown = await compare([types('T cell'), types('Unicorn')]);
    expect(unknown.status).toBe(400);
    expect(JSON.stringify(unknown.body)).toContain('Unicorn');
  });

  async function someGene(): Promise<string> {
    const { body } = await api.get(`/api/dataset_analysis/${id}`);
    return (body as { gene_library: string[] }).gene_library[0]!;
  }
});
