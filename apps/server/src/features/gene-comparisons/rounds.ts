/** Parts of a comparison that are tested at once: [from, to) of all parts. */
export interface Round {
  from: number;
  to: number;
}

/**
 * Table rows per round: 60,000 genes in 40 groups. During a test a row takes about 170 bytes, of which its table keeps
 * 90. With more parts the matrix is read again for each round, so that memory stays bounded.
 */
export const rowsOfRound = 2_400_000;

/** Packs as many parts into a round as fit, at least one. `sizes` are those of the parts, in the unit of `room`. */
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
