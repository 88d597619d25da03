import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { promisedRate } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, plural } from '@cellfolio/model';
import { designNotes, headOf, sampleLimits, sumsOnSides } from '../../sample-design/index.ts';
import type { TestedPart, TestedParts } from './pseudobulk-comparisons.ts';
import { listedReasons } from './refusals.ts';

const maxNamesListed = 5;

/**
 * Limits of a comparison by sums of samples that apply, each with its figures. Notes say how it was made, and take
 * nothing from it.
 */
export function sumCautions(
  { tested, refused, unlabelled }: TestedParts,
  parameters: ComparisonParameters,
  sampleColumn: string,
): { limits: Caution[]; notes: Caution[] } {
  const minCells = parameters.min_sample_cells;
  return {
    limits: [
      ...notTestable(refused, minCells, sampleColumn),
      ...falseDiscoveries(tested),
      ...sampleLimits(tested, minCells),
    ],
    notes: [
      ...designNotes(tested, { unlabelled, sampleColumn }),
      ...notTested(tested),
      ...withoutAdjusted(tested),
    ],
  };
}

/** The test treats dispersions as known, though few samples determine them poorly. */
function falseDiscoveries(tested: readonly TestedPart[]): Caution[] {
  const simulated = tested.flatMap((one) =>
    one.checks.shrinkage.of === 'dispersions' && one.checks.shrinkage.falseDiscoveries
      ? [{ one, ...one.checks.shrinkage.falseDiscoveries }]
      : [],
  );
  if (simulated.length === 0) return [];
  const { one, mean, error, sets } = simulated.reduce((largest, next) =>
    next.mean > largest.mean ? next : largest,
  );
  const { a, b } = sumsOnSides(one);
  const percent = (share: number) => Math.round(1000 * share) / 10;
  const promised = percent(promisedRate);
  const of = one.part.name === '' ? '' : ` of ${one.part.name}`;
  const rate = `In ${sets} sets simulated with this design${of} (${a} against ${b} samples), ${percent(mean)} % of the genes called were false on average (standard error ${percent(error)} %)`;
  const isMore = mean > promisedRate;
  return [
    {
      code: isMore ? 'more-false-discoveries' : 'false-discoveries-as-stated',
      message: isMore
        ? `${rate} instead of ${promised} %. Prefer limma-voom or the quasi-likelihood F test.`
        : `${rate}, no more than the ${promised} % stated.`,
      numbers: {
        promised,
        found: percent(mean),
        error: percent(error),
        sets,
        group: one.part.name,
        samplesA: a,
        samplesB: b,
      },
    },
  ];
}

function notTestable(refused: TestedParts['refused'], minCells: number, sampleColumn: string): Caution[] {
  if (refused.length === 0) return [];
  const few = refused.flatMap(({ name, samples }) =>
    samples ? [`${name} (${samples.a} against ${samples.b})`] : [],
  );
  const others = refused.filter(({ samples }) => !samples);
  const words = [
    ...(few.length > 0
      ? [
          `Not tested, as fewer than 2 samples of a side (${columnTitle(sampleColumn)}) have ${countText(minCells)} cells or more: ${listedNames(few, maxNamesListed)}. Lower the minimum of cells per sample, or choose cells of more samples.`,
        ]
      : []),
    ...(others.length > 0 ? [`Not tested: ${listedReasons(others)}`] : []),
  ];
  return [
    {
      code: 'groups-not-testable',
      message: words.join(' '),
      numbers: {
        groups: refused.slice(0, maxNamesListed).map(({ name }) => name),
        reasons: refused.slice(0, maxNamesListed).map(({ code }) => code),
        groupCount: refused.length,
      },
    },
  ];
}

function notTested(tested: readonly TestedPart[]): Caution[] {
  const parts = tested.filter((one) => one.notTested > 0);
  if (parts.length === 0) return [];
  const words = parts.map((one) => {
    const { checks, notTested } = one;
    return `${headOf(one)}${countText(checks.tested)} of ${countText(checks.tested + notTested)} tested`;
  });
  const which =
    tested[0]!.checks.shrinkage.of === 'dispersions'
      ? 'Genes without any count were'
      : 'Genes with too few counts in too few samples were';
  return [
    {
      code: 'genes-not-tested',
      message: `${which} not tested, and are last in the table without statistics (${listedNames(words, maxNamesListed)}).`,
      numbers: {
        tested: tested.map(({ checks }) => checks.tested),
        notTested: tested.map((one) => one.notTested),
      },
    },
  ];
}

/** Genes without a p-value or adjusted p-value in the negative binomial test, or whose counts it replaced. */
function withoutAdjusted(tested: readonly TestedPart[]): Caution[] {
  const parts = tested.flatMap((one) =>
    one.checks.shrinkage.of === 'dispersions' ? [{ one, ...one.checks.shrinkage }] : [],
  );
  const touched = parts.filter(({ replaced, outliers, filtered }) => replaced + outliers + filtered > 0);
  if (touched.length === 0) return [];
  const genes = (count: number) => plural(count, 'gene');
  const words = touched.map(({ one, replaced, outliers, filtered, minMean }) => {
    const clauses = [
      ...(filtered > 0 ? [`${genes(filtered)} below a mean count of ${minMean.toPrecision(2)}`] : []),
      ...(outliers > 0 ? [`${genes(outliers)} with an outlier`] : []),
      ...(replaced > 0 ? [`${genes(replaced)} with a count replaced`] : []),
    ];
    return `${headOf(one)}${clauses.join(', ')}`;
  });
  return [
    {
      code: 'genes-filtered',
      message: `Genes of low mean counts have no adjusted p-value (independent filtering), and genes that depend on one outlying count have no p-value (Cook's distance); with seven or more replicates the count is replaced: ${listedNames(words, maxNamesListed)}.`,
      numbers: {
        groups: touched.slice(0, maxNamesListed).map(({ one }) => one.part.name),
        filtered: touched.slice(0, maxNamesListed).map(({ filtered }) => filtered),
        leastMeans: touched.slice(0, maxNamesListed).map(({ minMean }) => minMean),
        outliers: touched.slice(0, maxNamesListed).map(({ outliers }) => outliers),
        replaced: touched.slice(0, maxNamesListed).map(({ replaced }) => replaced),
      },
    },
  ];
}
