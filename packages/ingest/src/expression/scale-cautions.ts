import {
  type Caution,
  countText,
  cutText,
  equalTotals,
  type ExpressionAnswer,
  type ExpressionScale,
  modelledValues,
  noCountsUsed,
  plural,
  pluralWord,
  scaledValues,
  type ValueScale,
} from '@cellfolio/model';
import type { Candidate } from './candidates.ts';
import { areCounts, type ValueStatistics } from '../transpose/value-statistics.ts';
import { maxLogarithm } from './sample-matrix.ts';
import type { NormalisedScale, ScaleTest } from './scale-tests.ts';

/** Default normalisation total of scanpy and Seurat. */
const defaultTotal = 1e4;
/** Totals that differ by more were never normalised to a common one. */
const notNormalised = 0.5;

export function scaleCautions(
  chosen: Candidate,
  read: ValueScale,
  answer: ExpressionAnswer | undefined,
): Caution[] {
  return [
    ...correctedCautions(chosen.layout.path, read, chosen.statistics),
    ...fractionCautions(chosen.layout.path, read, chosen.statistics),
    ...conversionCautions(chosen, read),
    ...totalsCautions(chosen, read),
    ...contradictions(chosen, read, answer),
  ];
}

/**
 * Warnings about values from scaling, integration or a model: below 0, or hardly ever 0. `size`: of the matrix, zeros
 * included; absent before all values are read.
 */
export function correctedCautions(
  path: string,
  read: ValueScale,
  { entries, negative }: ValueStatistics,
  size?: number,
): Caution[] {
  const numbers = size && { negative: negative / size, zeros: (size - entries) / size };
  if (read === 'scaled') {
    const shares = numbers
      ? `${percent(numbers.negative)} of the values of ${path} are below 0 and ${percent(numbers.zeros)} are 0`
      : `Some values of ${path} are below 0`;
    return [
      {
        code: scaledValues,
        message: `${shares}: they are scaled (pp.scale, ScaleData) or integrated (Seurat, ComBat, fastMNN), and the file holds no counts or log-normalized values beside them. Figures show them as they are, and zero is not "not expressed".`,
        ...(numbers && { numbers }),
      },
    ];
  }
  if (!numbers || numbers.zeros > hardlyAny || size < minJudged || read === 'counts') return [];
  return [
    {
      code: modelledValues,
      message: `${numbers.zeros === 0 ? `No value of ${path} is 0` : `${percent(numbers.zeros)} of the values of ${path} are 0`}, while most counts of single cells are: a model made them (scVI, MAGIC, an imputation or integration). Figures show them as they are, and "expressed" means nothing here.`,
      numbers,
    },
  ];
}

/** Single-cell matrices with a smaller share of zeros were filled in by a model, except small ones. */
const hardlyAny = 0.001;
const minJudged = 1000;

export function equalCountsCautions(counts: Candidate | undefined): Caution[] {
  if (counts === undefined || counts.evidence.whole?.looksRounded !== true) return [];
  const { total, spread } = counts.evidence.tests[0]!;
  return [
    {
      code: equalTotals,
      message: `The values of ${counts.layout.path} were read as counts, as specified, although ${roundedText(counts)}. Tests of counts are only valid if they were downsampled.`,
      numbers: { total, spread },
    },
  ];
}

function roundedText({ evidence: { tests, whole } }: Candidate): string {
  const { smallest, even } = whole!.steps;
  return [
    totalText(tests[0]),
    `the smallest value above 0 of a cell is ${short(smallest)} (median)${
      even > 0 ? `, and ${percent(even)} of the cells have no value between it and its double` : ''
    }`,
  ].join('; ');
}

const looksLikeCounts = /(^|[/_.-])(raw|counts?|umis?)($|[_.-])/i;
const maxPathLength = 80;

export function unusedCounts(all: readonly Candidate[], chosen: Candidate): Caution[] {
  const others = all.filter((one) => one !== chosen && one.content !== 'empty');
  const unused =
    others.find(({ content }) => content === 'counts') ??
    others.find(({ layout }) => layout.path.startsWith('layers/') && looksLikeCounts.test(layout.path)) ??
    others.find(({ content }) => content === 'undecided' || content === 'damaged-counts');
  if (unused === undefined) return [];
  const path = cutText(unused.layout.path, maxPathLength);
  return [
    {
      code: noCountsUsed,
      message: `${path} is not used as raw counts: ${unusedReason(unused, chosen)}`,
    },
  ];
}

