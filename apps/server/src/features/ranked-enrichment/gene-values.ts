import type { GeneRankingSource } from '@cellfolio/analysis/parameters';
import { type ResultCaution, minPValue } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { cellsOn, comparedPlace, type Comparisons, nameOfB, testWords } from '../comparisons/index.ts';
import type { Selection } from '../selection/index.ts';

export interface GeneValues {
  /** Symbols or ids. */
  readonly genes: readonly string[];
  /** NaN when missing. */
  readonly values: Float64Array;
  /** Description of the ranking in words. */
  readonly name: string;
  readonly metric: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly unexpressed: number;
  readonly cautions: readonly ResultCaution[];
}

type OfComparison = Extract<GeneRankingSource, { source: 'comparison' }>;
type Own = Extract<GeneRankingSource, { source: 'own' }>;

interface Deps {
  readonly datasets: OpenDatasets;
  readonly comparisons: Comparisons;
}

/** The numbers that genes are ranked by. Throws ApiFailure when they come from a comparison that cannot be made. */
export async function geneValues(
  { datasets, comparisons }: Deps,
  selection: Selection,
  ranking: GeneRankingSource,
  call: CallContext,
): Promise<GeneValues> {
  if (ranking.source === 'own') return ownValues(ranking);
  const comparison = await comparisons.run(selection, ranking.comparison, call);
  const place = comparedPlace(comparison, ranking.part);
  const part = comparison.parts[place]!;
  const table = await comparisons.table(selection, comparison, place, call);
  const { parameters, cautions } = comparison;
  const [a, b] = [parameters.a.name, nameOfB(parameters, cellsOn(comparison.parts, 'b'))];
  const { genes } = await datasets.get(selection.manifest);
  const { values, unexpressed } = comparedValues(table, ranking.statistic);
  const where = part.name === '' ? '' : ` in ${part.name}`;
  return {
    genes: genes.symbols,
    values,
    unexpressed,
    name: `${a} against ${b}${where}, ${statisticWords[ranking.statistic]} (${testWords(comparison)})`,
    metric: statisticWords[ranking.statistic],
    sides: { top: `higher in ${a}`, end: `higher in ${b}` },
    cautions: cautions.filter(({ code }) => !ofTableAlone.has(code)),
  };
}

const statisticWords: Readonly<Record<OfComparison['statistic'], string>> = {
  scores: 'score',
  'signed-p': 'signed −log10 p',
  logfoldchanges: 'log2 fold change',
};

/** Cautions about the genes that a comparison calls different; they do not concern their ranking. */
const ofTableAlone: ReadonlySet<string> = new Set([
  'multiple-testing',
  'genes-not-tested',
  'p-values-at-bound',
  'groups-left-out',
  'unlabelled-cells',
]);

type Table = Awaited<ReturnType<Comparisons['table']>>;

/** A gene that no cell of either side expresses was not tested: its fold change is merely 0. */
function comparedValues(
  { scores, logfoldchanges: changes, pvals }: Table,
  statistic: OfComparison['statistic'],
): Pick<GeneValues, 'values' | 'unexpressed'> {
  const values = new Float64Array(scores.length);
  let unexpressed = 0;
  for (let gene = 0; gene < values.length; gene++) {
    const [score, change] = [scores[gene]!, changes[gene]!];
    const isUnexpressed = change === 0 && (score === 0 || Number.isNaN(score));
    if (isUnexpressed) unexpressed++;
    const value =
      statistic === 'scores'
        ? score
        : statistic === 'logfoldchanges'
          ? change
          : Math.sign(score) * -Math.log10(Math.max(pvals[gene]!, minPValue));
    values[gene] = isUnexpressed || !Number.isFinite(value) ? Number.NaN : value;
  }
  return { values, unexpressed };
}

function ownValues({ name, genes, values }: Own): GeneValues {
  const numbers = Float64Array.from(values, (value) => value ?? Number.NaN);
  if (numbers.every((value) => Number.isNaN(value) || value === 0)) {
    throw new ApiFailure(
      422,
      'no_ranking',
      'No gene of the ranking has a value other than 0: the second column must give the difference of each gene.',
      { details: [{ field: 'ranking.values', problem: 'are all 0 or missing' }] },
    );
  }
  return {
    genes,
    values: numbers,
    name,
    metric: 'metric',
    sides: { top: 'top of the ranking', end: 'end of the ranking' },
    unexpressed: 0,
    cautions: [],
  };
}
