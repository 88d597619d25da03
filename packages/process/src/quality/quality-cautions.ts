import { countText, type Caution, type QualitySettings, type RemovedCells } from '@cellfolio/model';
import type { CellMeasures } from './cell-measures.ts';
import type { QualityPlan } from './plan-quality.ts';

/** Whether the cells to be removed resemble each other more than the kept ones. */
export interface RemovedTogether {
  /** Number of compared cells among the removed ones with enough counts. */
  readonly compared: number;
  /** Compared cells with more than half of their nearest neighbours removed too. */
  readonly together: number;
  /** Mean share of removed cells among their nearest neighbours, and the share expected by chance. */
  readonly neighbourShare: number;
  readonly expectedShare: number;
  readonly neighbours: number;
}

/** From this number of cells, and this share of those compared, they are a group rather than chance. */
const minTogether = 10;
const minShare = 0.2;
/**
 * Few tissues have healthy cells with more mitochondrial counts (Osorio & Cai 2021,
 * doi:10.1093/bioinformatics/btaa751).
 */
const highMitochondrialShare = 0.2;

interface Judged {
  measures: Pick<CellMeasures, 'geneCounts'>;
  plan: Pick<QualityPlan, 'groups' | 'removed'>;
  settings: QualitySettings;
  together: RemovedTogether | undefined;
}

export function qualityCautions({ measures, plan, settings, together }: Judged): Caution[] {
  const cautions: Caution[] = [];
  if (measures.geneCounts.mitochondrial === 0) {
    cautions.push({
      code: 'no-mitochondrial-genes',
      message:
        'No mitochondrial genes were found by name, Ensembl id or chromosome, so no filter of mitochondrial counts is applied.',
      numbers: { mitochondrialGenes: 0 },
    });
  }
  if (together !== undefined && isGroup(together)) {
    cautions.push({
      code: 'removed-cells-together',
      message: `${countText(together.together)} of the ${countText(together.compared)} removed cells that were compared lie together in expression space: on average ${percent(together.neighbourShare)} of a removed cell’s ${together.neighbours} nearest neighbors are removed too, where chance gives ${percent(together.expectedShare)}. They may be a population of their own (with little RNA, or many mitochondria) and not scattered damaged cells: loosen the thresholds, or find them per sample.`,
      numbers: { removed: plan.removed.all, ...together },
    });
  }
  const limits = plan.groups.map(({ thresholds }) => thresholds.maximumMitochondrial ?? 0);
  const loose = limits.filter((limit) => limit > highMitochondrialShare);
  if (settings.maximumMitochondrial === undefined && loose.length > 0) {
    const greatest = Math.max(...loose);
    cautions.push({
      code: 'loose-mitochondrial-threshold',
      message: `In ${countText(loose.length)} of ${countText(limits.length)} groups of cells the deviations allow more than ${percent(highMitochondrialShare)} mitochondrial counts (up to ${percent(greatest)}), because many of their cells have that much. Name a greatest share if those are damaged.`,
      numbers: { groups: limits.length, loose: loose.length, greatestShare: greatest },
    });
  }
  return cautions;
}

function isGroup({ together, compared }: RemovedTogether): boolean {
  return together >= minTogether && together >= minShare * compared;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** Example: 'removed 12: 3 without counts, 5 by counts, 6 by genes, 2 by mitochondrial share (4 by more than one)'. */
export function removedText({ all, noCounts, counts, genes, mitochondrial, several }: RemovedCells): string {
  if (all === 0) return 'none removed';
  const reasons = [
    [noCounts, 'without counts'],
    [counts, 'by counts'],
    [genes, 'by genes'],
    [mitochondrial, 'by mitochondrial share'],
  ] as const;
  const listed = reasons.filter(([cells]) => cells > 0).map(([cells, why]) => `${countText(cells)} ${why}`);
  return `removed ${countText(all)}: ${listed.join(', ')}${several > 0 ? ` (${countText(several)} by more than one)` : ''}`;
}
