import { cutText, plural, warningsShown } from '@cellfolio/model';
import { z } from 'zod';
import { categoryUmapWords, highlightUmapWords } from './umap/group-words.ts';
import { cellTypeHeatmapWords } from './cell-type-heatmap/words.ts';
import {
  comparedDotsWords,
  dotPlotWords,
  geneDotPlotWords,
  heatmapWords,
  matrixPlotWords,
  stackedViolinWords,
} from './gene-matrix/words.ts';
import { embeddingDensityWords } from './embedding-density/words.ts';
import { geneNetworkWords, moduleHeatmapWords } from './co-expression/words.ts';
import { geneUmapWords, obsUmapWords, scoreUmapWords } from './umap/value-words.ts';
import { geneViolinWords, ridgeWords, scoreViolinWords, violinWords } from './violin-and-ridge/words.ts';
import { maPlotWords, rankPlotWords, volcanoWords } from './gene-points/words.ts';
import { ligandReceptorDotsWords, ligandReceptorHeatmapWords } from './ligand-receptor/words.ts';
import { pairUmapWords } from './pair-umap/words.ts';
import {
  pseudotimeUmapWords,
  pagaGraphWords,
  pseudotimeHeatmapWords,
  pseudotimeCurveWords,
} from './trajectory/words.ts';
import { gradientUmapWords, gradientHeatmapWords, gradientCurveWords } from './gradient/words.ts';
import {
  axesName,
  cells,
  common,
  groupName,
  type KindWords,
  listed,
  named,
  type PlotWords,
  type Sentences,
  whole,
} from './plot-words.ts';
import { kinds } from './kinds.ts';
import type { FigureWords } from './words-of-file.ts';
import { sampleMapWords } from './sample-map/words.ts';
import { designWords } from './design/words.ts';
import { sampleHeatmapWords } from './sample-heatmap/words.ts';
import { qualityWords } from './quality/words.ts';
import { runningScoreWords } from './ranked-enrichment/words.ts';

const words = [
  geneUmapWords,
  categoryUmapWords,
  scoreUmapWords,
  highlightUmapWords,
  obsUmapWords,
  geneViolinWords,
  scoreViolinWords,
  dotPlotWords,
  violinWords,
  ridgeWords,
  stackedViolinWords,
  geneDotPlotWords,
  matrixPlotWords,
  heatmapWords,
  embeddingDensityWords,
  qualityWords,
  volcanoWords,
  sampleMapWords,
  designWords,
  sampleHeatmapWords,
  runningScoreWords,
  maPlotWords,
  rankPlotWords,
  comparedDotsWords,
  ligandReceptorDotsWords,
  ligandReceptorHeatmapWords,
  cellTypeHeatmapWords,
  pseudotimeUmapWords,
  pagaGraphWords,
  pseudotimeHeatmapWords,
  pseudotimeCurveWords,
  gradientUmapWords,
  gradientHeatmapWords,
  gradientCurveWords,
  moduleHeatmapWords,
  geneNetworkWords,
  pairUmapWords,
] as const;

type Schemas<List extends readonly PlotWords[]> = { -readonly [Place in keyof List]: List[Place]['numbers'] };

const figureNumbers = z.discriminatedUnion(
  'kind',
  words.map(({ numbers }) => numbers) as Schemas<typeof words>,
);

/** Numbers of a figure, of which every kind has these. */
export type FigureNumbers = z.output<typeof figureNumbers> | z.output<typeof everyNumbers>;

const everyNumbers = z.object({ kind: z.string(), ...common });

const folders = new Map(kinds.map((kind) => [kind.kind, kind]));

const wordsOf: ReadonlyMap<string, KindWords<FigureNumbers>> = new Map(
  [...words, ...kinds.map((kind) => Object.assign({}, kind.words, { kind: kind.kind }))].map((one) => [
    one.kind,
    one as KindWords<FigureNumbers>,
  ]),
);

/** The numbers of a figure that comes back from a browser; undefined for anything else. */
export function numbersOf(spec: unknown): FigureNumbers | undefined {
  const { kind } = (spec ?? {}) as { kind?: unknown };
  const checked = folders.get(String(kind))?.numbers ?? figureNumbers;
  return checked.safeParse(spec).data as FigureNumbers | undefined;
}

