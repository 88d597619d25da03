import type { DropletChoice, ProcessingChoice } from '@cellfolio/contract';
import { inspectH5ad, type DatasetAdditions, type ImportColumns } from '@cellfolio/ingest';
import { ProcessError } from '@cellfolio/process';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';
import {
  CHOSEN_BEFORE,
  qualityChoiceOf,
  refuseRemovedPopulation,
  type QualityOptions,
} from './quality-options.ts';
import {
  computeMissing,
  missingParts,
  type MissingParts,
  type WorkContext,
} from '../features/uploads/index.ts';

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
export interface ComputeTask {
  readonly path: string;
  readonly columns: ImportColumns;
  readonly options: ComputeOptions;
  readonly memoryBytes: number;
}

/** What was computed, and what was told meanwhile. */
export interface Computed {
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
  if (chosen && obstacle === undefined && !computable.includes('qualityControl')) lines.push(CHOSEN_BEFORE);
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
export function processingOf({ resolution, droplets, ...quality }: ComputeOptions): ProcessingChoice {
  return {
    ...qualityChoiceOf(quality),
    ...(resolution !== undefined && { resolution }),
    ...(droplets && { droplets }),
  };
}

const OBSTACLES: Readonly<Record<NonNullable<MissingParts['obstacle']>, string>> = {
  'no-counts': 'the file holds no raw counts',
  'few-cells': 'that takes at least 20 cells',
  'few-genes': 'that takes at least 20 genes',
};

/** What the file lacks and stays without, in a sentence. */
export function leftOut(
  { clusters, embedding, computable, obstacle }: MissingParts,
  compute: boolean,
): string | undefined {
  const lacking = [...(clusters ? ['clusters'] : []), ...(embedding ? ['a UMAP'] : [])].join(' and ');
  if (lacking === '') return undefined;
  if (obstacle !== undefined) return `Not computed: ${lacking}, since ${OBSTACLES[obstacle]}.`;
  if (!compute && computable.length > 0) return `Not computed, as --no-compute says: ${lacking}.`;
  return undefined;
}
