import { type SetDepths, thinningSeed } from '@cellfolio/analysis';
import { type ResultCaution as Caution, countText, listedNames } from '@cellfolio/model';

/** How many counts the cells of each set have. */
export interface CountsPerCell {
  /** One for each list of sets. */
  readonly sets: readonly SetDepths[];
  /** Where cells are thinned: the share that the cells of each set keep. */
  readonly shares?: readonly Float64Array[];
  /** Whether the totals are those of raw counts, so that cells can be thinned; else those of a column. */
  readonly ofCounts: boolean;
}

/** Ratio of the counts per cell of two sides from which a caution is given: see docs/false-discoveries.md. */
const depthRatio = 1.5;
/** From this ratio on it is said where so much of so many differing genes goes the way that depth makes them go. */
const leaning = { ratio: 1.2, share: 0.75, genes: 20 } as const;

/** Two sets of cells that were tested against each other. */
export interface ComparedDepths {
  /** Empty where no column parts the cells. */
  group: string;
  /** Counts per cell, geometric means. */
  counts: number;
  others: number;
  /** Differing genes that the group, or A, has more of, and less. */
  higher?: number;
  lower?: number;
}

/** Groups in the message before it says how many more there are. */
const maxNamesListed = 3;
/** Groups in the numbers. */
const maxGroupsListed = 5;

const rankedAdvice =
  'The ranking follows counts per cell, and genes may differ for this reason only: rank cells of one type.';

function testedAdvice(ofCounts: boolean): string {
  return ofCounts
    ? 'Test at equal depth, or sums of samples.'
    : 'Without raw counts, trust only large differences.';
}

/**
 * Values are logarithms, whose mean is lower where the same level is measured with fewer counts, and so are ranks: tests
 * of cells find most genes lower on the side with fewer counts, whatever the cells express.
 * @param of the two sides, as `A` and `B`
 * @param areEnds whether the sides are the ends of a ranking, which follows depth itself
 */
export function depthCautions(
  compared: readonly ComparedDepths[],
  {
    of: [one, other],
    ofCounts,
    areEnds = false,
  }: { of: readonly [string, string]; areEnds?: boolean } & Pick<CountsPerCell, 'ofCounts'>,
): Caution[] {
  const differing = compared
    .filter(isTold)
    .toSorted((a, b) => timesOf(b.counts / b.others) - timesOf(a.counts / a.others));
  const [first] = differing;
  if (!first) return [];
  const listed = differing.slice(0, maxGroupsListed);
  const words = differing.map(({ group, counts, others }) => `${group} (${figuresOf(counts, others)})`);
  const text =
    differing.length > 1
      ? `${differing.length} of ${compared.length} groups differ in counts per cell between ${one} and ${other}: ${listedNames(words, maxNamesListed)}.`
      : `${first.group === '' ? 'A' : `${first.group}: a`} cell of ${first.counts > first.others ? one : other} has ${timesOf(first.counts / first.others).toFixed(1)} times as many counts as one of ${first.counts > first.others ? other : one}: ${figuresOf(first.counts, first.others)}.`;
  return [
    {
      code: 'counts-per-cell-differ',
      message: `${text}${directionText(differing, one)} ${areEnds ? rankedAdvice : testedAdvice(ofCounts)}`,
      numbers: {
        ratio: Number((first.counts / first.others).toPrecision(4)),
        groups: listed.map(({ group }) => group),
        ratios: listed.map(({ counts, others }) => Number((counts / others).toPrecision(4))),
        groupCount: differing.length,
      },
    },
  ];
}

function isTold(compared: ComparedDepths): boolean {
  const { counts, others } = compared;
  const times = timesOf(counts / others);
  const { withDepth, all } = directions(compared);
  return (
    times >= depthRatio ||
    (times >= leaning.ratio && all >= leaning.genes && withDepth >= leaning.share * all)
  );
}

/** Differing genes that depth alone would make differ in their direction. */
function directions({ counts, others, higher = 0, lower = 0 }: ComparedDepths) {
  return { withDepth: counts > others ? higher : lower, all: higher + lower };
}

function timesOf(ratio: number): number {
  return Math.max(ratio, 1 / ratio);
}

function figuresOf(counts: number, others: number): string {
  return `${countText(Math.round(counts))} against ${countText(Math.round(others))}`;
}

/** How many of the differing genes go the way that depth alone would make them go; empty for few genes, whose way may be chance. */
function directionText(differing: readonly ComparedDepths[], one: string): string {
  const counts = differing.map(directions);
  const withDepth = counts.reduce((sum, one) => sum + one.withDepth, 0);
  const all = counts.reduce((sum, one) => sum + one.all, 0);
  if (all < leaning.genes) return '';
  const [first, ...more] = differing;
  const alone = `${first!.counts > first!.others ? 'higher' : 'lower'} in ${one}`;
  return ` Of ${countText(all)} genes that differ, ${countText(withDepth)} are ${more.length > 0 ? 'higher where there are more counts' : alone}.`;
}

/** The line of a file that says how cells were brought to one depth. @param names of the sets, by list of shares */
export function thinningLine(
  { sets, shares }: Pick<CountsPerCell, 'sets' | 'shares'>,
  names: readonly (readonly string[])[],
): string {
  const words = (shares ?? []).flatMap((share, at) =>
    Array.from(share, (rest, set) => ({ rest, name: names[at]![set]!, counts: sets[at]!.counts[set]! }))
      .filter(({ rest, counts }) => rest < 1 && !Number.isNaN(counts))
      .map(
        ({ rest, name, counts }) =>
          `${name} ${(100 * rest).toFixed(0)} % of ${countText(Math.round(counts))}`,
      ),
  );
  return words.length === 0
    ? 'Depth: no cells were thinned, as none have more counts than the others'
    : `Depth: counts thinned at random (binomial, seed ${thinningSeed}) to one geometric mean per cell; kept: ${listedNames(words, maxNamesListed)}; values ln(1 + 10,000 × kept count / expected counts of the cell)`;
}
