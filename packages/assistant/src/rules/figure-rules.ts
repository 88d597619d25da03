import { type FigureContent, maxListedGenes, qualityColumns } from '@cellfolio/figures/content';
import { cutText, listedNames } from '@cellfolio/model';
import { maxSteps } from '../plan.ts';
import type { ColumnMention } from './mentions.ts';
import {
  cellsOf,
  columnsIn,
  type Draft,
  type Filter,
  genesOf,
  groupOf,
  groupsIn,
  takeGroups,
  inCells,
  type Reading,
  says,
  titleOf,
  take,
  takeGenes,
  takeRestriction,
  wordBefore,
} from './reading.ts';

interface Content {
  readonly kind: FigureContent['kind'];
  readonly [field: string]: unknown;
}

/** Figures of several genes, by the words that name them. */
const geneFigures = [
  ['heatmap', ['heatmap', 'heat map']],
  ['stacked-violin', ['stacked violin']],
  ['gene-dot-plot', ['dot plot', 'dotplot', 'bubble plot']],
  ['matrix-plot', ['matrix plot', 'matrixplot']],
] as const;
const mapWords = [
  'map',
  'umap',
  'tsne',
  'color',
  'colour',
  'colored',
  'coloured',
  'where',
  'highlight',
  'feature plot',
];
const violinWords = ['violin', 'distribution', 'box plot', 'boxplot'];
const ridgeWords = ['ridge', 'ridge plot', 'ridgeline'];
const scatterWords = [
  'scatter',
  'scatter plot',
  'against',
  'vs',
  'versus',
  'correlation',
  'correlate',
  'correlated',
];
const differWords = ['differ', 'difference', 'different', 'change', 'compare'];
const scoreWords = ['score', 'signature'];
const qualityWords = ['quality', 'qc', 'quality control'];

/** Words that say how something is drawn. */
const figureWords = [
  ...geneFigures.flatMap(([, words]) => words),
  ...mapWords,
  ...violinWords,
  ...ridgeWords,
].concat('scatter', ...scoreWords, ...qualityWords, 'density');

/** Whether the question names a figure, of something that can be drawn. */
export function namesFigure(reading: Reading): boolean {
  const { genes, numbers, columns } = subjectsOf(reading);
  const isNamed = figureWords.some((word) => says({ ...reading, understood: new Set() }, word));
  const isMapped = mapWords.some((word) => says({ ...reading, understood: new Set() }, word));
  return isNamed && (genes.length > 0 || numbers.length > 0 || (isMapped && columns.length > 0));
}

function subjectsOf(reading: Reading) {
  return { genes: genesOf(reading), numbers: columnsIn(reading, true), columns: columnsIn(reading, false) };
}

/** Figures of the genes and columns of the question; undefined where it names none. */
export function figureDraft(reading: Reading): Draft | undefined {
  const { genes, numbers, columns } = subjectsOf(reading);
  if (says(reading, ...qualityWords)) return quality(reading);
  if (says(reading, 'density')) return density(reading);
  if (genes.length + numbers.length === 0) return mapOfGroups(reading);
  if (genes.length + numbers.length === 2 && says(reading, ...scatterWords) && columns.length === 0) {
    if (groupsIn(reading).length < 2) return scatter(reading);
  }
  return says(reading, ...mapWords) ? maps(reading) : ofValues(reading);
}

function step(reading: Reading, content: Content, rest: Filter, purpose: string) {
  const args = { ...cellsOf(reading, rest), content };
  return {
    tool: 'draw_figure',
    arguments: args,
    purpose: cutText(`${purpose}${inCells(reading, rest)}.`, 200),
  };
}

function maps(reading: Reading): Draft {
  const { numbers, columns } = subjectsOf(reading);
  const genes = takeGenes(reading);
  take(reading, ...numbers, ...columns);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  if (says(reading, ...scoreWords) && genes.length > 1) return scoreOf(reading, genes, rest);
  const drawn = [
    ...genes.map((gene) => [gene, { kind: 'gene-umap', gene }] as const),
    ...[...numbers, ...columns].map(({ column }) => {
      return [titleOf(reading, column), { kind: 'obs-umap', column }] as const;
    }),
  ];
  return {
    steps: drawn.map(([title, content]) => step(reading, content, rest, `Shows ${title} on the map`)),
  };
}

