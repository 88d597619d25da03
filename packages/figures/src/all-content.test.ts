import { markerParameters, pathwayParameters } from '@cellfolio/analysis/parameters';
import { expect, test } from 'vitest';
import {
  cellNumbersName,
  contentAddress,
  describeFigure,
  figureContent,
  isMap,
  keptContent,
  kindsWithCellNumbers,
  readContentAddress,
  scoresIn,
  unknownFields,
} from './all-content.ts';

const set = (name: string) => ({ name, filter: { subset_group_name: name } });

test('a figure from before a setting could be chosen is drawn with what it was drawn with then', () => {
  expect(figureContent.parse({ kind: 'enrichment-bar', pathway_genes: ['A'] })).toMatchObject({
    background: { kind: 'dataset' },
    minimum_overlap: 1,
  });
  expect(figureContent.parse({ kind: 'dot-plot', groupby: 'cell_type' })).toMatchObject({
    min_cells: 2,
    unlabelled: 'reference',
    unassigned: 'groups',
    tie_correct: false,
    pseudocount: 1e-9,
  });
  const sides = { a: set('A'), b: set('B') };
  for (const kind of ['volcano', 'ma-plot', 'rank-plot']) {
    expect(figureContent.parse({ kind, ...sides })).toMatchObject({ tie_correct: false, pseudocount: 1e-9 });
  }
  const ranking = { source: 'comparison', comparison: sides };
  expect(figureContent.parse({ kind: 'running-score', ranking, library_name: 'GO' })).toMatchObject({
    ranking: { comparison: { tie_correct: false, pseudocount: 1e-9 } },
  });
  for (const kind of ['score-umap', 'score-violin']) {
    const content = { kind, of: 'cell-state', cell_state: 'HYPOXIA' };
    expect(figureContent.parse(content)).toMatchObject({ minimum_genes: 1 });
  }
});

test('a new call has the defaults of today, and its figure keeps them', () => {
  const enrichment = pathwayParameters.parse({ pathway_genes: ['A'] });
  expect(enrichment).toMatchObject({ background: { kind: 'expressed' }, minimum_overlap: 2 });
  const markers = markerParameters.parse({ groupby: 'cell_type' });
  expect(markers).toMatchObject({ min_cells: 3, tie_correct: true, pseudocount: 1 });
  expect(figureContent.parse({ kind: 'enrichment-bar', ...enrichment })).toMatchObject(enrichment);
  expect(figureContent.parse({ kind: 'dot-plot', ...markers })).toMatchObject(markers);
});

test('every kind of figure names its fields, so that unknown ones are reported', () => {
  for (const { kind } of figureContent.options.flatMap((one) =>
    'options' in one ? [] : [{ kind: one.shape.kind.value }],
  )) {
    expect(unknownFields({ kind, misspelt: 1 })).toEqual(['misspelt']);
  }
  const scored = { kind: 'score-umap', of: 'signature', score_name: 'x', genes: ['A'] };
  expect(unknownFields(scored)).toEqual([]);
  expect(unknownFields({ ...scored, misspelt: 1 })).toEqual(['misspelt']);
  const violin = { kind: 'violin', of: { measure: 'gene', gene: 'A' }, by: { column: 'x' } };
  expect(unknownFields(violin)).toEqual([]);
  expect(
    unknownFields({ ...violin, by: { column: 'age', bin: 4, bins: { by: 'quantiles', part: 4 } } }),
  ).toEqual(['by.bin', 'by.bins.part']);
  const a = { name: 'A', filter: { subset_group_name: 'A', former: 1 } };
  const dots = { kind: 'gene-dot-plot', genes: ['A'], brackets: [{ name: 'x', count: 1, colour: 'red' }] };
  expect(unknownFields({ ...dots })).toEqual(['brackets.0.colour']);
  expect(unknownFields({ kind: 'compared-dots', genes: ['A'], a: { ...a, side: 'A' } })).toEqual(['a.side']);
});

test('settings of figures are bounded as those of the calls are', () => {
  const refused = [
    { kind: 'dot-plot', groupby: 'cell_type', min_cells: 1 },
    { kind: 'enrichment-bar', pathway_genes: ['A'], minimum_overlap: 0 },
    { kind: 'score-umap', of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 0 },
  ];
  for (const content of refused) expect(figureContent.safeParse(content).success).toBe(false);
});

const score = { score_name: 'mine', genes: ['CD3D'] };
const state = { cell_state: 'HYPOXIA', minimum_genes: 2 };
const markers = { ...markerParameters.parse({ groupby: 'cell_type' }) };
const enrichment = { ...pathwayParameters.parse({ pathway_genes: ['A'] }) };

