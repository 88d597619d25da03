import { figureContent } from '@cellfolio/figures/content';
import { type CategoricalColumn, type Column, type Embedding, packStrings } from '@cellfolio/model';
import { beforeAll, describe, expect, test } from 'vitest';
import { pngSize } from '../../testing/png-size.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeTestDataset } from '../../testing/write-test-dataset.ts';

/** Enough for a cell in each category; more than any list of names or groups may have. */
const manyCells = 6000;
/** For analyses that compare every pair of cells. */
const fewCells = 300;

const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://example.org")',
  '\u202eexe.piz \u0000\u0007',
  '👩‍👩‍👧‍👦🧬',
  'x'.repeat(3000),
  '  ',
];
const hostileGene = '<img src=x onerror=alert(1)>';

function codesOf(cells: number, categories: readonly string[], codeOf: (cell: number) => number) {
  const codes = Int32Array.from({ length: cells }, (_, cell) => codeOf(cell));
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false } as const;
}

function badColumns(cells: number): Record<string, CategoricalColumn> {
  const numbered = Array.from({ length: manyCells }, (_, at) => `barcode ${at}`);
  return {
    'thousands of categories': codesOf(cells, numbered, (cell) => cell),
    'a single value': codesOf(cells, ['everything'], () => 0),
    'no value at all': codesOf(cells, ['nobody'], () => -1),
    'no categories at all': codesOf(cells, [], () => -1),
    'hostile names': codesOf(cells, hostileNames, (cell) => cell % hostileNames.length),
    'groups of one cell': codesOf(cells, ['one', 'another', 'others'], (cell) => Math.min(cell, 2)),
  };
}

const whats = Object.keys(badColumns(0));

const badGenes: Record<string, (cell: number) => number> = {
  PLAIN: (cell) => (cell % 3 === 0 ? 1 + (cell % 7) / 3 : 0),
  NOWHERE: () => 0,
  NAN: (cell) => (cell % 5 === 0 ? NaN : cell % 2),
  ALLNAN: () => NaN,
  INFINITE: (cell) => (cell === 4 ? Infinity : cell % 2),
  // In the first cell, and so in one group of most columns.
  FIRST: (cell) => (cell === 0 ? 3 : 0),
  EVERYWHERE: () => 1.5,
  [hostileGene]: (cell) => cell % 4,
};
const geneNames = Object.keys(badGenes);

const numbers = (cells: number, numberOf: (cell: number) => number): Column => ({
  kind: 'numeric',
  dtype: 'float64',
  values: Float64Array.from({ length: cells }, (_, cell) => numberOf(cell)),
});

/** Cells on a grid; the last one has no position. */
function grid(cells: number): Embedding {
  const values = Float32Array.from({ length: 2 * cells }, (_, at) =>
    at >= 2 * cells - 2 ? NaN : at % 2 === 0 ? (at >> 1) % 100 : Math.floor((at >> 1) / 100),
  );
  return { name: 'X_umap', dimensions: 2, values };
}

let server: SharedServer;
let api: ReturnType<typeof apiClient>;
const idOf = (what: string, cells: number) => `${what.replaceAll(' ', '-')}-${cells}.h5ad`;
/** The number the column needs, since a figure is drawn for each of hundreds of contents. */
const cellsFor = (what: string) => (what === 'thousands of categories' ? manyCells : fewCells);

