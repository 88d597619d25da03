import { congruential } from '../mixture.test-data.ts';
import type { InteractionsInput } from './spec.ts';

export function interactionsOf(
  groups: readonly string[],
  pairs: readonly (readonly [ligand: string, receptor: string])[],
): InteractionsInput {
  const random = congruential(11);
  const all = groups.flatMap((_, source) =>
    groups.flatMap((__, target) => pairs.map((___, pair) => ({ source, target, pair }))),
  );
  const means = Float64Array.from(all, () => 2.5 * random() ** 2);
  return {
    groupTitle: 'Cell type',
    groups: groups.map((label, place) => ({ label, cells: 100 + place })),
    pairs: pairs.map(([ligand, receptor]) => ({ ligand, receptor })),
    sources: Uint16Array.from(all, ({ source }) => source),
    targets: Uint16Array.from(all, ({ target }) => target),
    pairOf: Uint32Array.from(all, ({ pair }) => pair),
    means,
    // Rather small where the mean is high; some are 0.
    pValues: means.map((mean) => Math.floor(1000 * Math.max(0, random() - mean / 2.5)) / 1000),
    permutations: 1000,
    threshold: 0.05,
    pairSet: 'abridged, 100 pairs',
  };
}

export const examplePairs = [
  ['CXCL12', 'CXCR4'],
  ['CCL5', 'CCR5'],
  ['ICAM1', 'ITGAL+ITGB2'],
  ['IL2', 'IL2RA+IL2RB+IL2RG'],
  ['TGFB1', 'TGFBR1+TGFBR2'],
  ['CD80', 'CD28'],
  ['VEGFA', 'KDR'],
] as const;
