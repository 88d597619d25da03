import { comparisonParameters, type ComparisonParameters } from '@cellfolio/analysis/parameters';
import type { DecileAnswer, decileRequest } from '@cellfolio/contract';
import { cutText } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { groupShares } from '../../runtime/named-composition.ts';
import { requestedSamples, type SampleColumn } from '../../runtime/sample-column.ts';
import {
  analyseComparison,
  type ComparedAnswer,
  type ComparisonAnalysisDeps,
} from '../gene-comparisons/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import {
  comparedSamples,
  endCount,
  type RankedEnds,
  type RankedSample,
  requirePairs,
  type ValueRanking,
} from '../value-ranking/index.ts';

export interface DecileAnalysisDeps extends ComparisonAnalysisDeps {
  ranking: ValueRanking;
}

type DecileRequest = Omit<z.output<typeof decileRequest>, 'cells'>;

export async function analyseDeciles(
  deps: DecileAnalysisDeps,
  selection: Selection,
  request: DecileRequest,
  call: CallContext,
): Promise<ComparedAnswer> {
  const { by, share, min_sample_cells: minCells } = request;
  const samples = await samplesOf(deps, selection, request.samples);
  const ends = await deps.ranking.find(selection, { by, share }, { samples, minCells }, call);
  const method =
    request.method ?? (samples && selection.manifest.expression.hasCounts ? 'pseudobulk' : 'wilcoxon');
  if (method === 'pseudobulk' && samples) requirePairs(ends);
  const compared = await analyseComparison(deps, selection, parametersOf(request, ends, method), call);
  const answer: Omit<DecileAnswer, 'deg_csv'> = { ...compared.answer, ends: endsAnswer(ends) };
  return { ...compared, answer };
}

async function samplesOf(
  { datasets }: Pick<DecileAnalysisDeps, 'datasets'>,
  selection: Selection,
  column: string | undefined,
): Promise<SampleColumn | undefined> {
  return (await requestedSamples(await datasets.get(datasetOf(selection)), column)).samples;
}

const maxTitle = 200;
/**
 * An end that deviates more from the requested percentage is labelled with its actual share; samples with few cells
 * come this near.
 */
const nearPercent = 1.5;

function parametersOf(
  request: DecileRequest,
  ends: RankedEnds,
  method: 'pseudobulk' | 'wilcoxon',
): ComparisonParameters {
  const { by, share, samples, min_sample_cells, pvals_adj, logfoldchanges } = request;
  const side = (end: 'Highest' | 'Lowest') => {
    const actual = 100 * endCount(ends, end === 'Highest' ? 'high' : 'low').share;
    const percent = Math.abs(actual - share) < nearPercent ? share : Number(actual.toPrecision(2));
    return {
      name: `${end} ${percent} % of ${cutText(ends.title, maxTitle)}`,
      filter: { subset_group_name: end },
    };
  };
  return comparisonParameters.parse({
    a: side('Highest'),
    b: side('Lowest'),
    ends: { by, share },
    method,
    samples,
    min_sample_cells,
    // Ends of one sample are a pair.
    pairing: 'by-sample',
    pvals_adj,
    logfoldchanges,
  });
}

function endsAnswer(ends: RankedEnds): DecileAnswer['ends'] {
  const { rankedBy, share, withoutValue, withoutSample, samples, untested } = ends;
  return {
    ranked_by: rankedBy,
    share,
    high: endCount(ends, 'high'),
    low: endCount(ends, 'low'),
    without_value: withoutValue,
    without_sample: withoutSample,
    samples: comparedSamples(ends).map(sampleAnswer),
    left_out: samples.flatMap((sample) =>
      sample.leftOut === undefined ? [] : [{ ...sampleAnswer(sample), reason: sample.leftOut }],
    ),
    composition: compositionAnswer(ends),
    untested: untested.map(({ symbol }) => symbol),
  };
}

function sampleAnswer({ name, cells, high, low }: RankedSample) {
  const bound = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    name,
    cells,
    high: high.cells,
    low: low.cells,
    high_from: bound(high.bound),
    low_to: bound(low.bound),
  };
}

function compositionAnswer({
  composition,
  groupColumn: column,
}: RankedEnds): DecileAnswer['ends']['composition'] {
  if (!composition || column === undefined || Number.isNaN(composition.distance)) return null;
  const { unlabelled, distance } = composition;
  return {
    column,
    distance,
    unlabelled: { high: unlabelled.a, low: unlabelled.b },
    groups: groupShares(composition).map(({ name, a, b, shareA, shareB }) => ({
      name,
      high: a,
      low: b,
      share_high: shareA,
      share_low: shareB,
    })),
  };
}

type EndsInput = Extract<PlotInput, { from: 'ends' }>;

export function endInputs(deps: Pick<DecileAnalysisDeps, 'ranking' | 'datasets'>) {
  return {
    version: ({ parameters }: EndsInput) => deps.ranking.version(parameters),
    async find(
      selection: Selection,
      { parameters: { by, share, samples: sampleColumn, min_sample_cells: minCells } }: EndsInput,
      call: CallContext,
    ): Promise<InputValues['ends']> {
      const samples = await samplesOf(deps, selection, sampleColumn);
      const ends = await deps.ranking.find(selection, { by, share }, { samples, minCells }, call);
      return {
        title: ends.title,
        share,
        samples: samples ? { column: samples.column, count: comparedSamples(ends).length } : undefined,
        sides: ends.sides,
        high: endCount(ends, 'high'),
        low: endCount(ends, 'low'),
        histogram: ends.histogram,
      };
    },
  };
}
