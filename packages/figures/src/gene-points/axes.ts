/**
 * Share of the fold changes that an axis contains: a few genes missing on one side would leave no room for the others.
 */
const shareOnAxis = 0.999;
/** Beyond it one side contains only scanpy's pseudocount, 1e-9, so the value is not a fold change. */
const absentFrom = 15;

/** Maximum absolute log2 fold change of an axis; genes missing on one side are at its ends. */
export function foldChangeAxis(foldChanges: Float64Array, threshold: number): number {
  const sizes = foldChanges
    .map(Math.abs)
    .filter((size) => size < absentFrom)
    .sort();
  const largest = sizes[sizes.length - 1] ?? 1;
  const usual = sizes[Math.floor((sizes.length - 1) * shareOnAxis)] ?? 1;
  return Math.max(largest > 2 * usual ? 1.3 * usual : 1.04 * largest, 1.5 * threshold, 0.1);
}

/** Maximum −log10 of an adjusted p on an axis, above that of a threshold. */
export function surenessAxis(scores: Float64Array, adjustedP: number): number {
  const cut = -Math.log10(Math.max(adjustedP, Number.MIN_VALUE));
  return 1.06 * scores.reduce((highest, score) => Math.max(highest, score), Math.max(1, 1.2 * cut));
}

export function meanAxis(means: Float64Array): readonly [number, number] {
  const low = means.reduce((lowest, mean) => Math.min(lowest, mean), 0);
  const high = means.reduce((highest, mean) => Math.max(highest, mean), low + 1e-3);
  const room = 0.03 * (high - low);
  return [low < 0 ? low - room : 0, high + room];
}

export function statisticAxis(statistics: Float64Array): readonly [number, number] {
  const low = statistics.reduce((lowest, statistic) => Math.min(lowest, statistic), -1e-3);
  const high = statistics.reduce((highest, statistic) => Math.max(highest, statistic), 1e-3);
  const room = 0.04 * (high - low);
  return [low - room, high + room];
}
