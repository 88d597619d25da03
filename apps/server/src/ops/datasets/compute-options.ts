import {
  batchProblem,
  type DropletChoice,
  mapNumbers,
  type ProcessingChoice,
  type ProcessingNumberName,
  type QualityChoice,
  qualityNumbers,
  type SamplesChoice,
} from '@cellfolio/contract';
import { CommandFailure, exitCode } from '../command.ts';
import type { SamplesTable } from './samples-table.ts';

type OptionName<N extends string> = N extends `minimum${infer Rest}`
  ? `min${Rest}`
  : N extends `maximum${infer Rest}`
    ? `max${Rest}`
    : N;
type NumberOptions = { readonly [N in ProcessingNumberName as OptionName<N>]?: number };

export interface ComputeOptions
  extends NumberOptions, Pick<SamplesChoice, 'doublets' | 'doubletThreshold' | 'integrate' | 'batchColumn'> {
  /** False: nothing is computed. */
  compute: boolean;
  /** Neither cells nor empty droplets are removed. */
  keepAllCells: boolean;
  droplets?: DropletChoice;
  /** A column of obs; null: the same thresholds for all cells. */
  sampleColumn?: string | null;
  furtherResolutions?: readonly number[];
}

/** `minimumCounts` → `minCounts`. */
export function optionName<N extends string>(name: N): OptionName<N> {
  return name.replace(/^(min|max)imum/, '$1') as OptionName<N>;
}

function numbersOf<N extends ProcessingNumberName>(
  numbers: Readonly<Record<N, unknown>>,
  options: NumberOptions,
): { [K in N]?: number } {
  const names = Object.keys(numbers) as N[];
  const chosen = names.map((name) => [name, options[optionName<ProcessingNumberName>(name)]] as const);
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as { [K in N]?: number };
}

const everyCell: ProcessingChoice = {
  minimumCounts: 0,
  minimumGenes: 0,
  maximumMitochondrial: 1,
  droplets: { keep: 'all' },
};

/** The choice of an upload that these options make. Throws CommandFailure when two of them contradict each other. */
export function processingChoiceOf(
  options: ComputeOptions,
  table: SamplesTable | undefined,
): ProcessingChoice {
  if (table !== undefined) refuseBatches(table, options);
  const { keepAllCells } = options;
  const chosen = samplesChoiceOf(options);
  const samples = { ...(table && keepAllCells && { doublets: 'mark' as const }), ...chosen };
  const looks = table !== undefined || Object.keys(chosen).length > 0;
  return {
    ...qualityOf(options),
    ...numbersOf(mapNumbers, options),
    ...(looks && { samples }),
    ...(looks && keepAllCells && everyCell),
    ...(options.droplets && { droplets: options.droplets }),
  };
}

/** Empty without such options. */
export function qualityOf(options: ComputeOptions): Omit<QualityChoice, 'droplets'> {
  const { sampleColumn } = options;
  return { ...numbersOf(qualityNumbers, options), ...(sampleColumn !== undefined && { sampleColumn }) };
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
  const samples = lines.map(({ values }) => ({ values: Object.fromEntries(values) }));
  const problem = ['sample', ...columns].includes(batchColumn)
    ? batchProblem(batchColumn, samples)
    : `the table of samples has no column '${batchColumn}'; its columns are ${['sample', ...columns].join(', ')}.`;
  if (problem !== undefined) throw new CommandFailure(exitCode.usage, `--batch-column: ${problem}`);
}
