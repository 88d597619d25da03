import type { Caution } from '@cellfolio/model';
import type { CellMeasures } from './cell-measures.ts';
import type { RemovedTogether } from './removed-together.ts';

/** From so many cells, and this share of those compared, they are a group and not chance. */
const FEWEST_TOGETHER = 10;
const LEAST_SHARE = 0.2;

/** What to know of a quality control beside its numbers. */
export function qualityCautions(
  { geneCounts }: Pick<CellMeasures, 'geneCounts'>,
  removed: number,
  together: RemovedTogether | undefined,
): Caution[] {
  const cautions: Caution[] = [];
  if (geneCounts.mitochondrial === 0) {
    cautions.push({
      code: 'no-mitochondrial-genes',
      message:
        '0 mitochondrial genes were found by name, Ensembl id or chromosome, so no filter of mitochondrial counts is applied.',
      numbers: { mitochondrialGenes: 0 },
    });
  }
  if (together !== undefined && isGroup(together)) {
    cautions.push({
      code: 'removed-cells-together',
      message: `${whole(together.together)} of the ${whole(together.compared)} removed cells that were compared lie together in expression space: on average ${percent(together.neighbourShare)} of a removed cell’s ${together.neighbours} nearest neighbours are removed too, where chance gives ${percent(together.expectedShare)}. They may be a population of their own (with little RNA, or many mitochondria) and not scattered damaged cells: loosen the thresholds, or find them per sample.`,
      numbers: { removed, ...together },
    });
  }
  return cautions;
}

function isGroup({ together, compared }: RemovedTogether): boolean {
  return together >= FEWEST_TOGETHER && together >= LEAST_SHARE * compared;
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
