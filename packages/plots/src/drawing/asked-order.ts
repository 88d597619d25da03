/**
 * Groups by their labels: those that `order` names first, as it has them, then the others as they were. All as they were
 * where no order was asked for.
 */
export function inAskedOrder<Group>(
  groups: readonly Group[],
  labelOf: (group: Group, place: number) => string,
  order: readonly string[] | undefined,
): Group[] {
  if (order === undefined) return [...groups];
  const rankOf = new Map(order.toReversed().map((label, i) => [label, order.length - 1 - i]));
  const ranked = groups.map((group, place) => ({
    group,
    rank: rankOf.get(labelOf(group, place)) ?? order.length + place,
  }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ group }) => group);
}
