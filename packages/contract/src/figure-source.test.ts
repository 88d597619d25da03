import { expect, test } from 'vitest';
import { figureContent, markerParameters, pathwayParameters } from './figure-source.ts';

test('a figure from before a setting could be chosen is drawn with what it was drawn with then', () => {
  expect(figureContent.parse({ kind: 'enrichment-bar-plot', pathway_genes: ['A'] })).toMatchObject({
    background: { kind: 'dataset' },
    minimum_overlap: 1,
  });
  expect(figureContent.parse({ kind: 'marker-dot-plot', groupby: 'cell_type' })).toMatchObject({
    min_cells: 2,
    unlabelled: 'reference',
  });
  for (const kind of ['cell-state-umap', 'cell-state-violin']) {
    expect(figureContent.parse({ kind, cell_state: 'HYPOXIA' })).toMatchObject({ minimum_genes: 1 });
  }
});

test('a new call has the defaults of today, and its figure keeps them', () => {
  const enrichment = pathwayParameters.parse({ pathway_genes: ['A'] });
  expect(enrichment).toMatchObject({ background: { kind: 'expressed' }, minimum_overlap: 2 });
  const markers = markerParameters.parse({ groupby: 'cell_type' });
  expect(markers).toMatchObject({ min_cells: 3 });
  expect(figureContent.parse({ kind: 'enrichment-bar-plot', ...enrichment })).toMatchObject(enrichment);
  expect(figureContent.parse({ kind: 'marker-dot-plot', ...markers })).toMatchObject(markers);
});

test('settings of figures are bounded as those of the calls are', () => {
  const refused = [
    { kind: 'marker-dot-plot', groupby: 'cell_type', min_cells: 1 },
    { kind: 'enrichment-bar-plot', pathway_genes: ['A'], minimum_overlap: 0 },
    { kind: 'cell-state-umap', cell_state: 'HYPOXIA', minimum_genes: 0 },
  ];
  for (const content of refused) expect(figureContent.safeParse(content).success).toBe(false);
});
