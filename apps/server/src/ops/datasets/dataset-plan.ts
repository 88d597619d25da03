import type { QualityPlan } from '@cellfolio/contract';
import { countText, type ProcessingRecord } from '@cellfolio/model';
import {
  type BuildWork,
  type MissingParts,
  openFile,
  type OpenedFile,
  planFileQuality,
  qualityLines,
  samplesOf,
  type WorkContext,
} from '../../features/uploads/index.ts';
import { CommandFailure, exitCode } from '../command.ts';
import { type ComputeOptions, qualityOf, samplesChoiceOf } from './compute-options.ts';

const obstacles: Readonly<Record<NonNullable<MissingParts['obstacle']>, string>> = {
  'no-counts': 'the file has no raw counts',
  'fractional-counts': 'its counts have fractions: round them first (np.rint, or roundToInt of SoupX)',
  'few-cells': 'at least 20 cells are required',
  'few-genes': 'at least 20 genes are required',
};

function notComputed(
  { clusters, embedding, computable, obstacle }: MissingParts,
  { compute }: ComputeOptions,
): string[] {
  const lacking = [...(clusters ? ['clusters'] : []), ...(embedding ? ['a UMAP'] : [])].join(' and ');
  if (lacking === '') return [];
  if (obstacle !== undefined) return [`Not computed: ${lacking}, since ${obstacles[obstacle]}.`];
  if (!compute && computable.length > 0) return [`Not computed because of --no-compute: ${lacking}.`];
  return [];
}

const alreadyFiltered =
  'No cell is removed: the file has clusters, cell types or an embedding, so its cells are already filtered.';

/** Options that do not apply to a file, and what it lacks still. */
export function unusedLines({ missing }: OpenedFile, options: ComputeOptions): string[] {
  const isChosen = Object.keys({ ...qualityOf(options), ...samplesChoiceOf(options) }).length > 0;
  const isFiltered = missing.obstacle === undefined && !missing.computable.includes('qualityControl');
  return [...notComputed(missing, options), ...(isChosen && isFiltered ? [alreadyFiltered] : [])];
}

export interface Planned extends OpenedFile {
  quality?: QualityPlan;
  lines: readonly string[];
}

/** Finds the cells that an import would remove; writes nothing. Throws H5adError, WorkFailed, the signal's reason. */
export async function planDataset(
  work: BuildWork,
  options: ComputeOptions,
  context: WorkContext,
  check: (opened: OpenedFile) => void,
): Promise<Planned> {
  const opened = await openFile(work, context);
  check(opened);
  const { missing, readable, report } = opened;
  const lines = notComputed(missing, options);
  const planned = (more: readonly string[]) => ({ ...opened, lines: [...lines, ...more] });
  if (options.keepAllCells || !options.compute || missing.obstacle !== undefined)
    return planned(['No cell is removed.']);
  if (!missing.computable.includes('qualityControl')) return planned([alreadyFiltered]);
  const file = { ...work.file, path: readable.path };
  const { sampleColumn } = work.processing;
  // An inspection ignores a missing column; an import refuses it.
  if (typeof sampleColumn === 'string') await samplesOf(file.path, sampleColumn);
  const { plan, note, noCounts } = await planFileQuality({ ...work, kind: 'inspect', file }, report, context);
  const more = [
    ...(noCounts === true ? ['The values are not counts, so no cell is removed.'] : []),
    ...(note === undefined ? [] : [note]),
    ...(plan === undefined ? [] : planLines(plan)),
  ];
  return { ...planned(more), ...(plan && { quality: plan }) };
}

/** Empty droplets come first, as they are removed before quality control. */
function planLines(plan: QualityPlan): string[] {
  const droplets = plan.cautions.filter(({ code }) => code.startsWith('empty-droplets'));
  const cautions = plan.cautions.filter((caution) => !droplets.includes(caution));
  return [...droplets.map(({ message }) => message), ...qualityLines({ ...plan, cautions })];
}

/** Throws CommandFailure when the defaults would remove cells that are close together, perhaps a population. */
export function refuseRemovedPopulation(
  shown: string,
  options: ComputeOptions,
  quality: ProcessingRecord['quality'],
): void {
  const caution = quality?.cautions.find(({ code }) => code === 'removed-cells-together');
  if (quality === undefined || caution === undefined || Object.keys(qualityOf(options)).length > 0) return;
  const cells = quality.groups.reduce((sum, group) => sum + group.cells, 0);
  throw new CommandFailure(
    exitCode.usage,
    `${shown}: quality control with its defaults would remove ${countText(quality.removed.all)} of ${countText(cells)} cells. ${caution.message} Nothing was added. List the cells with --dry-run, then choose: --keep-all-cells, --min-counts, --min-genes, --max-mitochondrial, --sample-column, or --deviations (${quality.deviations} accepts the default).`,
  );
}
