import { median } from '../statistics/quantile.ts';

/** The tests of the cells of one type. */
interface TestedType {
  /** Rows in var of the genes that lead. */
  leading: ArrayLike<number>;
  /** All genes, NaN for genes without a value. */
  logfoldchanges: Float64Array;
  means: Float64Array;
}

/** With fewer types a change cannot be told to be the same in all. */
const leastTypes = 4;
/** A type has so many times the median level of the others, or more, of a gene that is its own. */
const homeRatio = 5;
/** Changes between half and twice their median, in this part of the types, are alike. */
const alikeShare = 0.75;
/** Fewer genes may be alike by chance. */
const leastGenes = 3;

/**
 * Rows of leading genes that behave as ambient RNA: expressed by one type, they change in the same direction and to a
 * like size in all other types, and less in their own. RNA from broken cells adds the same amounts to all droplets; an
 * effect on cells changes genes where they are expressed. Empty for fewer than four types.
 * @param levelOf a level by its mean as a table has it
 */
export function ambientGenes(
  types: readonly TestedType[],
  levelOf: (mean: number) => number,
): ReadonlySet<number> {
  const leading = new Set(types.flatMap((type) => Array.from(type.leading)));
  const rows = [...leading].filter((row) => isAmbient(types, row, levelOf));
  return new Set(rows.length >= leastGenes ? rows : []);
}

function isAmbient(tested: readonly TestedType[], row: number, levelOf: (mean: number) => number): boolean {
  const types = tested
    .map(({ logfoldchanges, means }) => ({ change: logfoldchanges[row]!, level: levelOf(means[row]!) }))
    .filter(({ change, level }) => Number.isFinite(change) && Number.isFinite(level))
    .toSorted((one, other) => other.level - one.level);
  if (types.length < leastTypes) return false;
  const [home, ...others] = types;
  if (home!.level < homeRatio * median(Float64Array.from(others, ({ level }) => level))) return false;
  const usual = median(Float64Array.from(others, ({ change }) => change));
  const ratios = others.map(({ change }) => change / usual);
  const alike = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length;
  return (
    usual !== 0 &&
    ratios.every((ratio) => ratio > 0) &&
    alike >= alikeShare * others.length &&
    home!.change / usual < 0.5
  );
}