async function write(objectRoot: string, what: string, cells: number): Promise<void> {
  const column = badColumns(cells)[what]!;
  const texts = packStrings(Array.from({ length: cells }, (_, cell) => `note ${cell}`));
  const everyCell = Int32Array.from({ length: cells }, (_, cell) => cell);
  await writeTestDataset(objectRoot, idOf(what, cells), {
    cellCount: cells,
    obs: new Map<string, Column>([
      ['bad', column],
      ['half', codesOf(cells, ['left', 'right'], (cell) => cell % 2)],
      ['depth', numbers(cells, (cell) => (cell % 50) / 7)],
      ['empty', numbers(cells, () => NaN)],
      ['text', { kind: 'string', strings: texts }],
    ]),
    genes: Object.entries(badGenes).map(([name, valueOf]) => {
      const stored = everyCell.filter((cell) => valueOf(cell) !== 0);
      return { name, cells: stored, values: Float32Array.from(stored, valueOf) };
    }),
    statistics: new Map([['bad', column]]),
    embeddings: [grid(cells)],
    catalogue: { name: `A dataset of ${what}` },
    roles: { cellType: 'bad', cluster: 'bad', embedding: 'X_umap', metadata: { bad: 'bad', half: 'half' } },
  });
}

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    for (const what of whats) {
      for (const cells of new Set([cellsFor(what), fewCells])) await write(objectRoot, what, cells);
    }
  });
  api = apiClient(server, await server.signIn('standard'), 'bad');
});

const by = { column: 'bad' };
const gene = (name: string) => ({ measure: 'gene', gene: name });
const ofNumber = (column: string) => ({ measure: 'obs', column });
const side = (name: string, half: string) => ({
  name,
  filter: {
    subset_group_name: name,
    gene_filter: false,
    signature_filter: false,
    cell_type_filter: false,
    patient_metadata_filter: true,
    patient_metadata: { half: [half] },
  },
});
const sides = { a: side('A', 'left'), b: side('B', 'right') };

const ofCells = (first: string): object[] => [
  { kind: 'category-umap' },
  { kind: 'highlight-umap', of: 'cell-type', cell_type: first },
  { kind: 'highlight-umap', of: 'cluster', leiden_clusters: [first] },
  { kind: 'obs-umap', column: 'bad' },
  { kind: 'obs-umap', column: 'empty' },
  ...geneNames.flatMap((name) => [
    { kind: 'gene-umap', gene: name },
    { kind: 'gene-violin', gene: name },
    { kind: 'pair-umap', first: [name], second: ['PLAIN', 'ALLNAN'] },
    { kind: 'violin', of: gene(name), by, split: { column: 'half' }, points: true, samples: 'bad' },
    { kind: 'ridge', of: gene(name), by },
  ]),
  ...['depth', 'empty'].flatMap((column) => [
    { kind: 'violin', of: ofNumber(column), by: { column: 'half' }, split: by },
    { kind: 'violin', of: gene('PLAIN'), by: { column } },
    { kind: 'ridge', of: ofNumber(column), by },
    { kind: 'gene-scatter', x: 'PLAIN', y: ofNumber(column) },
  ]),
  ...['gene-dot-plot', 'matrix-plot', 'heatmap'].flatMap((kind) => [
    { kind, genes: geneNames, by, order: 'dendrogram' },
    { kind, genes: geneNames, scale: 'gene', brackets: [{ name: hostileNames[0]!, count: 2 }] },
    { kind, genes: ['NOWHERE'], by },
    { kind, genes: ['ALLNAN'], by: { column: 'empty' } },
  ]),
  { kind: 'composition-bar', by, of: by },
  { kind: 'composition-bar', by: { column: 'half' }, of: by, order: 'largest-part' },
  { kind: 'composition-bar', by: { column: 'empty' }, show: 'count' },
  { kind: 'composition-bar', by, of: { column: 'half' }, order: 'part', part: 'left' },
  { kind: 'quality', columns: ['depth', 'empty'], by },
  ...['bad', 'text'].flatMap((column) => [
    { kind: 'quality', columns: ['depth', column] },
    { kind: 'violin', of: ofNumber(column) },
    { kind: 'ridge', of: gene('PLAIN'), by: { column } },
    { kind: 'gene-scatter', x: ofNumber(column), y: 'PLAIN' },
    { kind: 'violin', of: gene('PLAIN'), split: { column }, samples: 'depth' },
    { kind: 'composition-bar', by: { column }, order: 'part', part: 'nobody knows' },
  ]),
  { kind: 'gene-scatter', x: 'NOWHERE', y: 'NAN' },
  { kind: 'gene-scatter', x: 'ALLNAN', y: 'EVERYWHERE' },
  { kind: 'score-umap', of: 'signature', score_name: hostileNames[0]!, genes: geneNames },
  { kind: 'score-violin', of: 'signature', score_name: 'of nothing', genes: ['NOWHERE', 'ALLNAN'] },
];

