import type { FigureContent } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import type { DrawnFigure } from './draw.ts';
import type { Task } from '../../runtime/compute/task.ts';
import { FigureService } from './figure-service.ts';
import type { Selection } from '../selection/selection.ts';
import type { SubsetFilter } from '../selection/subset-filter.ts';

const figure: DrawnFigure = {
  bytes: new Uint8Array(100),
  mediaType: 'image/png',
  width: 1,
  height: 1,
  spec: {},
};
const cells = (version = 'v1', subset?: SubsetFilter): Selection => ({
  manifest: { id: 'd', version } as DatasetManifest,
  subset,
});
const gene = (name: string): FigureContent => ({ kind: 'gene-umap', gene: name });
const typed = (cellType: string, name = 'mine'): SubsetFilter => ({
  subset_group_name: name,
  gene_filter: false,
  signature_filter: false,
  cell_type_filter: true,
  patient_metadata_filter: false,
  cell_type: [cellType],
});
const waiting = { signal: new AbortController().signal, users: () => [], onProgress: () => undefined };

function service(cacheBytes: number) {
  const drawn: Task[] = [];
  const compute = { threads: 1, run: async (task: Task) => (drawn.push(task), figure) as never };
  let library = 1;
  const inputs = {
    find: async () => ({ gene: { from: 'gene', row: 0 } }) as const,
    version: async () => String(library),
  };
  const masks = { maskOf: async () => undefined };
  return {
    drawn,
    figures: new FigureService({ compute, inputs, masks }, cacheBytes),
    replaceLibrary: () => (library += 1),
  };
}

test('identical concurrent figures are drawn once, and later ones come from the cache', async () => {
  const { drawn, figures } = service(1_000_000);
  await Promise.all([1, 2].map(() => figures.draw(cells(), gene('A'), waiting)));
  await figures.draw(cells(), gene('A'), waiting);
  expect(drawn).toHaveLength(1);
});

test('another gene, kind, format, dataset version or subset is another figure', async () => {
  const { drawn, figures } = service(1_000_000);
  await figures.draw(cells(), gene('A'), waiting);
  await figures.draw(cells(), gene('B'), waiting);
  await figures.draw(cells(), { kind: 'gene-violin', gene: 'A' }, waiting);
  await figures.draw(cells(), gene('A'), waiting, { format: 'svg' });
  await figures.draw(cells('v2'), gene('A'), waiting);
  await figures.draw(cells('v1', typed('T cell')), gene('A'), waiting);
  await figures.draw(cells('v1', typed('B cell')), gene('A'), waiting);
  expect(drawn).toHaveLength(7);
});

test('another size, ratio, theme, range or format is another figure, the same is the same', async () => {
  const { drawn, figures } = service(1_000_000);
  const view = { width: 480, height: 240, ratio: 2, theme: 'light', whole: false } as const;
  const renditions = [
    { format: 'png' },
    { format: 'json' },
    { format: 'png', view },
    { format: 'png', view: { ...view, width: 496 } },
    { format: 'png', view: { ...view, height: 256 } },
    { format: 'png', view: { ...view, ratio: 1 } },
    { format: 'png', view: { ...view, theme: 'dark' } },
    { format: 'png', view: { ...view, whole: true } },
    { format: 'png', view, range: [0, 6.2] },
    { format: 'png', range: [0, 6.2] },
    { format: 'png', range: [0, 6.3] },
  ] as const;
  for (const rendition of [...renditions, ...renditions]) {
    await figures.draw(cells(), gene('A'), waiting, rendition);
  }
  expect(drawn).toMatchObject(renditions);
  expect(drawn).toHaveLength(renditions.length);
});

test('a figure names its subset, so another name is another figure', async () => {
  const { drawn, figures } = service(1_000_000);
  await figures.draw(cells('v1', typed('T cell', 'first')), gene('A'), waiting);
  await figures.draw(cells('v1', typed('T cell', 'second')), gene('A'), waiting);
  expect(drawn).toHaveLength(2);
  expect(drawn).toMatchObject([{ subset: 'first' }, { subset: 'second' }]);
});

test('a figure of a library that was replaced is drawn anew', async () => {
  const { drawn, figures, replaceLibrary } = service(1_000_000);
  const content: FigureContent = {
    kind: 'score-umap',
    of: 'cell-state',
    cell_state: 'HYPOXIA',
    minimum_genes: 3,
  };
  await figures.draw(cells(), content, waiting);
  replaceLibrary();
  await figures.draw(cells(), content, waiting);
  await figures.draw(cells(), content, waiting);
  expect(drawn).toHaveLength(2);
});

test('without a cache every figure is drawn anew', async () => {
  const { drawn, figures } = service(0);
  await figures.draw(cells(), gene('A'), waiting);
  await figures.draw(cells(), gene('A'), waiting);
  expect(drawn).toHaveLength(2);
});