function unusedReason(unused: Candidate, { layout }: Candidate): string {
  const { content, statistics } = unused;
  switch (content) {
    case 'counts':
      return unused.layout.cellCount === layout.cellCount
        ? `its genes are others than those of ${layout.path}, or in another order. Counts of the same genes are needed.`
        : `it has ${countText(unused.layout.cellCount)} cells, and ${layout.path} ${countText(layout.cellCount)}.`;
    case 'damaged-counts':
      return `${damageText(statistics)}, which no count can be. Export the counts again.`;
    case 'undecided':
    case 'linear':
      return `${
        areCounts(statistics)
          ? `${roundedText(unused)}, as in rounded normalized values or counts downsampled to one depth`
          : `${fractionText(statistics.fractional, statistics.entries)} looked at ${pluralWord(statistics.fractional, 'has a fraction', 'have fractions')} (the smallest value is ${short(statistics.minimum)})`
      }. If they are counts, say so: choose counts as what the values hold (--expression counts).`;
    default:
      return evidenceText(unused);
  }
}

/** Values that counts cannot have; a lower bound until all values are read. */
export function damageText({ entries, nan, negative, minimum, maximum }: ValueStatistics): string {
  if (nan === entries) return 'all that are not zero are missing (NaN)';
  return [
    ...(nan > 0 ? [`${plural(nan, 'is', 'are')} missing (NaN)`] : []),
    ...(negative > 0 ? [`${plural(negative, 'is', 'are')} negative (the lowest is ${short(minimum)})`] : []),
    ...(maximum === Infinity ? ['some are infinite'] : []),
  ].join(' and ');
}

export const fractionalCounts = 'fractional-counts';

export function fractionCautions(
  path: string,
  read: ValueScale,
  { fractional, entries }: ValueStatistics,
): Caution[] {
  if (read !== 'counts' || fractional === 0) return [];
  return [
    {
      code: fractionalCounts,
      message: `${fractionText(fractional, entries)} of ${path} ${pluralWord(fractional, 'has a fraction', 'have fractions')}. They are kept as counts, unrounded: pseudobulk takes them; a negative binomial test, quality control, doublets and new maps take whole counts alone.`,
      numbers: { fractional, values: entries },
    },
  ];
}

function fractionText(fractional: number, entries: number): string {
  return `${countText(fractional)} of ${countText(entries)} values`;
}

function conversionCautions({ layout: { path }, evidence }: Candidate, read: ValueScale): Caution[] {
  if (read === 'log2' || read === 'log10') {
    const factor = read === 'log2' ? Math.LN2 : Math.LN10;
    return [
      {
        code: 'values-converted',
        message: `The values of ${path} are ${scaleNames[read]}; multiplied by ${factor.toFixed(6)} they are natural logarithms, ln(1 + x), and stored as these.`,
        numbers: { factor },
      },
    ];
  }
  if (read !== 'linear') return [];
  const test = evidence.tests.find(({ scale }) => scale === 'linear');
  const isTotalKnown = test !== undefined && Number.isFinite(test.total);
  const usual = isTotalKnown && Math.abs(test.total / defaultTotal - 1) < 0.05 ? '' : ', not 10,000';
  return [
    {
      code: 'values-converted',
      message: `The values of ${path} are not logarithmic; ln(1 + x) of them is stored.${isTotalKnown ? ` The values of a cell add up to about ${short(test.total)}${usual}.` : ''}`,
      ...(isTotalKnown && { numbers: { total: test.total } }),
    },
  ];
}

/**
 * Warning about cells that were never normalised to a common total. A file with only some genes has unequal totals for
 * that reason.
 */
function totalsCautions({ layout: { path }, evidence }: Candidate, read: ValueScale): Caution[] {
  const test = evidence.tests.find(({ scale }) => scale === read);
  if (test === undefined || !(test.spread > notNormalised)) return [];
  return [
    {
      code: 'totals-differ',
      message: `Cell totals vary widely, by ${percent(test.spread)} of their median, ${short(test.total)}: the values of ${path} may not be normalized to a common total, so cells with more reads seem to express more of everything. A file with only some of the genes can look like this, too.`,
      numbers: { total: test.total, spread: test.spread },
    },
  ];
}

