import { countText, type RemovedCells } from '@cellfolio/model';

/** 'removed 12: 3 without counts, 5 by counts, 6 by genes, 2 by mitochondrial share (4 by more than one)'. */
export function removedText({ all, noCounts, counts, genes, mitochondrial, several }: RemovedCells): string {
  if (all === 0) return 'none removed';
  const reasons = [
    [noCounts, 'without counts'],
    [counts, 'by counts'],
    [genes, 'by genes'],
    [mitochondrial, 'by mitochondrial share'],
  ] as const;
  const told = reasons.filter(([cells]) => cells > 0).map(([cells, why]) => `${countText(cells)} ${why}`);
  return `removed ${countText(all)}: ${told.join(', ')}${several > 0 ? ` (${countText(several)} by more than one)` : ''}`;
}
