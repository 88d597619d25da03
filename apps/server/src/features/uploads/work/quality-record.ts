import type { ProcessingRecord } from '@cellfolio/contract';
import { countText, type Caution, type QualityRecord } from '@cellfolio/model';
import { removedText, type CellMeasures, type QualityPlan, type QualitySettings } from '@cellfolio/process';
import { plainName } from './plain-text.ts';

interface Applied {
  readonly measures: Pick<CellMeasures, 'geneCounts'>;
  readonly plan: Pick<QualityPlan, 'groups' | 'removed'>;
  readonly settings: QualitySettings;
  readonly sampleColumn?: string | undefined;
  readonly cautions: readonly Caution[];
}

/** Who is taken away by which rule, as it is told before a build and recorded after it. */
export function qualityRecord({
  measures: { geneCounts },
  plan,
  settings,
  sampleColumn,
  cautions,
}: Applied): QualityRecord {
  const { deviations, minimumCounts, minimumGenes, maximumMitochondrial } = settings;
  // A setting is recorded where a threshold came of it.
  const applied =
    minimumCounts === undefined ||
    minimumGenes === undefined ||
    (maximumMitochondrial === undefined && geneCounts.mitochondrial > 0);
  return {
    ...(applied && { deviations }),
    ...(sampleColumn !== undefined && { sampleColumn }),
    mitochondrialGenes: geneCounts.mitochondrial,
    ribosomalGenes: geneCounts.ribosomal,
    haemoglobinGenes: geneCounts.haemoglobin,
    removed: plan.removed,
    groups: plan.groups.map(({ sample, cells, removed, thresholds, pooled }) => ({
      ...(sample !== undefined && { sample: plainName(sample) }),
      cells,
      removed,
      thresholds,
      pooled,
    })),
    cautions,
  };
}

/** Lines of a log are for a person to read; all samples are in the record. */
const MOST_LINES = 30;

type Told = NonNullable<ProcessingRecord['quality']>;

/** The record in sentences, for the log of a job. */
export function qualityLines({
  removed,
  groups,
  sampleColumn,
  cautions,
}: Pick<Told, 'removed' | 'groups' | 'sampleColumn' | 'cautions'>): string[] {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const passed = `${countText(cells - removed.all)} of ${countText(cells)} cells passed quality control`;
  const [only] = groups;
  const told = cautions.map(({ message }) => message);
  if (sampleColumn === undefined || groups.length < 2) {
    return [`${passed}: ${only ? needText(only) : ''}; ${removedText(removed)}.`, ...told];
  }
  const rest = groups.length - MOST_LINES;
  return [
    `${passed}, each by the thresholds of its sample (column ${plainName(sampleColumn)}); ${removedText(removed)}.`,
    ...groups.slice(0, MOST_LINES).map((group) => {
      const whose = group.sample === undefined ? 'Without a sample' : `Sample ${group.sample}`;
      const pooled = group.pooled ? ' (thresholds of all cells, since it has fewer than 100)' : '';
      return `${whose}: ${countText(group.cells - group.removed.all)} of ${countText(group.cells)} kept, ${needText(group)}${pooled}; ${removedText(group.removed)}.`;
    }),
    ...(rest > 0 ? [`${rest} more samples are in the record of the dataset.`] : []),
    ...told,
  ];
}

function needText({ thresholds }: Told['groups'][number]): string {
  const { minimumCounts, minimumGenes, maximumMitochondrial } = thresholds;
  // What every cell has is no threshold.
  const least = [
    ...(minimumCounts > 0 ? [`${countText(minimumCounts)} counts`] : []),
    ...(minimumGenes > 0 ? [`${countText(minimumGenes)} genes`] : []),
  ];
  const needs = [
    ...(least.length > 0 ? [`at least ${least.join(' and ')}`] : []),
    ...(maximumMitochondrial === undefined
      ? []
      : [`at most ${(100 * maximumMitochondrial).toFixed(1)} % mitochondrial`]),
  ];
  return needs.length > 0 ? needs.join(', ') : 'no threshold';
}
