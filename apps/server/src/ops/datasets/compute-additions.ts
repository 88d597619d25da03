import {
  type DropletChoice,
  type IntegrationChoice,
  type ProcessingChoice,
  type QualityChoice,
  type QualityPlan,
  type SamplesChoice,
  samplesDefaults,
} from '@cellfolio/contract';
import { type ImportColumns, inspectH5ad, type PreflightReport } from '@cellfolio/ingest';
import { countText, type ProcessingRecord } from '@cellfolio/model';
import { ProcessError } from '@cellfolio/process';
import {
  combinedSamples,
  computeMissing,
  fileSamples,
  type CombinedSamples,
  type MissingParts,
  missingPartsOf,
  planFileQuality,
  qualityLines,
  samplesOf,
  type WorkContext,
} from '../../features/uploads/index.ts';
import { CommandFailure, exitCode } from '../command.ts';
import type { CombinedSource } from './combined-source.ts';

export interface ComputeOptions extends QualityOptions {
  /** False: nothing is computed. */
  compute: boolean;
  /** Neither cells nor empty droplets are removed. */
  keepAllCells: boolean;
  resolution?: number;
  droplets?: DropletChoice;
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

interface ComputeTask {
  path: string;
  columns: ImportColumns;
  options: ComputeOptions;
  combined?: CombinedSource;
  memoryBytes: number;
}

/**
 * Computes the clusters, UMAP and quality control that a file lacks, like the build of an upload. Throws CommandFailure
 * when that is impossible or the user must choose the cells to remove; H5adError, WorkFailed, the signal's reason.
 */
export async function computeAdditions(
  { path, columns, options, combined, memoryBytes }: ComputeTask,
  context: Pick<WorkContext, 'signal' | 'onProgress'>,
) {
  const report = await inspectH5ad(path, { ...columns, signal: context.signal });
  const missing = missingPartsOf({ combined }, report, columns);
  const lines: string[] = [];
  const left = notComputed(missing, options.compute);
  if (left !== undefined) lines.push(left);
  const { computable, obstacle } = missing;
  const samplesChosen = samplesOptions(options);
  const chosen = Object.keys({ ...qualityChoiceOf(options), ...samplesChosen }).length > 0;
  if (chosen && obstacle === undefined && !computable.includes('qualityControl')) lines.push(alreadyFiltered);
  const looks = combined !== undefined || Object.keys(samplesChosen).length > 0;
  // Cells of samples are always looked at: with --keep-all-cells none is removed.
  const parts = computable.filter((part) => part !== 'qualityControl' || !options.keepAllCells || looks);
  if (!options.compute || parts.length === 0) return { additions: {}, lines };
  try {
    const processing = combined ? combinedProcessing(options) : fileProcessing(options, samplesChosen);
    const work = { file: { path, name: path }, processing, memoryBytes };
    const samples = combined
      ? samplesOfChoice(combined, options, report)
      : parts.includes('qualityControl') && fileSamples(processing, report);
    const additions = await computeMissing(
      { work, columns, report, parts, ...(samples && { combined: samples }) },
      { ...context, scratch: '', log: (line) => lines.push(line) },
    );
    refuseRemovedPopulation(path, options, additions.processing?.quality);
    return { additions, lines };
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error;
    throw new CommandFailure(
      exitCode.badInput,
      `${path}: ${error.message} With --no-compute the file is added as it is.`,
    );
  }
}

const everyCell = { minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

function combinedProcessing(options: ComputeOptions): ProcessingChoice {
  const chosen = processingOf(options);
  // A column that was named, or none, overrides that of the table.
  return { sampleColumn: 'sample', ...chosen, ...(options.keepAllCells && everyCell) };
}

function fileProcessing(options: ComputeOptions, samples: SamplesChoice): ProcessingChoice {
  const looks = Object.keys(samples).length > 0;
  return {
    ...processingOf(options),
    ...(looks && { samples }),
    ...(looks && options.keepAllCells && everyCell),
  };
}

/** The choices for samples. Throws CommandFailure when two options contradict each other. */
function samplesOptions(options: ComputeOptions): SamplesChoice {
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

/** Throws CommandFailure when the options do not fit the table of samples. */
function samplesOfChoice(
  { table, source }: CombinedSource,
  options: ComputeOptions,
  report: PreflightReport,
): CombinedSamples {
  const { batchColumn = samplesDefaults.batchColumn, resolution, keepAllCells } = options;
  const values = new Set(table.lines.map((line) => line.values.get(batchColumn) ?? ''));
  if (batchColumn !== 'sample' && !table.columns.includes(batchColumn)) {
    throw new CommandFailure(
      exitCode.usage,
      `--batch-column: the table of samples has no column '${batchColumn}'; its columns are ${['sample', ...table.columns].join(', ')}.`,
    );
  }
  if (batchColumn !== 'sample' && (values.size < 2 || values.has(''))) {
    throw new CommandFailure(
      exitCode.usage,
      `--batch-column: each sample needs a value of '${batchColumn}', and there must be two different ones.`,
    );
  }
  const choice = {
    ...(keepAllCells && { doublets: 'mark' as const }),
    ...samplesOptions(options),
    batchColumn,
  };
  return combinedSamples(source, choice, { report, resolution });
}

function processingOf({ resolution, droplets, ...quality }: ComputeOptions): ProcessingChoice {
  return {
    ...qualityChoiceOf(quality),
    ...(resolution !== undefined && { resolution }),
    ...(droplets && { droplets }),
  };
}

const obstacles: Readonly<Record<NonNullable<MissingParts['obstacle']>, string>> = {
  'no-counts': 'the file has no raw counts',
  'fractional-counts': 'its counts have fractions: round them first (np.rint, or roundToInt of SoupX)',
  'few-cells': 'at least 20 cells are required',
  'few-genes': 'at least 20 genes are required',
};

function notComputed(
  { clusters, embedding, computable, obstacle }: MissingParts,
  compute: boolean,
): string | undefined {
  const lacking = [...(clusters ? ['clusters'] : []), ...(embedding ? ['a UMAP'] : [])].join(' and ');
  if (lacking === '') return undefined;
  if (obstacle !== undefined) return `Not computed: ${lacking}, since ${obstacles[obstacle]}.`;
  if (!compute && computable.length > 0) return `Not computed because of --no-compute: ${lacking}.`;
  return undefined;
}

export interface Planned {
  report: PreflightReport;
  quality?: QualityPlan;
  lines: readonly string[];
}

/** Finds the cells that an import would remove; writes nothing. Throws H5adError, WorkFailed, the signal's reason. */
export async function planAdditions(
  { path, columns, options, combined, memoryBytes }: ComputeTask,
  context: Pick<WorkContext, 'signal' | 'onProgress'>,
): Promise<Planned> {
  const report = await inspectH5ad(path, { ...columns, signal: context.signal });
  const missing = missingPartsOf({ combined }, report, columns);
  const left = notComputed(missing, options.compute);
  const lines = left === undefined ? [] : [left];
  if (options.keepAllCells || !options.compute || missing.obstacle !== undefined) {
    return { report, lines: [...lines, 'No cell is removed.'] };
  }
  if (!missing.computable.includes('qualityControl')) return { report, lines: [...lines, alreadyFiltered] };
  const processing = combined ? combinedProcessing(options) : processingOf(options);
  // An inspection ignores a missing column; an import refuses it.
  if (typeof processing.sampleColumn === 'string') await samplesOf(path, processing.sampleColumn);
  const { plan, note, noCounts } = await planFileQuality(
    { kind: 'inspect', file: { path, name: path }, columns, processing, memoryBytes },
    report,
    { ...context, scratch: '', log: () => undefined },
  );
  if (noCounts === true) lines.push('The values are not counts, so no cell is removed.');
  if (note !== undefined) lines.push(note);
  if (plan === undefined) return { report, lines };
  return { report, quality: plan, lines: [...lines, ...planLines(plan)] };
}

/** Empty droplets come first, as they are removed before quality control. */
function planLines(plan: QualityPlan): string[] {
  const droplets = plan.cautions.filter(({ code }) => code.startsWith('empty-droplets'));
  const cautions = plan.cautions.filter((caution) => !droplets.includes(caution));
  return [...droplets.map(({ message }) => message), ...qualityLines({ ...plan, cautions })];
}

interface QualityOptions {
  deviations?: number;
  minCounts?: number;
  minGenes?: number;
  /** Share from 0 to 1. */
  maxMitochondrial?: number;
  /** A column of obs; null: the same thresholds for all cells. */
  sampleColumn?: string | null;
}

type Chosen = Omit<QualityChoice, 'droplets'>;

/** Empty without such options. */
function qualityChoiceOf(options: QualityOptions): Chosen {
  const { deviations, minCounts, minGenes, maxMitochondrial, sampleColumn } = options;
  return {
    ...(deviations !== undefined && { deviations }),
    ...(minCounts !== undefined && { minimumCounts: minCounts }),
    ...(minGenes !== undefined && { minimumGenes: minGenes }),
    ...(maxMitochondrial !== undefined && { maximumMitochondrial: maxMitochondrial }),
    ...(sampleColumn !== undefined && { sampleColumn }),
  };
}

const alreadyFiltered =
  'No cell is removed: the file has clusters, cell types or an embedding, so its cells are already filtered.';

/** Throws CommandFailure when the defaults would remove cells that are close together, perhaps a population. */
function refuseRemovedPopulation(
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
    `${path}: quality control with its defaults would remove ${countText(quality.removed.all)} of ${countText(cells)} cells. ${caution.message} Nothing was added. List the cells with --dry-run, then choose: --keep-all-cells, --min-counts, --min-genes, --max-mitochondrial, --sample-column, or --deviations (${quality.deviations} accepts the default).`,
  );
}