function contradictions(
  chosen: Candidate,
  read: ValueScale,
  answer: ExpressionAnswer | undefined,
): Caution[] {
  const { layout, content, evidence, statistics } = chosen;
  const { path } = layout;
  const { judged, record } = evidence;
  if (answer === undefined) {
    if (record === undefined || judged === undefined || record === judged.scale || content === 'scaled')
      return [];
    return [
      {
        code: 'record-contradicted',
        message: `uns/log1p says that logarithms were taken to ${record === 'log1p' ? 'base e' : record === 'other' ? 'another base' : record.replace('log', 'base ')}, but the values of ${path} are ${scaleNames[judged.scale]}; they are read as that.`,
        numbers: { recorded: record, read: judged.scale, ...figures(evidence, judged.scale) },
      },
    ];
  }
  const apparentScale = seenInstead(chosen, read);
  if (apparentScale === undefined) return [];
  return [
    {
      code: 'answer-contradicted',
      message: `The values of ${path} were read as ${nameOf(read)}, as specified, although they look ${apparentScale}: the lowest is ${short(statistics.minimum)}, the highest ${short(statistics.maximum)}.`,
      numbers: {
        answer: read,
        minimum: statistics.minimum,
        maximum: statistics.maximum,
        ...(judged && figures(evidence, judged.scale)),
      },
    },
  ];
}

function figures({ tests }: Candidate['evidence'], apparentScale: NormalisedScale): Record<string, number> {
  const test = tests.find(({ scale }) => scale === apparentScale);
  const measures = { total: test?.total, spread: test?.spread, multiples: test?.multiples };
  return Object.fromEntries(
    Object.entries(measures).flatMap(([name, value]) =>
      value === undefined || Number.isNaN(value) ? [] : [[name, value]],
    ),
  );
}

function seenInstead(
  { content, evidence, statistics: { maximum } }: Candidate,
  read: ValueScale,
): string | undefined {
  const isLogarithm = read !== 'linear' && read !== 'counts';
  switch (content) {
    case 'counts':
      return read === 'counts' ? undefined : 'like raw counts';
    case 'scaled':
      return 'scaled, for some are negative';
    case 'damaged-counts':
      return 'like raw counts, some of which are missing, negative or infinite';
    case 'empty':
      return undefined;
    case 'undecided':
      if (!isLogarithm || !isLinearOrCounts(evidence)) return undefined;
      return maximum > maxLogarithm ? 'too large for logarithms' : 'like counts';
    case 'log-normalised':
      return read === 'log1p' ? undefined : `like ${scaleNames.log1p}`;
    case 'linear':
      if (read === 'linear') return undefined;
      if (read === 'counts') return 'like normalized values';
      return maximum > maxLogarithm ? 'too large for logarithms' : `like ${scaleNames.linear} values`;
    default:
      return read === content ? undefined : `like ${scaleNames[content]}`;
  }
}

function nameOf(read: ValueScale): string {
  return read in scaleNames ? scaleNames[read as NormalisedScale] : read;
}

const scaleNames: Readonly<Record<NormalisedScale, string>> = {
  log1p: 'ln(1 + x)',
  log2: 'log2(1 + x)',
  log10: 'log10(1 + x)',
  linear: 'not logarithmic',
};

export function isLinearOrCounts({ tests }: Candidate['evidence']): boolean {
  return tests.every(({ scale }) => scale === 'linear');
}

export function openScales(evidence: Candidate['evidence']): NonNullable<ExpressionScale['open']> {
  return isLinearOrCounts(evidence) ? ['counts', 'linear'] : ['log1p', 'log2', 'log10', 'linear', 'counts'];
}

