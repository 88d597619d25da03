import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { median } from '../statistics/quantile.ts';

/**
 * Size factors by the median of ratios (Anders and Huber 2010): per sample the median, over genes, of its count divided
 * by the gene's geometric mean. Genes with a zero are skipped; if every gene has one, zeros are left out of the
 * geometric mean (DESeq2's `poscounts`, with factors scaled to a geometric mean of 1). NaN for a sample without counts
 * in these genes.
 */
export function sizeFactors({ geneCount, sampleCount, values }: GeneSampleMatrix): Float64Array {
  const logs = values.map((count) => (count > 0 ? Math.log(count) : 0));
  const rows = Array.from({ length: geneCount }, (_, gene) => gene * sampleCount);
  const full = rows.filter((base) => values.subarray(base, base + sampleCount).every((count) => count > 0));
  const meanOf = (base: number) =>
    logs.subarray(base, base + sampleCount).reduce((sum, log) => sum + log, 0) / sampleCount;
  const used = (full.length > 0 ? full : rows).map((base) => ({ base, mean: meanOf(base) }));
  const usable = full.length > 0 ? used : used.filter(({ mean }) => mean > 0);
  const medians = Float64Array.from({ length: sampleCount }, (_, sample) =>
    median(
      Float64Array.from(
        usable.filter(({ base }) => values[base + sample]! > 0),
        ({ base, mean }) => logs[base + sample]! - mean,
      ),
    ),
  );
  const definedLogs = medians.filter((log) => !Number.isNaN(log));
  const shift = full.length > 0 ? 0 : definedLogs.reduce((sum, log) => sum + log, 0) / definedLogs.length;
  return medians.map((log) => Math.exp(log - shift));
}
