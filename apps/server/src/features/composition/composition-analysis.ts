import type { CompositionParameters } from '@cellfolio/analysis/parameters';
import { columnTitle, type CompositionAnswer, csvComments } from '@cellfolio/contract';
import { countText, noteLines, pluralWord, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/plots';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { samplesAnswer } from '../../runtime/sample-column.ts';
import {
  columnKindsOf,
  leftOutSums,
  nameOfB,
  sampleValuesOf,
  type SampleSum,
  sumsOnSides,
} from '../comparisons/index.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import type { Composition } from './cautions.ts';
import type { Compositions } from './compositions.ts';
import type { TestedCategory } from './tasks.ts';

export interface CompositionAnalysisDeps {
  figures: FigureService;
  compositions: Compositions;
}

export async function analyseComposition(
  { figures, compositions }: CompositionAnalysisDeps,
  selection: Selection,
  request: CompositionParameters,
  call: CallContext,
): Promise<CompositionAnswer> {
  const composition = await compositions.run(selection, request, call);
  const { parameters, by, samples, part, tested, cautions } = composition;
  const content = { kind: 'composition-dots', ...parameters } as const;
  const figure = await figures.draw(selection, content, call, {
    composition: dotsOf(selection, composition),
  });
  const { design, sums } = part;
  const [, ...others] = design.columns;
  const values = others.map(sampleValuesOf);
  const differing = tested.categories.filter(({ adjustedP }) => adjustedP < parameters.pvals_adj).length;
  return {
    composition_csv: tableOf(selection, composition),
    ...figureFields('composition', figure),
    source: sourceOf(selection, content),
    parameters,
    by,
    test: testWords(composition),
    a: { name: parameters.a.name, cells: cellsOn(sums, 'a') },
    b: { name: nameOfB(parameters, cellsOn(sums, 'b')), cells: cellsOn(sums, 'b') },
    samples: { ...samplesAnswer(samples), ...sumsOnSides(part), both: design.both },
    design: {
      formula: design.formula,
      columns: design.columns.map(({ name }) => name),
      column_kinds: columnKindsOf(design),
      coefficients: design.design.coefficients.map(({ name }) => name),
      paired: design.isPaired,
      samples: sums.map((sum, at) =>
        Object.assign(named(sum), { values: values.map((column) => column[at]!) }),
      ),
      left_out: leftOutSums(part),
      residual_df: tested.residualDegrees,
      prior_df: tested.priorDegrees === Infinity ? null : tested.priorDegrees,
    },
    categories: tested.categories.length,
    differing,
    ...notesOf(selection, cautions),
  };
}

function named({ sample, side, cells }: SampleSum) {
  return { name: sample, side, cells };
}

function cellsOn(sums: readonly SampleSum[], side: 'a' | 'b'): number {
  return sums.reduce((total, sum) => total + (sum.side === side ? sum.cells : 0), 0);
}

const scales = { logit: 'log odds of shares', asin: 'arcsine roots of shares' } as const;

function testWords({ parameters, part, tested }: Composition): string {
  const { a, b } = sumsOnSides(part);
  const degrees = tested.residualDegrees;
  return `moderated t-tests of ${scales[parameters.transform]}, ${part.design.formula}, ${a} + ${b} samples, ${countText(degrees)} residual ${pluralWord(degrees, 'degree')} of freedom`;
}

function tableOf(selection: Selection, composition: Composition): string {
  const { parameters, by, samples, part, tested, cautions } = composition;
  const { sums } = part;
  const { transform, min_sample_cells: minCells } = parameters;
  const effect = transform === 'logit' ? 'log_odds' : 'asin_difference';
  const lines = [
    ...definitionLines(selection, { call: 'perform-composition-analysis', parameters }),
    `A: ${parameters.a.name}, ${countText(cellsOn(sums, 'a'))} cells; B: ${parameters.b ? `${parameters.b.name}, ${countText(cellsOn(sums, 'b'))} cells` : nameOfB(parameters, cellsOn(sums, 'b'))}; shares of the categories of ${columnTitle(by, selection.own)}`,
    `Test: ${testWords(composition)}, as propeller of the package speckle without its robust option; p-values adjusted by Benjamini and Hochberg`,
    `Columns: share_a and share_b are means of the shares of samples; ${effect} is the difference of A and B in ${transform === 'logit' ? 'natural logarithms of the odds' : 'arcsines of roots'} by the model, positive is more in A, ci_low and ci_high its limits of 95 %; ratio is share_a over share_b, scores the moderated t`,
    `Replicates: ${samples.column} (${samples.reason}); of fewer than ${minCells} cells on a side left out on that side`,
    ...noteLines(cautions),
  ];
  const columns = `category share_a share_b ${effect} ci_low ci_high ratio scores pvals pvals_adj cells_a cells_b`;
  const rows = tested.categories.map((category) => csvLine(cellsOfRow(category)));
  return `${csvComments(lines)}${csvLine(columns.split(' '))}${rows.join('')}`;
}

function cellsOfRow(category: TestedCategory): (string | number)[] {
  const { name, shareA, shareB, effect, low, high, t, p, adjustedP, cellsA, cellsB } = category;
  const ratio = shareB > 0 ? shareA / shareB : NaN;
  return [name, shareA, shareB, effect, low, high, ratio, t, p, adjustedP, cellsA, cellsB];
}

function dotsOf(
  { own }: Selection,
  { parameters, by, part, tested, cautions }: Composition,
): InputValues['composition'] {
  const { sums, design } = part;
  return {
    a: parameters.a.name,
    b: nameOfB(parameters, cellsOn(sums, 'b')),
    groupTitle: columnTitle(by, own),
    test: `moderated t-tests of ${scales[parameters.transform]}, ${design.formula}`,
    transform: parameters.transform,
    samples: sums.map(named),
    ...(design.isPaired && { pairs: pairsOf(sums) }),
    categories: tested.categories,
    threshold: parameters.pvals_adj,
    cautions: resultNotes(cautions).warnings,
  };
}

function pairsOf(sums: readonly SampleSum[]): [number, number][] {
  return sums.flatMap(({ sample, side }, at): [number, number][] => {
    if (side !== 'a') return [];
    const other = sums.findIndex((sum) => sum.sample === sample && sum.side === 'b');
    return other < 0 ? [] : [[at, other]];
  });
}

type CompositionInput = Extract<PlotInput, { from: 'composition' }>;

export function compositionInputs(compositions: Compositions) {
  return {
    version: () => Promise.resolve(''),
    find: async (
      selection: Selection,
      { parameters }: CompositionInput,
      call: CallContext,
    ): Promise<InputValues['composition']> =>
      dotsOf(selection, await compositions.run(selection, parameters, call)),
  };
}
