/** Parts of a comparison that are tested at once: [from, to) among all of them. */
export interface Round {
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of the tables of one round: 60,000 genes in 40 groups. While they are tested a row takes some 170 bytes, of which
 * its table keeps 90. Of more parts the matrix is read again for each round, so that memory does not grow with them.
 */
export const rowsOfRound = 2_400_000;

/** As many parts in a round as there is room for, one at least. @param sizes of the parts, in the measure of `room` */
export function roundsOf(sizes: readonly number[], room: number): Round[] {
  const rounds: Round[] = [];
  let [from, filled] = [0, 0];
  sizes.forEach((size, part) => {
    if (part > from && filled + size > room) {
      rounds.push({ from, to: part });
      [from, filled] = [part, 0];
    }
    filled += size;
  });
  return [...rounds, { from, to: sizes.length }];
}
