import type { QualityChoice } from '@cellfolio/contract';
import { countText, type ProcessingRecord } from '@cellfolio/model';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';

/** Options that decide which cells quality control takes away, as commander gives them. */
export interface QualityOptions {
  readonly deviations?: number;
  readonly minCounts?: number;
  readonly minGenes?: number;
  /** Share from 0 to 1. */
  readonly maxMitochondrial?: number;
  /** A column of obs; null: the same thresholds for all cells. */
  readonly sampleColumn?: string | null;
}

type Chosen = Omit<QualityChoice, 'droplets'>;

/** What was chosen of quality control; empty where nothing was. */
export function qualityChoiceOf(options: QualityOptions): Chosen {
  const { deviations, minCounts, minGenes, maxMitochondrial, sampleColumn } = options;
  return {
    ...(deviations !== undefined && { deviations }),
    ...(minCounts !== undefined && { minimumCounts: minCounts }),
    ...(minGenes !== undefined && { minimumGenes: minGenes }),
    ...(maxMitochondrial !== undefined && { maximumMitochondrial: maxMitochondrial }),
    ...(sampleColumn !== undefined && { sampleColumn }),
  };
}

/** Said where the options decide nothing, since the file itself shows which cells were chosen. */
export const CHOSEN_BEFORE =
  'No cell is removed: the file has clusters, cell types or an embedding, so its cells were chosen before.';

/**
 * Where the defaults would take away cells that lie together, perhaps a population, a person is to decide. Throws
 * CommandFailure unless one did.
 */
export function refuseRemovedPopulation(
  path: string,
  options: QualityOptions,
  quality: ProcessingRecord['quality'],
): void {
  const caution = quality?.cautions.find(({ code }) => code === 'removed-cells-together');
  if (quality === undefined || caution === undefined || Object.keys(qualityChoiceOf(options)).length > 0)
    return;
  const cells = quality.groups.reduce((sum, group) => sum + group.cells, 0);
  throw new CommandFailure(
    exitCode.usage,
    `${path}: quality control with its defaults would remove ${countText(quality.removed.all)} of ${countText(cells)} cells. ${caution.message} Nothing was added. See who would be removed with --dry-run, then decide: --keep-all-cells, --min-counts, --min-genes, --max-mitochondrial, --sample-column, or --deviations (${quality.deviations} accepts the default).`,
  );
}
