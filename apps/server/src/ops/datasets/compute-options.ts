import type {
  DropletChoice,
  IntegrationChoice,
  ProcessingChoice,
  QualityChoice,
  SamplesChoice,
} from '@cellfolio/contract';
import { CommandFailure, exitCode } from '../command.ts';
import type { SamplesTable } from './samples-table.ts';

export interface ComputeOptions {
  /** False: nothing is computed. */
  compute: boolean;
  /** Neither cells nor empty droplets are removed. */
  keepAllCells: boolean;
  resolution?: number;
  droplets?: DropletChoice;
  deviations?: number;
  minCounts?: number;
  minGenes?: number;
  /** Share from 0 to 1. */
  maxMitochondrial?: number;
  /** A column of obs; null: the same thresholds for all cells. */
  sampleColumn?: string | null;
  /** Treatment of doublets; default: removed for several samples, else not detected. */
  doublets?: 'remove' | 'mark' | 'keep';
  /** Threshold of doublet scores; default: determined per sample. */
  doubletThreshold?: number;
  /** Integration of batches; default: Harmony for several samples, else none. */
  integrate?: IntegrationChoice;
  /** Column with the batches: of the table of samples, or of obs; `sample` by default. */
  batchColumn?: string;
  furtherResolutions?: readonly number[];
}

const everyCell = { minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

/** The choice of an upload that these options make. Throws CommandFailure when two of them contradict each other. */
export function processingChoiceOf(
  options: ComputeOptions,
  table: SamplesTable | undefined,
): ProcessingChoice {
  if (table !== undefined) refuseBatches(table, options);
  const { resolution, droplets, keepAllCells } = options;
  const chosen = samplesChoiceOf(options);
  const samples = { ...(table && keepAllCells && { doublets: 'mark' as const }), ...chosen };
  const looks = table !== undefined || Object.keys(chosen).length > 0;
  return {
    ...qualityOf(options),
    ...(resolution !== undefined && { resolution }),
    ...(droplets && { droplets }),
    ...(looks && { samples }),
    ...(looks && keepAllCells && everyCell),
  };
}

/** Empty without such options. */
export function qualityOf(options: ComputeOptions): Omit<QualityChoice, 'droplets'> {
  const { deviations, minCounts, minGenes, maxMitochondrial, sampleColumn } = options;
  return {
    ...(deviations !== undefined && { deviations }),
    ...(minCounts !== undefined && { minimumCounts: minCounts }),
    ...(minGenes !== undefined && { minimumGenes: minGenes }),
    ...(maxMitochondrial !== undefined && { maximumMitochondrial: maxMitochondrial }),
    ...(sampleColumn !== undefined && { sampleColumn }),
  };
}

/** Empty without such options. Throws CommandFailure when two options contradict each other. */
export function samplesChoiceOf(options: ComputeOptions): SamplesChoice {
  const { doublets, doubletThreshold, integrate, batchColumn, furtherResolutions } = options;
  if (doublets === 'keep' && doubletThreshold !== undefined) {
    throw new CommandFailure(
      exitCode.usage,
      '--doublet-threshold is for doublets that are looked for, and --doublets keep does not look: leave out one of them.',
    );
  }
  return {
    ...(doublets && { doublets }),
    ...(doubletThreshold !== undefined && { doubletThreshold }),
    ...(integrate && { integrate }),
    ...(batchColumn !== undefined && { batchColumn }),
    ...(furtherResolutions && { resolutions: [...furtherResolutions] }),
  };
}

/** Throws CommandFailure when the table of samples does not have these batches. */
function refuseBatches({ columns, lines }: SamplesTable, { batchColumn = 'sample' }: ComputeOptions): void {
  if (batchColumn === 'sample') return;
  if (!columns.includes(batchColumn)) {
    throw new CommandFailure(
      exitCode.usage,
      `--batch-column: the table of samples has no column '${batchColumn}'; its columns are ${['sample', ...columns].join(', ')}.`,
    );
  }
  const values = new Set(lines.map((line) => line.values.get(batchColumn) ?? ''));
  if (values.size < 2 || values.has('')) {
    throw new CommandFailure(
      exitCode.usage,
      `--batch-column: each sample needs a value of '${batchColumn}', and there must be two different ones.`,
    );
  }
}