/** Cells on the map by a column, or by groups that the question names. */
function mapOfGroups(reading: Reading): Draft | undefined {
  const isMap = says(reading, ...mapWords);
  const groups = groupsIn(reading);
  const columns = columnsIn(reading, false);
  if (columns.length > 0 && isMap) return maps(reading);
  const [first] = groups;
  if (first === undefined || !isMap) return undefined;
  const { column } = groupOf(first)!;
  const { cellTypes, clusters } = reading.facts;
  const of = groups.flatMap((one) => groupOf(one, column) ?? []);
  const isOne = of.length === groups.length;
  if (isOne && column === cellTypes) {
    takeGroups(reading, groups);
    return {
      steps: of.map(({ name }) => {
        const content = { kind: 'highlight-umap', of: 'cell-type', cell_type: name } as const;
        return step(reading, content, { groups: [] }, `Shows ${name} on the map`);
      }),
    };
  }
  if (isOne && column === clusters) {
    takeGroups(reading, groups);
    const content = {
      kind: 'highlight-umap',
      of: 'cluster',
      leiden_clusters: of.map(({ name }) => name),
    } as const;
    return { steps: [step(reading, content, { groups: [] }, `Shows the clusters on the map`)] };
  }
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  return {
    steps: [
      step(reading, { kind: 'obs-umap', column }, rest, `Shows ${titleOf(reading, column)} on the map`),
    ],
  };
}

function scatter(reading: Reading): Draft {
  const [x, y] = [...takeGenes(reading), ...takeNumbers(reading)];
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const content = { kind: 'gene-scatter', x: axisOf(x!), y: axisOf(y!) } as const;
  return {
    steps: [
      step(
        reading,
        content,
        rest,
        `Shows ${axisTitle(reading, y!)} against ${axisTitle(reading, x!)} in each cell`,
      ),
    ],
  };
}

function axisOf(value: string | ColumnMention) {
  return typeof value === 'string' ? value : ({ measure: 'obs', column: value.column } as const);
}

function axisTitle(reading: Reading, value: string | ColumnMention): string {
  return typeof value === 'string' ? value : titleOf(reading, value.column);
}

function takeNumbers(reading: Reading): ColumnMention[] {
  const numbers = columnsIn(reading, true);
  take(reading, ...numbers);
  return numbers;
}

interface Grouping {
  readonly by?: { readonly column: string };
  readonly split?: { readonly column: string };
}

/** Groups of a violin and the like: the columns of the question, or that of two groups that it compares. */
function takeGrouping(
  reading: Reading,
): { readonly by?: { column: string }; readonly split?: { column: string } } | undefined {
  const columns = columnsIn(reading, false);
  if (columns.length > 2) return undefined;
  take(reading, ...columns);
  const [by, split] = columns;
  if (by !== undefined)
    return { by: { column: by.column }, ...(split && { split: { column: split.column } }) };
  const groups = groupsIn(reading);
  const pairs = groups.flatMap((one, at) => {
    return one.options.filter(({ column }) => groups.slice(at + 1).some((other) => groupOf(other, column)));
  });
  // The last pair: `T cells and B cells in tumor and normal` are drawn by tumor and normal.
  const column = pairs.at(-1)?.column;
  if (column !== undefined) return { by: { column } };
  const [only, ...others] = groups;
  if (
    only === undefined ||
    others.length > 0 ||
    !says(reading, 'higher', 'lower', 'more', 'less', ...differWords)
  )
    return {};
  takeGroups(reading, [only]);
  return { by: { column: groupOf(only)!.column } };
}

function ofValues(reading: Reading): Draft {
  const genes = takeGenes(reading);
  const numbers = takeNumbers(reading);
  const grouping = takeGrouping(reading);
  if (grouping === undefined) return { problem: 'A figure has groups of two columns at most.' };
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const { by, split } = grouping;
  const isViolin = says(reading, ...violinWords);
  const isRidge = says(reading, ...ridgeWords);
  const named = geneFigures.find(([, words]) => says(reading, ...words))?.[0];
  says(reading, 'stacked');
  if (says(reading, ...scoreWords) && genes.length > 1) return scoreOf(reading, genes, rest, grouping);
  if (named !== undefined || (genes.length > 1 && by !== undefined) || genes.length > maxSteps) {
    if (numbers.length > 0 || split !== undefined || genes.length > maxListedGenes)
      return {
        problem: `Several genes are drawn together by one column: at most ${maxListedGenes} genes, without a second column or columns of numbers.`,
      };
    const content = { kind: named ?? 'gene-dot-plot', genes, ...(by && { by }) } as const;
    return {
      steps: [step(reading, content, rest, `Shows ${listedNames(genes, 5)}${byText(reading, grouping)}`)],
    };
  }
  const measures = [
    ...genes.map((gene) => [gene, { measure: 'gene', gene }] as const),
    ...numbers.map(({ column }) => [titleOf(reading, column), { measure: 'obs', column }] as const),
  ];
  if (by === undefined && !isViolin && !isRidge) {
    return {
      steps: measures.map(([title, of]) => {
        const content: Content =
          of.measure === 'gene'
            ? { kind: 'gene-umap', gene: of.gene }
            : { kind: 'obs-umap', column: of.column };
        return step(reading, content, rest, `Shows ${title} on the map`);
      }),
    };
  }
  if (isRidge && split !== undefined) return { problem: 'A ridge plot has groups of one column.' };
  return {
    steps: measures.map(([title, of]) => {
      const content = { kind: isRidge ? 'ridge' : 'violin', of, ...grouping } as const;
      return step(reading, content, rest, `Shows the distribution of ${title}${byText(reading, grouping)}`);
    }),
  };
}

