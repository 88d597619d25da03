import type { CellTypesInput } from './spec.ts';

export function cellTypesOf(groups: number, types: readonly string[]): CellTypesInput {
  const count = types.length;
  return {
    groupTitle: 'Cluster',
    groups: Array.from({ length: groups }, (_, group) => ({
      label: String(group),
      cells: 50 + group,
      suggestion: group === 1 ? null : types[group % count]!,
      best: Array.from({ length: count }, (__, place) => (group + place) % count),
    })),
    types,
    scores: Float64Array.from({ length: groups * count }, (_, at) => {
      const [group, type] = [Math.floor(at / count), at % count];
      return group % count === type ? 12.34 : type - group;
    }),
    markerSet: 'abridged, 45 types',
  };
}