const ofAnalyses: object[] = [
  { kind: 'dot-plot', groupby: 'bad', pvals_adj: 1, logfoldchanges: -100, min_cells: 2 },
  { kind: 'enrichment-bar', pathway_genes: geneNames, library_name: 'MSigDB_Hallmark_2020' },
  ...['volcano', 'ma-plot', 'rank-plot'].map((kind) => Object.assign({ kind, within: 'bad' }, sides)),
  { kind: 'compared-dots', ...sides, genes: geneNames },
  ...['sample-map', 'mean-variance', 'p-value-histogram', 'design', 'sample-dots', 'sample-heatmap'].map(
    (kind) => Object.assign({ kind, method: 'pseudobulk', samples: 'bad', gene: 'PLAIN' }, sides),
  ),
  ...['end-distribution', 'end-composition'].flatMap((kind) =>
    geneNames
      .map((name): object => ({ kind, by: { of: 'gene', gene: name }, min_sample_cells: 1 }))
      .concat(
        { kind, by: { of: 'column', column: 'depth' }, samples: 'bad' },
        { kind, by: { of: 'column', column: 'empty' } },
        { kind, by: { of: 'column', column: 'bad' } },
      ),
  ),
  ...['gradient-umap', 'gradient-heatmap', 'gradient-curve'].flatMap((kind) =>
    geneNames
      .map((name): object => ({ kind, axis: { of: 'gene', gene: name } }))
      .concat(
        { kind, axis: { of: 'column', column: 'depth' }, samples: 'bad' },
        { kind, axis: { of: 'column', column: 'empty' } },
        { kind, axis: { of: 'line', from: [0, 0], to: [9, 2] }, within_samples: false },
      ),
  ),
  ...['module-heatmap', 'gene-network'].map((kind) => ({ kind })),
  { kind: 'cell-type-heatmap', groupby: 'bad', min_cells: 2 },
  { kind: 'composition-dots', ...sides, by: 'bad', samples: 'bad' },
  ...['perturbation-effects', 'perturbation-matrix', 'perturbation-controls'].flatMap((kind) => [
    { kind, groupby: 'half', controls: ['left'], guides: 'bad', min_cells: 5, permutations: 99 },
    { kind, groupby: 'bad', batch: 'half', min_cells: 5, permutations: 99 },
  ]),
  ...['ranked-enrichment-bar', 'running-score'].map((kind) => ({
    kind,
    library_name: 'MSigDB_Hallmark_2020',
    ranking: { source: 'own', genes: geneNames, values: geneNames.map((_, at) => (at === 2 ? null : at)) },
  })),
  ...['ligand-receptor-dots', 'ligand-receptor-heatmap'].map((kind) => ({
    kind,
    groupby: 'bad',
    own_pairs: 'ligand,receptor\nPLAIN,NOWHERE\nNAN,EVERYWHERE\n',
    permutations: 100,
  })),
  ...['pseudotime-umap', 'paga-graph', 'pseudotime-heatmap', 'pseudotime-curve'].map((kind) => ({
    kind,
    groupby: 'bad',
  })),
];