export function evidenceText(candidate: Candidate): string {
  const { content, statistics, evidence } = candidate;
  switch (content) {
    case 'empty':
      return 'All values are zero.';
    case 'counts':
      return 'All values are whole numbers and none is negative.';
    case 'damaged-counts':
      return 'All values are whole numbers, but some are missing, negative or infinite.';
    case 'scaled':
      return `Some values are negative (the lowest is ${short(statistics.minimum)}).`;
  }
  const { tests, judged, record } = evidence;
  const recorded = record === undefined ? '' : ` uns/log1p says ${record === 'log1p' ? 'base e' : record}.`;
  const best = tests.find(({ scale }) => scale === judged?.scale);
  const others = tests.filter((test) => test !== best);
  if (content === 'linear' && statistics.maximum > maxLogarithm)
    return `Values reach ${short(statistics.maximum)}, too large for logarithms; ${totalText(tests.find(({ scale }) => scale === 'linear'))}.${recorded}`;
  if (content === 'undecided' && areCounts(statistics)) return roundedOrDownsampled(candidate);
  if (content === 'undecided' && isLinearOrCounts(evidence))
    return `${countsOrNormalised(statistics, tests[0])}${recorded}`;
  if (best === undefined)
    return `${openText(tests)}. On the right scale nearly all values are multiples, or all totals are equal.${recorded}`;
  switch (judged!.basis) {
    case 'counts':
      return `Read as ${scaleNames[best.scale]}, the values of ${percent(best.counts)} of the cells are their raw counts times one number; ${others.map((test) => `as ${scaleNames[test.scale]}, of ${percent(test.counts)}`).join('; ')}.${recorded}`;
    case 'whole-multiples':
      return `Read as ${scaleNames[best.scale]}, ${percent(best.multiples)} of the values are whole multiples of the smallest of their cell, as counts are; ${others.map((test) => `as ${scaleNames[test.scale]}, ${percent(test.multiples)}`).join('; ')}.${recorded}`;
    case 'totals':
      return `Read as ${scaleNames[best.scale]}, ${totalText(best)}; ${others.map((test) => `as ${scaleNames[test.scale]}, they differ by ${percent(test.spread)}`).join('; ')}.${recorded}`;
    default:
      return `The values leave it open;${recorded}`;
  }
}

function roundedOrDownsampled(one: Candidate): string {
  return `All values are whole numbers and none is negative, but ${roundedText(one)}: as in rounded normalized values, or in counts that were downsampled to one depth.`;
}

function countsOrNormalised(statistics: ValueStatistics, test: ScaleTest | undefined): string {
  const { entries, fractional, minimum } = statistics;
  const whole = entries - fractional;
  const totals = totalText(test);
  const isSpread = test !== undefined && test.spread > notNormalised;
  const forCounts = [
    ...(whole > fractional
      ? [`${countText(whole)} of ${countText(entries)} values looked at are whole`]
      : []),
    ...(isSpread ? [`${totals}, as where cells are of different depth`] : []),
  ];
  const forNormalised = [
    `${fractionText(fractional, entries)} looked at ${pluralWord(fractional, 'has a fraction', 'have fractions')} (the smallest value is ${short(minimum)})`,
    ...(test !== undefined && !isSpread ? [totals] : []),
  ];
  return [
    ...(forCounts.length > 0 ? [`For counts, corrected or expected: ${forCounts.join('; ')}.`] : []),
    `For normalized values: ${forNormalised.join('; ')}.`,
  ].join(' ');
}

function openText(tests: readonly ScaleTest[]): string {
  const [first, ...others] = tests;
  if (first === undefined) return '';
  const shareText = Number.isNaN(first.multiples)
    ? (test: ScaleTest) => percent(test.spread)
    : (test: ScaleTest) => `${percent(test.multiples)} and ${percent(test.spread)}`;
  const multiples = Number.isNaN(first.multiples)
    ? ''
    : `${percent(first.multiples)} of the values are whole multiples of the smallest of their cell and `;
  const rest = others.map((test) => `as ${scaleNames[test.scale]}, ${shareText(test)}`);
  return [
    `Read as ${scaleNames[first.scale]}, ${multiples}the totals of the cells differ by ${percent(first.spread)}`,
    ...rest,
  ].join('; ');
}

function totalText(test: ScaleTest | undefined): string {
  if (test === undefined || Number.isNaN(test.total))
    return 'too few cells have values to compare their totals';
  return `the totals of the cells are about ${short(test.total)} and differ by ${percent(test.spread)}`;
}

function percent(share: number): string {
  if (Number.isNaN(share)) return 'an unknown share';
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function short(value: number): string {
  return Math.abs(value) >= 1000
    ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
    : String(Number(value.toPrecision(4)));
}
