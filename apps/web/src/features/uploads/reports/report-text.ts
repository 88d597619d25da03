import type { FileReport, ProcessingRecord, RemovedCells } from '@cellfolio/contract';
import { formatCount, plural } from '@/lib/format.ts';

export type H5adReport = Extract<FileReport, { kind: 'h5ad' }>;
export type Computed = H5adReport['willCompute'][number];

export function reportLine(report: FileReport, { computed }: { computed: boolean }): string {
  switch (report.kind) {
    case 'h5ad':
      return [
        // Most rows of a raw matrix are empty droplets.
        `${plural(report.cells, report.quality?.droplets?.detected === true ? 'barcode' : 'cell')} × ${plural(report.genes, 'gene')}`,
        report.hasCounts ? 'raw counts' : 'no raw counts',
        ...(computed || report.willCompute.length === 0
          ? []
          : [`${computedNames(report.willCompute)} will be computed`]),
      ].join(' · ');
    case 'matrix':
      return `.mtx ${sizeText(report)}, ${plural(report.entries, 'entry', 'entries')}`;
    case 'barcodes':
      return `Barcodes · ${plural(report.lines, 'line')}`;
    case 'features':
      return `Features · ${plural(report.lines, 'line')}`;
    case 'unknown':
      return `Table · ${plural(report.lines, 'line')}, barcodes or features`;
  }
}

/** '1,000 × 10,000', rows first. */
export function sizeText({ rows, columns }: { rows: number; columns: number }): string {
  return `${formatCount(rows)} × ${formatCount(columns)}`;
}

/** 'clusters and UMAP'. Cells are only inspected so that these can be made, and are named only if nothing else is. */
export function computedNames(parts: readonly Computed[]): string {
  const names = [
    ...(parts.includes('clusters') ? ['clusters'] : []),
    ...(parts.includes('embedding') ? ['UMAP'] : []),
  ];
  return names.length === 0 ? 'quality control' : names.join(' and ');
}

/** '5 by counts, 6 by genes, 2 by mitochondrial share; 4 by more than one'; empty if none is removed. */
export function reasonsText({ noCounts, counts, genes, mitochondrial, several }: RemovedCells): string {
  const reasons = [
    [noCounts, 'without counts'],
    [counts, 'by counts'],
    [genes, 'by genes'],
    [mitochondrial, 'by mitochondrial share'],
  ] as const;
  const reasonTexts = reasons
    .filter(([cells]) => cells > 0)
    .map(([cells, why]) => `${formatCount(cells)} ${why}`);
  return `${reasonTexts.join(', ')}${several > 0 ? `; ${formatCount(several)} by more than one` : ''}`;
}

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** '312 of 10,000 (3.1 %)'; 100 % only if all are removed. */
export function removedText({ all }: RemovedCells, cells: number): string {
  const share = all < cells ? Math.min(all / cells, 0.999) : Math.sign(all);
  return `${formatCount(all)} of ${formatCount(cells)} (${shareText(share)})`;
}

type Recall = NonNullable<ProcessingRecord['neighbourRecall']>;

/** 'searched approximately: 99.3 % are the true nearest, checked on 500 cells'; the minimum over several samples. */
export function recallText(first: Recall, ...others: Recall[]): string {
  const { share, cells } = others.reduce((lowest, one) => (one.share < lowest.share ? one : lowest), first);
  const [prefix, each] = others.length === 0 ? ['', ''] : ['at least ', ' of each'];
  return `searched approximately: ${prefix}${shareText(share)} are the true nearest, checked on ${formatCount(cells)} cells${each}`;
}

/** 0.0832 → '8.3 %'. */
export function shareText(share: number): string {
  return `${decimals.format(100 * share)} %`;
}
