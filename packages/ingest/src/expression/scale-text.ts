import type { Candidate } from './candidates.ts';
import type { NormalisedScale, ScaleTest } from './scale-tests.ts';

export const SCALE_NAMES: Readonly<Record<NormalisedScale, string>> = {
  log1p: 'ln(1 + x)',
  log2: 'log2(1 + x)',
  log10: 'log10(1 + x)',
  linear: 'not logarithmic',
};

/** The evidence of the scale in one sentence, with its figures. */
export function evidenceText({ content, statistics, evidence }: Candidate): string {
  switch (content) {
    case 'empty':
      return 'All values are zero.';
    case 'counts':
      return 'All values are whole numbers and none is negative.';
    case 'scaled':
      return `Some values are negative (the lowest is ${short(statistics.minimum)}).`;
  }
  const { tests, judged, record } = evidence;
  const recorded = record === undefined ? '' : ` uns/log1p says ${record === 'log1p' ? 'base e' : record}.`;
  const best = tests.find(({ scale }) => scale === judged?.scale);
  const others = tests.filter((test) => test !== best);
  if (content === 'linear' && statistics.maximum > 30)
    return `Values reach ${short(statistics.maximum)}, too large for logarithms; ${totalText(tests.find(({ scale }) => scale === 'linear'))}.${recorded}`;
  if (tests.length === 0)
    return `The values that were sampled are whole numbers, but not all are.${recorded}`;
  if (best === undefined)
    return `${openText(tests)}. On the right scale nearly all values are multiples, or all totals are equal.${recorded}`;
  switch (judged!.basis) {
    case 'counts':
      return `Read as ${SCALE_NAMES[best.scale]}, the values of ${percent(best.counts)} of the cells are their raw counts times one number; ${others.map((test) => `as ${SCALE_NAMES[test.scale]}, of ${percent(test.counts)}`).join('; ')}.${recorded}`;
    case 'whole-multiples':
      return `Read as ${SCALE_NAMES[best.scale]}, ${percent(best.multiples)} of the values are whole multiples of the smallest of their cell, as counts are; ${others.map((test) => `as ${SCALE_NAMES[test.scale]}, ${percent(test.multiples)}`).join('; ')}.${recorded}`;
    case 'totals':
      return `Read as ${SCALE_NAMES[best.scale]}, ${totalText(best)}; ${others.map((test) => `as ${SCALE_NAMES[test.scale]}, they differ by ${percent(test.spread)}`).join('; ')}.${recorded}`;
    default:
      return `The values leave it open;${recorded}`;
  }
}

/** What each scale would mean, in the words of the first. */
function openText(tests: readonly ScaleTest[]): string {
  const [first, ...others] = tests;
  if (first === undefined) return '';
  const told = Number.isNaN(first.multiples)
    ? (test: ScaleTest) => percent(test.spread)
    : (test: ScaleTest) => `${percent(test.multiples)} and ${percent(test.spread)}`;
  const multiples = Number.isNaN(first.multiples)
    ? ''
    : `${percent(first.multiples)} of the values are whole multiples of the smallest of their cell and `;
  const rest = others.map((test) => `as ${SCALE_NAMES[test.scale]}, ${told(test)}`);
  return [
    `Read as ${SCALE_NAMES[first.scale]}, ${multiples}the totals of the cells differ by ${percent(first.spread)}`,
    ...rest,
  ].join('; ');
}

function totalText(test: ScaleTest | undefined): string {
  if (test === undefined || Number.isNaN(test.total))
    return 'too few cells have values to compare their totals';
  return `the totals of the cells are about ${short(test.total)} and differ by ${percent(test.spread)}`;
}

export function percent(share: number): string {
  if (Number.isNaN(share)) return 'an unknown share';
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function short(value: number): string {
  return Math.abs(value) >= 1000
    ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
    : String(Number(value.toPrecision(4)));
}
