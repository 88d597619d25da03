import type { RemovedCells } from '@cellfolio/contract';
import { formatCount } from '@/lib/counted.ts';

/** '5 by counts, 6 by genes, 2 by mitochondrial share; 4 by more than one'; empty where none goes. */
export function reasonsText({ noCounts, counts, genes, mitochondrial, several }: RemovedCells): string {
  const reasons = [
    [noCounts, 'without counts'],
    [counts, 'by counts'],
    [genes, 'by genes'],
    [mitochondrial, 'by mitochondrial share'],
  ] as const;
  const told = reasons.filter(([cells]) => cells > 0).map(([cells, why]) => `${formatCount(cells)} ${why}`);
  return `${told.join(', ')}${several > 0 ? `; ${formatCount(several)} by more than one` : ''}`;
}

const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** '312 of 10,000 (3.1%)'. */
export function removedText({ all }: RemovedCells, cells: number): string {
  return `${formatCount(all)} of ${formatCount(cells)} (${percents.format(cells === 0 ? 0 : all / cells)})`;
}

/** 0.0832 → '8.3%'. */
export function shareText(share: number): string {
  return percents.format(share);
}
