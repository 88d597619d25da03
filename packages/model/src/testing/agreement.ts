import { appendFileSync } from 'node:fs';

interface Differences {
  of: string;
  numbers: number;
  absolute: number;
  /** Relative to the reference, or to `floor` if that is greater. */
  relative: number;
}

/**
 * Records the differences between our numbers and a reference, for the table of `npm run agreement`; tests apply their
 * own tolerances. Does nothing unless CELLFOLIO_AGREEMENT names the file to append to. `of`: what the numbers are, as
 * in scripts/agreement.mjs. `floor`: references nearer to 0 count as this in relative differences.
 */
export function noteDifferences(
  of: string,
  ours: ArrayLike<number>,
  theirs: ArrayLike<number>,
  floor = 1e-300,
): void {
  const file = process.env['CELLFOLIO_AGREEMENT'];
  if (file === undefined || file === '') return;
  appendFileSync(file, `${JSON.stringify(differencesOf(of, ours, theirs, floor))}\n`);
}

export function differencesOf(
  of: string,
  ours: ArrayLike<number>,
  theirs: ArrayLike<number>,
  floor: number,
): Differences {
  let [absolute, relative] = [0, 0];
  for (let i = 0; i < theirs.length; i++) {
    const [is, should] = [ours[i]!, theirs[i]!];
    if (Object.is(is, should) || is === should) continue;
    const apart = Math.abs(is - should);
    // What is no number on one side alone is as far apart as can be: JSON has no infinity.
    if (!Number.isFinite(apart))
      return { of, numbers: theirs.length, absolute: Number.MAX_VALUE, relative: Number.MAX_VALUE };
    absolute = Math.max(absolute, apart);
    relative = Math.max(relative, apart / Math.max(Math.abs(should), floor));
  }
  return { of, numbers: theirs.length, absolute, relative };
}
