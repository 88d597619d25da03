import { figureContent } from '@cellfolio/figures/content';
import { expect, test } from 'vitest';
import { type GroupFigureChoice, groupFigures, hasGenes, missingFor, qualityHint } from './group-figures.ts';

const nothing: GroupFigureChoice = {
  measure: 'genes',
  genes: [],
  lists: [],
  number: '',
  signature: { name: '', genes: [] },
  state: '',
  by: undefined,
  split: '',
  parts: undefined,
  scaled: false,
  tree: false,
  counted: false,
  points: false,
  samples: '',
  order: 'column',
  part: '',
  quality: [],
};
const figureOf = (kind: string) => groupFigures.find((one) => one.kind === kind)!;
const contents = (kind: string, choice: Partial<GroupFigureChoice>) =>
  figureOf(kind).contents({ ...nothing, ...choice });

const full: Partial<GroupFigureChoice> = {
  genes: ['A', 'B'],
  by: { column: 'depth', bins: { by: 'edges', edges: [1, 2] } },
  order: 'part',
  part: 'T cell',
  quality: ['total_counts'],
};

test.each(groupFigures.map(({ kind }) => kind))(
  'the calls accept the request of the panel for a %s',
  (kind) => {
    const choice = { ...nothing, ...full };
    expect(missingFor(figureOf(kind), choice)).toBeUndefined();
    const contents = figureOf(kind).contents(choice);
    expect(contents.length).toBeGreaterThan(0);
    for (const content of contents) expect(figureContent.parse(content)).toEqual(content);
  },
);

test('a figure that was drawn before an option could be chosen is the same figure without it', () => {
  expect(contents('violin', { genes: ['A'] })).toEqual([
    { kind: 'violin', of: { measure: 'gene', gene: 'A' } },
  ]);
  expect(contents('composition-bar', { by: { column: 'patient' } })).toEqual([
    { kind: 'composition-bar', by: { column: 'patient' }, show: 'share', order: 'column' },
  ]);
});

test('points and means of samples are requested for violins alone', () => {
  const choice = { genes: ['A'], points: true, samples: 'patient', split: 'treated' };
  expect(contents('violin', choice)).toMatchObject([
    { points: true, samples: 'patient', split: { column: 'treated' } },
  ]);
  expect(contents('ridge', choice)).toEqual([{ kind: 'ridge', of: { measure: 'gene', gene: 'A' } }]);
});

test.each([
  ['number', { number: 'depth' }, { measure: 'obs', column: 'depth' }],
  [
    'state',
    { state: 'HYPOXIA' },
    { measure: 'score', score: { of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 3 } },
  ],
  [
    'signature',
    { signature: { name: ' mine ', genes: ['C'] } },
    { measure: 'score', score: { of: 'signature', score_name: 'mine', genes: ['C'] } },
  ],
] as const)('a %s is measured by violins, ridges and against a gene', (measure, choice, of) => {
  for (const kind of ['violin', 'ridge']) {
    expect(contents(kind, { measure, ...choice, genes: ['A'] })).toEqual([{ kind, of }]);
    expect(hasGenes(figureOf(kind), { ...nothing, measure })).toBe(false);
  }
  expect(contents('gene-scatter', { measure, ...choice, genes: ['A'] })).toEqual([
    { kind: 'gene-scatter', x: 'A', y: of },
  ]);
  expect(hasGenes(figureOf('gene-scatter'), { ...nothing, measure })).toBe(true);
});

test.each<[string, Partial<GroupFigureChoice>, string]>([
  ['violin', {}, 'Choose at least one gene.'],
  ['violin', { measure: 'number' }, 'Choose the column of numbers.'],
  ['ridge', { measure: 'state' }, 'Choose the cell state.'],
  ['violin', { measure: 'signature' }, 'Choose the genes of the signature.'],
  ['violin', { measure: 'signature', signature: { name: ' ', genes: ['A'] } }, 'Name the signature.'],
  ['gene-scatter', { genes: ['A'] }, 'Choose 2 genes; 1 more.'],
  ['gene-scatter', { measure: 'number', number: 'depth' }, 'Choose the gene of the other axis.'],
  ['gene-scatter', { measure: 'number', number: 'depth', genes: ['A', 'B'] }, '1 gene; remove 1'],
  ['composition-bar', {}, 'Choose the column whose groups are the bars.'],
  ['composition-bar', { by: { column: 'a' }, order: 'part' }, 'Choose the part whose share sorts the bars.'],
  ['quality', {}, 'This dataset has no measures of quality'],
])('a %s of %j says what is missing', (kind, choice, words) => {
  expect(missingFor(figureOf(kind), { ...nothing, ...choice })).toContain(words);
});

test('dot plots, matrix plots and heatmaps have a bracket over each gene list, violins do not', () => {
  const lists = [
    { name: 'T cells', genes: ['CD3D'] },
    { name: 'B cells', genes: ['MS4A1'] },
  ];
  const choice = { genes: ['MS4A1', 'CD3D'], lists };
  for (const kind of ['gene-dot-plot', 'matrix-plot', 'heatmap']) {
    expect(contents(kind, choice)[0]).toMatchObject({
      genes: ['CD3D', 'MS4A1'],
      brackets: lists.map(({ name }) => ({ name, count: 1 })),
    });
  }
  expect(contents('stacked-violin', choice)[0]).not.toHaveProperty('brackets');
});

test('the hint of the violins of quality names their columns as the page does', () => {
  const columns = [
    { name: 'total_counts', title: 'Total counts' },
    { name: 'pct_counts_mt', title: 'Mitochondrial share (%)' },
  ];
  expect(qualityHint(['total_counts', 'pct_counts_mt'], columns)).toMatch(
    /^Draws Total counts, Mitochondrial share \(%\), with the median/,
  );
});
