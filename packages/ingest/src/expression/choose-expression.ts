import type {
  Caution,
  ExpressionAnswer,
  ExpressionScale,
  ExpressionSource,
  ValueScale,
} from '@cellfolio/model';
import type { Candidate, Content } from './candidates.ts';
import { areCounts } from '../transpose/value-statistics.ts';
import {
  equalCountsCautions,
  evidenceText,
  isLinearOrCounts,
  openScales,
  scaleCautions,
  unusedCounts,
} from './scale-cautions.ts';

export interface ExpressionChoice {
  taken: Candidate;
  /** Counts to keep: the chosen matrix itself, possibly with fractions, or another one of the same genes. */
  counts?: Candidate;
  source: ExpressionSource;
  what: string;
  warnings: readonly Caution[];
  /** The scale is unknown and was not given, so the values cannot be used. */
  undecided: boolean;
}

/**
 * Chooses the matrix for expression: `raw` if it exists, else `X`; scaled values only without an alternative. Counts
 * are normalised; other logarithms and linear values are converted to ln(1 + x). An answer overrides the apparent
 * content: `counts` uses integers if the file has any, else values that may be corrected or expected counts. Undefined
 * if the file has no matrix, or no possible counts if these were requested.
 */
export function chooseExpression(
  candidates: readonly Candidate[],
  answer?: ExpressionAnswer,
): ExpressionChoice | undefined {
  const all = answer === 'counts' ? candidates.map(asCounts) : candidates;
  const taken = takenOf(all, answer);
  if (taken === undefined) return undefined;
  const read = readScale(taken.content, answer);
  const counts =
    read === 'counts'
      ? taken
      : all.find(
          (other) =>
            other.content === 'counts' &&
            other !== taken &&
            other.genesPath === taken.genesPath &&
            other.layout.cellCount === taken.layout.cellCount,
        );
  const usedCounts = counts === undefined || taken.content === 'empty' ? undefined : counts;
  const undecided = taken.content === 'undecided' && answer === undefined;
  const scale: ExpressionScale = {
    read,
    stored: storedScale(read),
    basis: basisOf(taken, answer),
    why: evidenceText(taken),
    ...(undecided && { open: openScales(taken.evidence) }),
  };
  return {
    taken,
    ...(usedCounts && { counts: usedCounts }),
    source: {
      path: taken.layout.path,
      state: stateOf(read),
      hasCounts: usedCounts !== undefined,
      ...(usedCounts && usedCounts.content !== 'counts' && { fractionalCounts: true }),
      scale,
    },
    what: whatText(taken, read, insteadOf(all, taken)),
    warnings: [
      ...scaleCautions(taken, read, answer),
      ...equalCountsCautions(candidates.find(({ layout }) => layout === usedCounts?.layout)),
      ...(usedCounts === undefined && !undecided ? unusedCounts(all, taken) : []),
    ],
    undecided,
  };
}

function asCounts(one: Candidate): Candidate {
  const { whole } = one.evidence;
  if (whole === undefined || !areCounts(one.statistics)) return one;
  return {
    ...one,
    content: 'counts',
    evidence: { ...one.evidence, whole: { ...whole, looksRounded: false } },
  };
}

function takenOf(all: readonly Candidate[], answer: ExpressionAnswer | undefined): Candidate | undefined {
  const main = all.filter(({ layout }) => !layout.path.startsWith('layers/'));
  const isCounts = ({ content }: Candidate) => content === 'counts';
  if (answer === 'counts')
    return (
      main.find(isCounts) ?? all.find(isCounts) ?? main.find(mayBeCounts) ?? all.find(cannotBeLogarithms)
    );
  const logarithms = new Set<Content>(['log-normalised', 'log2', 'log10']);
  const good = (one: Candidate) => logarithms.has(one.content) || (answer === undefined && isCounts(one));
  const is = (content: Content) => (one: Candidate) => one.content === content;
  // An answer is about values that need one.
  const open =
    answer === undefined
      ? undefined
      : main.find((one) => one.content === 'undecided' && (answer === 'linear' || !cannotBeLogarithms(one)));
  return (
    open ??
    main.find(good) ??
    (answer === undefined ? all.find(good) : undefined) ??
    main.find(is('linear')) ??
    main.find(is('undecided')) ??
    main.find(({ content }) => content !== 'empty') ??
    main[0]
  );
}

/** Excludes values recognised as logarithms, which cannot be counts. */
function mayBeCounts({ content }: Candidate): boolean {
  return content === 'undecided' || content === 'linear';
}

function cannotBeLogarithms(one: Candidate): boolean {
  return mayBeCounts(one) && isLinearOrCounts(one.evidence);
}

function readScale(content: Content, answer: ExpressionAnswer | undefined): ValueScale {
  if (answer !== undefined && content !== 'empty') return answer;
  switch (content) {
    case 'log-normalised':
      return 'log1p';
    case 'undecided':
    case 'damaged-counts':
    case 'empty':
      return 'unknown';
    default:
      return content;
  }
}

function storedScale(read: ValueScale): ValueScale {
  return read === 'scaled' || read === 'unknown' ? read : 'log1p';
}

function stateOf(read: ValueScale): ExpressionSource['state'] {
  if (read === 'counts') return 'normalised-here';
  return read === 'scaled' || read === 'unknown' ? read : 'log-normalised';
}

function basisOf({ content, evidence }: Candidate, answer: ExpressionAnswer | undefined) {
  if (answer !== undefined) return 'answer';
  const byRange = content === 'counts' || content === 'scaled' || content === 'empty';
  return byRange ? 'range' : (evidence.judged?.basis ?? 'range');
}

function insteadOf(all: readonly Candidate[], chosen: Candidate): string {
  const preferred = all.find(({ layout }) => !layout.path.startsWith('layers/'));
  return preferred === undefined || preferred === chosen
    ? ''
    : ` instead of ${preferred.layout.path}, ${appearance(preferred.content)}`;
}

function appearance(content: Content): string {
  switch (content) {
    case 'damaged-counts':
      return 'whose values look like damaged counts';
    case 'undecided':
      return 'which does not show what its values are';
    default:
      return `whose values look ${content}`;
  }
}

function whatText({ layout: { path }, content }: Candidate, read: ValueScale, instead: string): string {
  switch (read) {
    case 'counts':
      return `${path} holds ${content === 'counts' ? 'raw counts' : 'counts with fractions'}${instead}; they were normalized to 10,000 per cell and log1p was taken.`;
    case 'log1p':
      return `${path} is taken as it is${instead}: its values look log-normalized.`;
    case 'log2':
      return `${path} is taken${instead}: its values are log2(1 + x), which are multiplied by ln 2 = 0.693147 to give ln(1 + x).`;
    case 'log10':
      return `${path} is taken${instead}: its values are log10(1 + x), which are multiplied by ln 10 = 2.302585 to give ln(1 + x).`;
    case 'linear':
      return `${path} is taken${instead}: its values are normalized but not logarithmic; ln(1 + x) is taken of them.`;
    case 'scaled':
      return `${path} is taken as it is: its values are scaled, and the file holds nothing better.`;
    case 'unknown':
      return `${path} holds values whose scale is unclear.`;
  }
}
