import { FileObjectStore } from '@cellfolio/bytes';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import type { CategoryDisplay } from '@cellfolio/contract';
import { figureContent } from '@cellfolio/figures/content';
import { type Dataset, openDataset } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { categorical, circle, writeTestDataset } from '../../testing/write-test-dataset.ts';
import { type DrawTask, type DrawnFigure, figureTasks } from './draw.ts';

const cellCount = 600;
const names = ['GENE0', 'GENE1', 'GENE2'];
const column = categorical(
  ['first', 'second', 'nobody', 'third'],
  cellCount,
  (cell) => [0, 1, 3, -1][cell % 4]!,
);

async function written(isStored: boolean): Promise<Dataset> {
  const root = await temporaryRoot();
  await writeTestDataset(root, 'd', {
    cellCount,
    obs: new Map([['group', column]]),
    ...(isStored && { statistics: new Map([['group', column]]) }),
    genes: names.map((name, gene) => {
      const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell).filter(
        (cell) => (cell * 7 + gene) % 5 < 2 + (cell % 2),
      );
      return { name, cells, values: Float32Array.from(cells, (cell) => 0.1 + ((cell * 13 + gene) % 17) / 3) };
    }),
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Lung' },
    roles: { cellType: 'group', embedding: 'X_umap', metadata: {} },
  });
  return openDataset(new FileObjectStore(root), 'd');
}

async function renderFigure(dataset: Dataset, content: object, more: Partial<DrawTask> = {}) {
  const parsed = figureContent.parse({ genes: names, ...content });
  const by = (content as { by?: { column: string } }).by?.column;
  const from = parsed.kind === 'heatmap' ? 'gene-lines' : 'gene-sums';
  const task: DrawTask = {
    kind: 'draw',
    dataset: { id: 'd', version: 'v' },
    mask: undefined,
    content: parsed,
    inputs: {
      genes: names.map((gene, row) => ({ from, gene, by, row })),
      groups: by === undefined ? { from: 'column', of: 'groups' } : { from: 'obs', column: by },
      components: [],
    },
    format: 'json',
    ...more,
  };
  const { signal } = new AbortController();
  const run = figureTasks[0]!.run as (task: DrawTask, using: object) => Promise<DrawnFigure>;
  return (await run(task, { dataset, signal })).spec;
}

const display: CategoryDisplay = {
  column: 'group',
  revision: 1,
  categories: [
    { name: 'third' },
    { name: 'nobody' },
    { name: 'second', label: 'Second of all' },
    { name: 'first' },
  ],
};
const half = Uint8Array.from({ length: cellCount }, (_, cell) => (cell < 300 ? 1 : 0));

test.each([
  ['of cell types', {}, {}],
  ['of a column', { by: { column: 'group' } }, {}],
  ['as a user shows the column', { by: { column: 'group' } }, { displays: [display] }],
  ['of some of the cells', {}, { mask: { bits: half, count: 300 } }],
] as const)(
  'a figure of means %s is the same from stored sums as from the cells',
  async (_, content, more) => {
    const [stored, plain] = await Promise.all([written(true), written(false)]);
    for (const kind of ['gene-dot-plot', 'matrix-plot', 'heatmap']) {
      const figure = await renderFigure(stored, { kind, ...content }, more);
      expect(figure).toEqual(await renderFigure(plain, { kind, ...content }, more));
      expect((figure['groups'] as object[]).length).toBe(3);
    }
  },
);

test('a dot plot of all cells reads the stored sums of all its genes at once, and no gene', async () => {
  const dataset = await written(true);
  await renderFigure(dataset, { kind: 'gene-dot-plot' });
  const { reads } = dataset.counters;
  await renderFigure(dataset, { kind: 'gene-dot-plot' });
  // The sums, and the cells that express.
  expect(dataset.counters.reads).toBe(reads + 2);
  await renderFigure(dataset, { kind: 'heatmap' });
  expect(dataset.counters.reads).toBeGreaterThan(reads + 4);
});
