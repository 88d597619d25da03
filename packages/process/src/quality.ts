import { perCellRnaQcMetrics, suggestRnaQcFilters, type ScranMatrix } from 'scran.js';
import type { QualityReport } from './process-result.ts';
import type { QualitySettings } from './settings.ts';

export interface Quality {
  readonly report: QualityReport;
  /** Per cell 1 where it stays. */
  readonly keep: Uint8Array;
}

/** Where all cells are alike, a threshold must not fall on their wrong side by its own rounding. */
const ROUNDING = 1e-9;
/**
 * Shares of mitochondrial counts up to this are sound whatever the other cells have, as
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html takes them: where most cells have
 * none or next to none, the deviation is so small that good cells would fall to it.
 */
const SOUND_MITOCHONDRIAL = 0.08;

/**
 * Measures every cell and decides which stay. Thresholds that the settings do not name are medians with so many
 * median absolute deviations (McCarthy et al. 2017, doi:10.1093/bioinformatics/btw777). A cell without counts never
 * stays.
 */
export function qualityOf(
  matrix: ScranMatrix,
  geneNames: readonly string[],
  settings: QualitySettings,
): Quality {
  const mitochondrial = Uint8Array.from(geneNames, (name) => (/^mt-/i.test(name) ? 1 : 0));
  const metrics = perCellRnaQcMetrics(matrix, [mitochondrial]);
  const suggested = suggestRnaQcFilters(metrics, { numberOfMADs: settings.deviations });
  const counts = metrics.sum();
  const genes = metrics.detected();
  const mitochondrialGenes = mitochondrial.reduce((sum, is) => sum + is, 0);
  const shares = metrics.subsetProportion(0);
  const thresholds = {
    minimumCounts: settings.minimumCounts ?? leastWhole(suggested.sum()[0]),
    minimumGenes: settings.minimumGenes ?? leastWhole(suggested.detected()[0]),
    maximumMitochondrial:
      settings.maximumMitochondrial ??
      (mitochondrialGenes > 0
        ? Math.min(1, Math.max(SOUND_MITOCHONDRIAL, (suggested.subsetProportion(0)[0] ?? 1) + ROUNDING))
        : 1),
  };
  metrics.free();
  suggested.free();
  const keep = Uint8Array.from(counts, (sum, cell) =>
    sum > 0 &&
    sum >= thresholds.minimumCounts &&
    genes[cell]! >= thresholds.minimumGenes &&
    !(shares[cell]! > thresholds.maximumMitochondrial)
      ? 1
      : 0,
  );
  return { report: { counts, genes, mitochondrial: shares, mitochondrialGenes, thresholds }, keep };
}

/** The least whole number that is not below a threshold. */
function leastWhole(threshold = 0): number {
  return Math.max(0, Math.ceil(threshold * (1 - ROUNDING)));
}