type Kind = { shape: { kind: { value: string } } };
const options = figureContent.options as readonly (Kind | { options: readonly Kind[] })[];
const kindSchemas = options.flatMap((schema) => ('options' in schema ? schema.options : [schema]));
const kinds = new Set(kindSchemas.map(({ shape }) => shape.kind.value));
const listed = new Set([...ofCells('x'), ...ofAnalyses].map((content) => (content as { kind: string }).kind));
/** Kinds that take only groups, or genes in groups, need no line of their own. */
const byGroup = [...kinds]
  .filter((kind) => !listed.has(kind))
  .map((kind) => ({ kind, genes: geneNames, by }));

test('every kind of figure is among them', () => {
  expect([...kinds]).toEqual(expect.arrayContaining([...listed]));
  for (const content of byGroup) expect(figureContent.parse(content)).toMatchObject({ by });
});

const card = { width: 520, height: 380, theme: 'dark' };

interface Outcome {
  kind: string;
  isFigure: boolean;
  problems: readonly string[];
}

const refusals = new Set([400, 404, 409, 422]);
// What JavaScript writes where a number is missing, elements that no figure has, and characters that SVG cannot hold.
// oxlint-disable-next-line no-control-regex
const unwanted = /<script|<img|NaN|Infinity|undefined|[\u0000-\u0008\u202a-\u202e]/;
const longest = 2_000_000;

async function drawFigure(id: string, content: object, { asPng }: { asPng: boolean }): Promise<Outcome> {
  const { kind } = content as { kind: string };
  const source = { dataset_filename: id, content };
  const excerpt = JSON.stringify(content).slice(0, 200);
  const svg = await api.post('/api/render-figure', { source, format: 'svg', view: card });
  if (svg.status !== 200) {
    const { message } = svg.body as { message?: unknown };
    const isSentence = typeof message === 'string' && /^[^\n]{10,600}\.$/.test(message);
    const isRefused = refusals.has(svg.status) && isSentence;
    return {
      kind,
      isFigure: false,
      problems: isRefused ? [] : [`${excerpt}: ${svg.status} ${String(message)}`],
    };
  }
  const text = new TextDecoder().decode(svg.body).replaceAll(/base64,[\w+/=]+/g, '');
  const problems = [
    ...(/^<svg [^]*<\/svg>\s*$/.test(text) ? [] : ['no SVG']),
    ...(unwanted.exec(text) ?? []),
    ...(text.length < longest ? [] : [`${text.length} characters`]),
  ];
  if (asPng) {
    const png = await api.post('/api/render-figure', { source, view: card });
    const width = png.status === 200 ? pngSize(png.body).width : 0;
    if (width !== card.width) problems.push(`PNG ${png.status}, ${width} pixels wide`);
  }
  return { kind, isFigure: true, problems: problems.map((problem) => `${excerpt}: ${problem}`) };
}

/**
 * Both formats paint one scene: a content is also drawn as PNG in a third of the columns, and the next content in
 * another third.
 */
async function drawnAll(what: string, cells: number, contents: readonly object[]): Promise<Outcome[]> {
  const column = whats.indexOf(what);
  const outcomes: Outcome[] = [];
  for (const [at, content] of contents.entries())
    outcomes.push(await drawFigure(idOf(what, cells), content, { asPng: (at + column) % 3 === 0 }));
  return outcomes;
}

describe.each(whats)('a column of %s', (what) => {
  test('is drawn in every kind of figure of cells, or a sentence says why not', async () => {
    const [first = 'nobody'] = badColumns(1)[what]!.categories;
    const outcomes = await drawnAll(what, cellsFor(what), [...ofCells(first), ...byGroup]);
    expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
    // What refuses everything would pass too.
    expect(new Set(outcomes.filter(({ isFigure }) => isFigure).map(({ kind }) => kind)).size).toBeGreaterThan(
      10,
    );
  }, 300_000);

  test('is drawn in every kind of figure of an analysis, or a sentence says why not', async () => {
    const outcomes = await drawnAll(what, fewCells, ofAnalyses);
    expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
  }, 300_000);
});