function byText(reading: Reading, { by, split }: Grouping): string {
  const first = by === undefined ? '' : ` by ${titleOf(reading, by.column)}`;
  return split === undefined ? first : `${first} and ${titleOf(reading, split.column)}`;
}

function scoreOf(reading: Reading, genes: readonly string[], rest: Filter, grouping: Grouping = {}): Draft {
  const score = { of: 'signature', score_name: listedNames(genes, 3), genes } as const;
  const content: Content =
    grouping.by === undefined
      ? { kind: 'score-umap', ...score }
      : { kind: 'violin', of: { measure: 'score', score }, ...grouping };
  return {
    steps: [
      step(reading, content, rest, `Shows the score of ${listedNames(genes, 5)}${byText(reading, grouping)}`),
    ],
  };
}

function quality(reading: Reading): Draft {
  says(reading, 'control', 'violin', 'distribution');
  const numbers = takeNumbers(reading).map(({ column }) => column);
  const columns = numbers.length > 0 ? numbers : qualityColumns(reading.facts.numbers);
  if (columns.length === 0)
    return { problem: 'The dataset has no columns of counts, genes or mitochondrial shares of cells.' };
  const [by] = columnsIn(reading, false);
  if (by) take(reading, by);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const content = { kind: 'quality', columns, ...(by && { by: { column: by.column } }) } as const;
  return { steps: [step(reading, content, rest, 'Shows the quality of the cells')] };
}

function density(reading: Reading): Draft {
  says(reading, ...mapWords);
  const [by] = columnsIn(reading, false);
  if (by) take(reading, by);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const content = { kind: 'embedding-density', ...(by && { by: { column: by.column } }) } as const;
  return { steps: [step(reading, content, rest, 'Shows where on the map cells are')] };
}

/** Bars of the groups of a column: of which parts, by share or number. */
export function compositionBars(reading: Reading): Draft {
  const isCount = says(reading, 'how many', 'number', 'count');
  says(reading, 'number', 'count', 'bar', 'plot', 'stacked', 'bar plot');
  const columns = columnsIn(reading, false);
  const by =
    columns.find((one) => wordBefore(reading, one) !== 'of' && reading.words[one.from - 1] !== undefined) ??
    columns[0];
  const column = by?.column;
  if (by === undefined || column === undefined) {
    return { problem: 'Say by which column the cells are counted, such as by sample.' };
  }
  const of = columns.find((one) => one !== by);
  if (columns.length > 2) return { problem: 'Bars are the groups of one column, made of those of another.' };
  take(reading, by, ...(of ? [of] : []));
  const parts = of?.column ?? reading.facts.cellTypes ?? reading.facts.clusters;
  if (parts === column && !isCount)
    return { problem: 'Say by which other column the cells are counted, such as by sample.' };
  const [first, ...others] = groupsIn(reading);
  const part = first && others.length === 0 && parts !== undefined ? groupOf(first, parts) : undefined;
  if (part && !isCount) takeGroups(reading, [first!]);
  const rest = takeRestriction(reading);
  if ('problem' in rest) return rest;
  const content = {
    kind: 'composition-bar',
    by: { column },
    ...(of && { of: { column: of.column } }),
    ...(isCount && { show: 'count' }),
    ...(part && !isCount && { order: 'part', part: part.name }),
  } as const;
  const what = isCount ? 'the number of cells' : 'the composition';
  return { steps: [step(reading, content, rest, `Shows ${what} by ${titleOf(reading, column)}`)] };
}
