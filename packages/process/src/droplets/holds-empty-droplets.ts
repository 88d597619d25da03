import type { AmbientProfile } from './ambient-profile.ts';
import type { BarcodeRanks } from './barcode-ranks.ts';

/** Raw matrices of droplets have ten to a thousand times as many barcodes as cells. */
export const FEWEST_EMPTY = 500;
const LEAST_EMPTY_SHARE = 0.8;
/** Fewest barcodes above a cliff. */
const FEWEST_CELLS = 20;
/** Over a quarter more ranks the totals must fall at least as the rank to the power of -2. */
const STEP = 1.25;
const STEEP = -2;
/** Ambient droplets of 10x data come to 1.0 to 1.2; a mixture of kinds of cells, each with genes of its own, to more. */
const MOST_COINCIDENCE = 1.5;

/**
 * Whether the totals of a matrix are those of droplets that are mainly empty. Both must hold, so that cells of low
 * counts (a panel of few genes, shallow sequencing) are never taken for empty:
 * - four of five barcodes, and 500 at least, have no more than `lower` counts;
 * - above, the curve of totals over ranks falls off a cliff. Totals of cells alone have none there: of a log-normal
 *   distribution with the standard deviation s of natural logarithms, the slope at the upper fifth is -0.71 s.
 */
export function hasCliff(totals: ArrayLike<number>, ranks: BarcodeRanks | undefined, lower: number): boolean {
  if (ranks === undefined) return false;
  let empty = 0;
  for (let barcode = 0; barcode < totals.length; barcode++) if (totals[barcode]! <= lower) empty++;
  if (empty < FEWEST_EMPTY || empty < LEAST_EMPTY_SHARE * totals.length) return false;
  return steepestSlope(ranks, lower) <= STEEP;
}

/** Whether barcodes below a cliff hold one and the same mixture of genes, as empty droplets do, and not kinds of cells. */
export function isOneMixture({ coincidence }: Pick<AmbientProfile, 'coincidence'>): boolean {
  return coincidence <= MOST_COINCIDENCE;
}

/** The steepest mean slope of log total over log rank, from a point above `lower` on. */
function steepestSlope({ ranks, totals }: BarcodeRanks, lower: number): number {
  let steepest = 0;
  let to = 0;
  for (let from = 0; from < ranks.length && totals[from]! > lower; from++) {
    if (ranks[from]! < FEWEST_CELLS) continue;
    while (to < ranks.length - 1 && ranks[to]! < ranks[from]! * STEP) to++;
    const rise = Math.log(totals[to]! / totals[from]!);
    const run = Math.log(Math.max(ranks[to]! / ranks[from]!, STEP));
    steepest = Math.min(steepest, rise / run);
  }
  return steepest;
}