test.each<[object, object, address: string | undefined]>([
  [{ kind: 'default-umap' }, { kind: 'category-umap' }, 'default-umap'],
  [
    { kind: 'signature-umap', ...score },
    { kind: 'score-umap', of: 'signature', ...score },
    'signature-umap:mine,CD3D',
  ],
  [
    { kind: 'signature-violin', ...score },
    { kind: 'score-violin', of: 'signature', ...score },
    'signature-violin:mine,CD3D',
  ],
  [
    { kind: 'cell-state-umap', ...state },
    { kind: 'score-umap', of: 'cell-state', ...state },
    'cell-state-umap:HYPOXIA,2',
  ],
  [
    { kind: 'cell-state-violin', ...state },
    { kind: 'score-violin', of: 'cell-state', ...state },
    'cell-state-violin:HYPOXIA,2',
  ],
  [
    { kind: 'cell-type-umap', cell_type: 'T, cell' },
    { kind: 'highlight-umap', of: 'cell-type', cell_type: 'T, cell' },
    'cell-type-umap:T%2C%20cell',
  ],
  [
    { kind: 'cluster-umap', leiden_clusters: ['0', '3'] },
    { kind: 'highlight-umap', of: 'cluster', leiden_clusters: ['0', '3'] },
    'cluster-umap:0,3',
  ],
  [{ kind: 'marker-dot-plot', ...markers }, { kind: 'dot-plot', ...markers }, undefined],
  [{ kind: 'enrichment-bar-plot', ...enrichment }, { kind: 'enrichment-bar', ...enrichment }, undefined],
])('a figure that was kept as %j is the figure of today', (stored, content, address) => {
  const read = figureContent.parse(keptContent(stored));
  expect(read).toEqual(content);
  const written = contentAddress(read);
  const expected = address && read;
  expect([address, written].map((text) => text && readContentAddress(text))).toEqual([expected, expected]);
});

test('figures of cells on an embedding are maps, those of groups, genes and terms are not', () => {
  const isMapOf = (content: object) => isMap(figureContent.parse(content));
  expect(isMapOf({ kind: 'category-umap' })).toBe(true);
  expect(isMapOf({ kind: 'gene-umap', gene: 'CD3D' })).toBe(true);
  expect(isMapOf({ kind: 'obs-umap', column: 'depth' })).toBe(true);
  expect(isMapOf({ kind: 'gene-violin', gene: 'CD3D' })).toBe(false);
  expect(isMapOf({ kind: 'score-violin', of: 'signature', ...score })).toBe(false);
  expect(isMapOf({ kind: 'dot-plot', ...markers })).toBe(false);
  expect(isMapOf({ kind: 'enrichment-bar', ...enrichment })).toBe(false);
});

test('figures of genes by group say which column the groups are of', () => {
  const by = { column: 'total_counts' };
  const subtitle = (kind: string) =>
    describeFigure(figureContent.parse({ kind, genes: ['CD3D'], by }), 'none').subtitle;
  expect(['gene-dot-plot', 'matrix-plot', 'heatmap', 'stacked-violin'].map(subtitle)).toEqual([
    'Dot plot by Total counts',
    'Matrix plot by Total counts',
    'Heatmap of cells by Total counts',
    'Stacked violin by Total counts, one scale',
  ]);
  expect(
    describeFigure(figureContent.parse({ kind: 'gene-dot-plot', genes: ['CD3D'] }), 'none').subtitle,
  ).toBe('Dot plot');
});

test('columns that a user named are called that in titles', () => {
  const own = [{ name: 'tcells' }];
  const shown = (content: object) => {
    const { title, subtitle } = describeFigure(figureContent.parse(content), 'none', own);
    return [title, subtitle];
  };
  const by = { column: 'my T cells | B cell' };
  const split = { column: 'tcells' };
  expect(shown({ kind: 'violin', of: { measure: 'gene', gene: 'CD3D' }, by, split })).toEqual([
    'CD3D',
    'Violin by my T cells | B cell, split by tcells',
  ]);
  expect(shown({ kind: 'composition-bar', by: split, of: { column: 'cell_state' } })[0]).toBe(
    'Cell State by tcells',
  );
  expect(shown({ kind: 'obs-umap', column: 'tcells' })[0]).toBe('tcells');
});

test('the subtitle of a map names the embedding that it is drawn on', () => {
  const subtitleOf = (content: object, map?: string) =>
    describeFigure(figureContent.parse(content), 'none', [], map).subtitle;
  const column = { kind: 'obs-umap', column: 'sample' };
  expect([subtitleOf(column), subtitleOf(column, 'PCA 1, 2')]).toEqual([
    'UMAP by column',
    'PCA 1, 2 by column',
  ]);
  expect(subtitleOf({ kind: 'gene-umap', gene: 'CD3D' }, '$& t-SNE')).toBe('Expression $& t-SNE');
  expect(subtitleOf({ kind: 'violin', of: { measure: 'gene', gene: 'UMAP' } }, 'PCA')).not.toContain('PCA');
});

test('maps of results name the numbers of their cells, and every figure of a score the score', () => {
  const signature = { of: 'signature', score_name: 'T cells', genes: ['CD3D'] } as const;
  const map = figureContent.parse({ kind: 'score-umap', ...signature });
  const ridge = figureContent.parse({ kind: 'ridge', of: { measure: 'score', score: signature } });
  expect(kindsWithCellNumbers).toEqual(['score-umap', 'pseudotime-umap', 'gradient-umap']);
  expect(cellNumbersName(map)).toBe('Score of T cells');
  expect(cellNumbersName(ridge)).toBeUndefined();
  expect([map, ridge].map(scoresIn)).toEqual([
    [expect.objectContaining(signature)],
    [expect.objectContaining(signature)],
  ]);
});
