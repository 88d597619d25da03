import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { promisedRate } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import type { DesignedPart } from './designed-part.ts';
import { emptySumWords, sumsOnSides, sumWords } from './part-sums.ts';
import type { TestedPart, TestedParts } from './pseudobulk-comparisons.ts';
import { emptySumsWords, listedReasons } from './refusals.ts';

const maxNamesListed = 5;
/** With this many samples a side or fewer only large differences are found. */
const fewSamples = 3;

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

export function designCautions(
  designed: readonly DesignedPart[],
  { least, ...others }: { least: number; unlabelled: number; sampleColumn: string },
): Caution[] {
  return [...sampleLimits(designed, least), ...designNotes(designed, others)];
}

function sampleLimits(designed: readonly DesignedPart[], minCells: number): Caution[] {
  return [...fewOnASide(designed), ...withoutCounts(designed), ...tooFewCells(designed, minCells)];
}

function designNotes(
  designed: readonly DesignedPart[],
  { unlabelled, sampleColumn }: { unlabelled: number; sampleColumn: string },
): Caution[] {
  return [
    ...pairsUsed(designed),
    ...pairsNotUsed(designed),
    ...notInModel(designed, 'constant'),
    ...notInModel(designed, 'held'),
    ...codesTaken(designed),
    ...withoutSample(unlabelled, sampleColumn),
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

/** `B cell: `, or empty when no column divides the cells into parts. */
function head({ part: { name } }: DesignedPart): string {
  return name === '' ? '' : `${name}: `;
}

function fewOnASide(tested: readonly DesignedPart[]): Caution[] {
  const few = tested.filter((one) => Math.min(...Object.values(sumsOnSides(one))) <= fewSamples);
  if (few.length === 0) return [];
  const counts = few.map(sumsOnSides);
  const words = few.map((one, at) => `${head(one)}${counts[at]!.a} against ${counts[at]!.b}`);
  const [first] = counts;
  const areAlike = few.length > 1 && counts.every(({ a, b }) => a === first!.a && b === first!.b);
  const said = areAlike
    ? `${first!.a} against ${first!.b} in ${few.length} groups`
    : listedNames(words, maxNamesListed);
  return [
    {
      code: 'few-samples',
      message: `Few samples on a side (${said}) show only large differences; there may be smaller ones. Read effects with their limits, or add samples.`,
      numbers: {
        limit: fewSamples,
        groups: few.slice(0, maxNamesListed).map(({ part }) => part.name),
        samplesA: counts.slice(0, maxNamesListed).map(({ a }) => a),
        samplesB: counts.slice(0, maxNamesListed).map(({ b }) => b),
      },
    },
  ];
}

function withoutCounts(tested: readonly DesignedPart[]): Caution[] {
  const left = tested.flatMap((one) => one.empty.map((sum) => ({ sum, part: one.part.name })));
  if (left.length === 0) return [];
  const words = left.map(({ sum, part }) => emptySumWords(sum, part));
  const listed = left.slice(0, maxNamesListed);
  return [
    {
      code: 'samples-without-counts',
      message: `${emptySumsWords(listedNames(words, maxNamesListed))} The genes to test were then chosen from the other samples.`,
      numbers: {
        groups: listed.map(({ part }) => part),
        samples: listed.map(({ sum }) => sum.sample),
        cells: listed.map(({ sum }) => sum.cells),
        genes: listed.map(({ sum }) => sum.genes),
        sampleCount: left.length,
      },
    },
  ];
}

function tooFewCells(tested: readonly DesignedPart[], minCells: number): Caution[] {
  const left = tested.flatMap((one) => one.fewCells.map((sum) => ({ one, sum })));
  if (left.length === 0) return [];
  const words = left.map(({ one, sum }) => sumWords(sum, one.part.name));
  return [
    {
      code: 'samples-left-out',
      message: `Left out, with fewer than ${minCells} cells: ${listedNames(words, maxNamesListed)}. Lower the minimum to keep them.`,
      numbers: {
        minimumCells: minCells,
        samples: left.slice(0, maxNamesListed).map(({ sum }) => sum.sample),
        cells: left.slice(0, maxNamesListed).map(({ sum }) => sum.cells),
        sampleCount: left.length,
      },
    },
  ];
}

function pairsUsed(tested: readonly DesignedPart[]): Caution[] {
  const paired = tested.filter(({ design }) => design.isPaired);
  if (paired.length === 0) return [];
  const words = paired.map((one) => `${head(one)}${countText(one.design.both)} pairs`);
  const alone = paired.flatMap((one) => one.unpaired.map((sum) => ({ one, sum })));
  const leftOut = alone.map(({ one, sum }) => sumWords(sum, one.part.name));
  return [
    {
      code: 'samples-paired',
      message: `Samples with cells on both sides are compared with themselves (${listedNames(words, maxNamesListed)})${alone.length > 0 ? `; left out, on one side only: ${listedNames(leftOut, maxNamesListed)}` : ''}.`,
      numbers: {
        pairs: paired.slice(0, maxNamesListed).map(({ design }) => design.both),
        leftOut: alone.length,
        samples: alone.slice(0, maxNamesListed).map(({ sum }) => sum.sample),
      },
    },
  ];
}

function pairsNotUsed(tested: readonly DesignedPart[]): Caution[] {
  const both = tested.filter(({ design }) => !design.isPaired && design.both > 0);
  if (both.length === 0) return [];
  const words = both.map((one) => `${head(one)}${countText(one.design.both)}`);
  return [
    {
      code: 'pairs-not-used',
      message: `Samples with cells on both sides (${listedNames(words, maxNamesListed)}) count as two, though their sums are correlated. Compare in pairs to remove differences between samples.`,
      numbers: {
        groups: both.slice(0, maxNamesListed).map(({ part }) => part.name),
        samplesOfBoth: both.slice(0, maxNamesListed).map(({ design }) => design.both),
      },
    },
  ];
}

const whyNotInModel = {
  constant: { code: 'constant-covariates', why: 'as all samples have one value' },
  held: {
    code: 'covariates-held-by-pairs',
    why: 'as both sums of every pair have one value, so that comparing pairs removes its effect',
  },
} as const;

function notInModel(tested: readonly DesignedPart[], because: keyof typeof whyNotInModel): Caution[] {
  const parts = tested.filter(({ design }) => design[because].length > 0);
  if (parts.length === 0) return [];
  const { code, why } = whyNotInModel[because];
  const words = parts.map(
    (one) => `${head(one)}${one.design[because].map((column) => columnTitle(column)).join(' and ')}`,
  );
  return [
    {
      code,
      message: `Not in the model, ${why}: ${listedNames(words, maxNamesListed)}.`,
      numbers: {
        groups: parts.slice(0, maxNamesListed).map(({ part }) => part.name),
        columns: [...new Set(parts.flatMap(({ design }) => design[because]))],
      },
    },
  ];
}

/** Covariates with few distinct integers, which the model treats as categories. */
export function codesTaken(designed: readonly DesignedPart[]): Caution[] {
  const columns = new Map<string, readonly string[]>();
  for (const { design } of designed) {
    for (const column of design.columns) {
      if (column.kind === 'categorical' && column.isOfNumbers) columns.set(column.name, column.categories);
    }
  }
  if (columns.size === 0) return [];
  const words = Array.from(columns, ([name, values]) => `${columnTitle(name)} (${listedNames(values, 10)})`);
  return [
    {
      code: 'numbers-as-categories',
      message: `Columns with few whole numbers count as categories, with one effect each: ${listedNames(words, maxNamesListed)}. If they are quantities, such as doses, mark them as numeric.`,
      numbers: {
        columns: [...columns.keys()],
        categories: [...columns.values()].map(({ length }) => length),
      },
    },
  ];
}

function withoutSample(unlabelled: number, column: string): Caution[] {
  if (unlabelled === 0) return [];
  return [
    {
      code: 'cells-without-sample',
      message: `${plural(unlabelled, 'cell of A or B has', 'cells of A or B have')} no value in ${columnTitle(column)} and ${pluralWord(unlabelled, 'is', 'are')} in no sum: label them to include them.`,
      numbers: { unlabelled },
    },
  ];
}

function notTested(tested: readonly TestedPart[]): Caution[] {
  const parts = tested.filter((one) => one.notTested > 0);
  if (parts.length === 0) return [];
  const words = parts.map((one) => {
    const { checks, notTested } = one;
    return `${head(one)}${countText(checks.tested)} of ${countText(checks.tested + notTested)} tested`;
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
    return `${head(one)}${clauses.join(', ')}`;
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
