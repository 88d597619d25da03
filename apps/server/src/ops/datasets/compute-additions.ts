import type { DropletChoice, ProcessingChoice, QualityChoice, QualityPlan } from '@cellfolio/contract';
import {
  type DatasetAdditions,
  type ImportColumns,
  inspectH5ad,
  type PreflightReport,
} from '@cellfolio/ingest';
import { countText, type ProcessingRecord } from '@cellfolio/model';
import { ProcessError } from '@cellfolio/process';
import {
  computeMissing,
  missingParts,
  type MissingParts,
  planFileQuality,
  qualityLines,
  samplesOf,
  type WorkContext,
} from '../../features/uploads/index.ts';
import { CommandFailure, exitCode } from '../command.ts';

/** Options of commands that may compute what a file lacks. */
export interface ComputeOptions extends QualityOptions {
  /** False: nothing is computed. */
  readonly compute: boolean;
  /** No cell is taken away, empty droplets neither. */
  readonly keepAllCells: boolean;
  readonly resolution?: number;
  readonly droplets?: DropletChoice;
}

/** A file, and what of it is computed. */
interface ComputeTask {
  readonly path: string;
  readonly columns: ImportColumns;
  readonly options: ComputeOptions;
  readonly memoryBytes: number;
}

/** What was computed, and messages about it. */
interface Computed {
  readonly additions: DatasetAdditions;
  readonly lines: readonly string[];
}

/**
 * Computes the clusters, UMAP and quality control that a file lacks, as a build of an upload does. Throws CommandFailure
 * where that cannot be done, or where a person is to decide who is removed; H5adError, WorkFailed, the signal's reason.
 */
export async function computeAdditions(
  { path, columns, options, memoryBytes }: ComputeTask,
  context: Pick<WorkContext, 'signal' | 'onProgress'>,
): Promise<Computed> {
  const report = await inspectH5ad(path, { ...columns, signal: context.signal });
  const missing = missingParts(report, columns);
  const lines: string[] = [];
  const left = leftOut(missing, options.compute);
  if (left !== undefined) lines.push(left);
  const { computable, obstacle } = missing;
  const chosen = Object.keys(qualityChoiceOf(options)).length > 0;
  if (chosen && obstacle === undefined && !computable.includes('qualityControl')) lines.push(chosenBefore);
  const parts = computable.filter((part) => part !== 'qualityControl' || !options.keepAllCells);
  if (!options.compute || parts.length === 0) return { additions: {}, lines };
  try {
    const work = { file: { path, name: path }, processing: processingOf(options), memoryBytes };
    const additions = await computeMissing(
      { work, columns, report, parts },
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

/** The options as a build takes them. */
function processingOf({ resolution, droplets, ...quality }: ComputeOptions): ProcessingChoice {
  return {
    ...qualityChoiceOf(quality),
    ...(resolution !== undefined && { resolution }),
    ...(droplets && { droplets }),
  };
}

const obstacles: Readonly<Record<NonNullable<MissingParts['obstacle']>, string>> = {
  'no-counts': 'the file holds no raw counts',
  'few-cells': 'that takes at least 20 cells',
  'few-genes': 'that takes at least 20 genes',
};

/** What the file lacks and stays without, in a sentence. */
function leftOut(
  { clusters, embedding, computable, obstacle }: MissingParts,
  compute: boolean,
): string | undefined {
  const lacking = [...(clusters ? ['clusters'] : []), ...(embedding ? ['a UMAP'] : [])].join(' and ');
  if (lacking === '') return undefined;
  if (obstacle !== undefined) return `Not computed: ${lacking}, since ${obstacles[obstacle]}.`;
  if (!compute && computable.length > 0) return `Not computed, as --no-compute says: ${lacking}.`;
  return undefined;
}

/** What an import would find and remove. */
export interface Planned {
  readonly report: PreflightReport;
  readonly quality?: QualityPlan;
  readonly lines: readonly string[];
}

/**
 * Plans an import with the inspection of uploads: which cells it would remove. Writes nothing. Throws H5adError, WorkFailed,
 * the signal's reason.
 */
export async function planAdditions(
  { path, columns, options, memoryBytes }: ComputeTask,
  context: Pick<WorkContext, 'signal' | 'onProgress'>,
): Promise<Planned> {
  const report = await inspectH5ad(path, { ...columns, signal: context.signal });
  const missing = missingParts(report, columns);
  const left = leftOut(missing, options.compute);
  const lines = left === undefined ? [] : [left];
  if (options.keepAllCells || !options.compute || missing.obstacle !== undefined) {
    return { report, lines: [...lines, 'No cell is removed.'] };
  }
  if (!missing.computable.includes('qualityControl')) return { report, lines: [...lines, chosenBefore] };
  const processing = processingOf(options);
  // An inspection passes over a column that is not there; an import refuses it.
  if (typeof processing.sampleColumn === 'string') await samplesOf(path, processing.sampleColumn);
  const { plan, note, noCounts } = await planFileQuality(
    { kind: 'inspect', file: { path, name: path }, columns, processing, memoryBytes },
    report,
    { ...context, scratch: '', log: () => undefined },
  );
  if (noCounts === true) lines.push('The values are no counts, so no cell is removed.');
  if (note !== undefined) lines.push(note);
  if (plan === undefined) return { report, lines };
  return { report, quality: plan, lines: [...lines, ...planLines(plan)] };
}

/** Empty droplets come first, as they are left out before cells are looked at. */
function planLines(plan: QualityPlan): string[] {
  const droplets = plan.cautions.filter(({ code }) => code.startsWith('empty-droplets'));
  const cautions = plan.cautions.filter((caution) => !droplets.includes(caution));
  return [...droplets.map(({ message }) => message), ...qualityLines({ ...plan, cautions })];
}

/** Options that decide which cells quality control takes away, as commander gives them. */
interface QualityOptions {
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

/** Said where the options decide nothing, since the file itself shows which cells were chosen. */
const chosenBefore =
  'No cell is removed: the file has clusters, cell types or an embedding, so its cells were chosen before.';

/**
 * Where the defaults would take away cells that lie together, perhaps a population, a person is to decide. Throws
 * CommandFailure unless one did.
 */
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
    `${path}: quality control with its defaults would remove ${countText(quality.removed.all)} of ${countText(cells)} cells. ${caution.message} Nothing was added. See who would be removed with --dry-run, then decide: --keep-all-cells, --min-counts, --min-genes, --max-mitochondrial, --sample-column, or --deviations (${quality.deviations} accepts the default).`,
  );
}