/** The numbers with only this many of their rows, for short summaries, and the total number of rows. */
export function firstRows(numbers: FigureNumbers, rows: number): object {
  return wordsOf.get(numbers.kind)!.firstRows?.(numbers, rows) ?? numbers;
}

/**
 * Describes a figure in sentences computed from its numbers alone: the same figure gives the same words. One paragraph
 * on its content, one of findings, one of cautions if there are any.
 */
export function summariseFigure(numbers: FigureNumbers): string {
  const about = `${numbers.title} in ${numbers.datasetName}${numbers.summary ? `: ${numbers.summary}` : ''}.`;
  const { sentences, between = ' ' } = wordsOf.get(numbers.kind)!;
  const { reading, more = [], cautions: ofFigure, general = [] } = sentences(numbers);
  const cautions = [...(numbers.cautions ?? []).map(({ message }) => message), ...ofFigure, ...general];
  return [
    about,
    [readingOf(numbers, reading), ...more].join(between),
    cautions.join(numbers.cautions ? '\n' : ' '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function readingOf(numbers: FigureNumbers, [first, second]: Sentences['reading']): string {
  const { subset } = numbers;
  const split = splitOf(numbers);
  const what = split === undefined ? first : `${first.replace(/\.$/, '')}, in ${splitText(split)}.`;
  if (subset === undefined) return `${what} ${second}`;
  const { name, cells: count } = subset;
  // What the sentence counts itself is not counted before it.
  const all = cells(count);
  const isCounted = [' ', '('].some((before) => first.includes(`${before}${all}`));
  const prefix = isCounted ? '' : `the ${all} of `;
  // A first sentence begins with “The” or another such word, never with a name.
  return `Of ${prefix}“${cutText(name, longestName)}”, ${what.charAt(0).toLowerCase()}${what.slice(1)} ${second}`;
}

function splitOf({ split }: FigureNumbers) {
  return split !== undefined && 'parts' in split ? split : undefined;
}

function splitText({ title, parts, partCount }: NonNullable<ReturnType<typeof splitOf>>): string {
  const phrases = parts.slice(0, named).map((part) => `${groupName(part.label)} with ${cells(part.cells)}`);
  const more = parts.length - phrases.length;
  const largest = parts.length < partCount ? `, the largest of ${whole(partCount)}` : '';
  return `${plural(parts.length, 'map')} by ${title}${largest} (${listed(more > 0 ? [...phrases, `${whole(more)} more`] : phrases)})`;
}

/** Maximum length of a cell set's name within a sentence; the title has it in full. */
const longestName = 80;

export function figureWords(spec: { readonly kind: string }): FigureWords | undefined {
  // Titles, cautions and subsets hold names that no kind has cleaned.
  const numbers = folders.has(spec.kind)
    ? ({ ...spec, ...everyNumbers.parse(spec) } as FigureNumbers)
    : numbersOf(spec);
  if (numbers === undefined) return undefined;
  const { name: kind, sentences } = wordsOf.get(numbers.kind)!;
  // Maps of the same cells on several embeddings are told apart; other figures have axes by number.
  const axes = 'axes' in numbers && Array.isArray(numbers.axes) ? (numbers.axes as readonly unknown[]) : [];
  const [x, y] = axes;
  const name = typeof x === 'string' && typeof y === 'string' ? `${kind} (${axesName([x, y])})` : kind;
  const { reading, cautions } = sentences(numbers);
  const ofResult = (numbers.cautions ?? []).slice(0, warningsShown).map(({ message }) => message);
  const split = splitOf(numbers);
  const by = split === undefined ? '' : `, split by ${split.title} into ${plural(split.parts.length, 'map')}`;
  return {
    title: `${numbers.title.startsWith(kind) ? '' : `${name}: `}${numbers.title}${by}, ${numbers.datasetName}`,
    reading: readingOf(numbers, reading),
    cautions: [...ofResult, ...cautions],
  };
}
