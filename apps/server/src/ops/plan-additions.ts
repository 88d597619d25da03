import type { QualityPlan } from '@cellfolio/contract';
import { inspectH5ad, type PreflightReport } from '@cellfolio/ingest';
import { CHOSEN_BEFORE } from './quality-options.ts';
import { leftOut, processingOf, type ComputeTask } from './compute-additions.ts';
import {
  missingParts,
  planFileQuality,
  qualityLines,
  samplesOf,
  type WorkContext,
} from '../features/uploads/index.ts';

/** What an import would find and take away. */
export interface Planned {
  readonly report: PreflightReport;
  readonly quality?: QualityPlan;
  readonly lines: readonly string[];
}

/**
 * Which cells an import would take away, told by what inspects uploads. Writes nothing. Throws H5adError, WorkFailed,
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
  if (!missing.computable.includes('qualityControl')) return { report, lines: [...lines, CHOSEN_BEFORE] };
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
