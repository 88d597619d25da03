import { countText, type Caution, type QualityRecord, type QualitySettings } from '@cellfolio/model';
import type { ProcessingChoice, QualityChoice, QualityPlan, ProcessingRecord } from '@cellfolio/contract';
import { openCounts, type PreflightReport, type RawCounts } from '@cellfolio/ingest';
import {
  measureCounts,
  planQuality,
  ProcessError,
  qualityCautions,
  qualityHistograms,
  removedTogether,
  type CellMeasures,
  type QualityPlan as AppliedPlan,
  removedText,
} from '@cellfolio/process';
import {
  countMatrixOf,
  processingOf,
  processingSettings,
  samplesAmong,
  readFileSamples,
  type SamplesOf,
} from './processing-input.ts';
import { countsOfCells, dropletsOf, type DropletsOf } from './droplets.ts';
import { plainName } from './failures.ts';
import type { InspectWork, WorkContext } from './work.ts';

/** Result of planning: a plan, or a sentence with the reason for its absence. */
export interface FileQuality {
  plan?: QualityPlan;
  note?: string;
  /** The values are not counts, so there is nothing to control. */
  noCounts?: boolean;
}

/**
 * The counts are read up to five times, at about ten million entries per second, within the twenty minutes of an
 * inspection.
 */
const maxEntries = 4e8;
const notPlanned = 'The cells that quality control would remove were not computed before the build';
const shownLater = 'The log of the build lists them.';
const bytesPerCell = 64;
/** Maximum number of samples with histograms: they are for display, and sent with each response. */
export const maxHistograms = 24;
const maxColumns = 200;

/**
 * Plans which cells a build with the chosen settings would remove, and how all cells are distributed. Reads the counts
 * once, and again when cells would be removed, to see whether they cluster. Throws H5adError; the signal's reason.
 */
export async function planFileQuality(
  work: InspectWork,
  report: PreflightReport,
  { signal, onProgress }: WorkContext,
): Promise<FileQuality> {
  const { file, columns = {}, memoryBytes = Infinity } = work;
  const processing = processingOf(work);
  const { expression } = columns;
  const role = report.roles.find((one) => one.role === 'symbol');
  const symbolColumns = [...(role?.alternatives ?? []), ...(role?.chosen === undefined ? [] : [role.chosen])];
  // A column that this file has not is found anew.
  const symbol = symbolColumns.find((name) => name === columns.symbol);
  const counts = await openCounts(file.path, {
    ...(symbol !== undefined && { symbol }),
    ...(expression !== undefined && { expression }),
  });
  if (counts === undefined) return {};
  try {
    const note = skipReason(counts, memoryBytes);
    if (note !== undefined) return { note };
    const samples = await readFileSamples(file.path, processing.sampleColumn);
    const droplets = await dropletsOf(
      counts,
      { choice: processing.droplets, samples: samples.samples },
      { signal, onProgress },
    );
    const cells = countsOfCells(counts, droplets?.cells);
    const measures = await measureCounts(countMatrixOf(cells), {
      signal,
      onProgress: (fraction) => onProgress('Measuring the cells', 0.1 + 0.5 * fraction),
    });
    const called = droplets?.record.keep === 'called';
    const { quality } = processingSettings(processing, true, called);
    const plan = planQuality(measures, quality, samplesAmong(samples.samples, droplets?.cells));
    onProgress('Comparing the cells that would go', 0.6);
    const together = await removedTogether(countMatrixOf(cells), {
      measures,
      keep: plan.keep,
      memoryBytes,
      signal,
    });
    const cautions = qualityCautions({ measures, plan, settings: quality, together });
    return {
      // As it was asked for: what is found by itself is no choice.
      plan: planOf(
        { processing: work.processing ?? {}, symbol, expression },
        { measures, plan, samples, droplets, cautions },
      ),
    };
  } catch (error) {
    if (error instanceof ProcessError && error.code === 'not-counts') return { noCounts: true };
    throw error;
  } finally {
    counts.close();
  }
}

export function skipReason(
  { entryCount, cellCount }: Pick<RawCounts, 'entryCount' | 'cellCount'>,
  memoryBytes: number,
): string | undefined {
  if (entryCount > maxEntries)
    return `${notPlanned}: the matrix has ${countText(entryCount)} entries, more than ${countText(maxEntries)}. ${shownLater}`;
  const bytes = cellCount * bytesPerCell;
  if (bytes > memoryBytes)
    return `${notPlanned}: ${countText(cellCount)} cells need ${countText(Math.ceil(bytes / 1e6))} MB of memory, and there are ${countText(Math.floor(memoryBytes / 1e6))} MB. ${shownLater}`;
  return undefined;
}

interface QualityFindings {
  measures: CellMeasures;
  plan: AppliedPlan;
  samples: SamplesOf;
  droplets: DropletsOf | undefined;
  cautions: ReturnType<typeof qualityCautions>;
}

function planOf(
  {
    processing,
    symbol,
    expression,
  }: { processing: ProcessingChoice } & Pick<QualityChoice, 'symbol' | 'expression'>,
  { measures, plan, samples, droplets, cautions }: QualityFindings,
): QualityPlan {
  const { deviations, minimumCounts, minimumGenes, maximumMitochondrial, sampleColumn } = processing;
  const { quality } = processingSettings(processing, true, droplets?.record.keep === 'called');
  const record = qualityRecord({
    measures,
    plan,
    settings: quality,
    sampleColumn: samples.column,
    cautions,
  });
  const { edges, groups: bins } = qualityHistograms(measures, plan);
  const largest = new Set(
    Array.from(plan.groups.keys())
      .toSorted((a, b) => plan.groups[b]!.cells - plan.groups[a]!.cells)
      .slice(0, maxHistograms),
  );
  return {
    choice: {
      ...(symbol !== undefined && { symbol }),
      ...(expression !== undefined && { expression }),
      ...(processing.droplets !== undefined && { droplets: processing.droplets }),
      ...(deviations !== undefined && { deviations }),
      ...(minimumCounts !== undefined && { minimumCounts }),
      ...(minimumGenes !== undefined && { minimumGenes }),
      ...(maximumMitochondrial !== undefined && { maximumMitochondrial }),
      // A column that this file has not is found anew.
      ...((sampleColumn === null || sampleColumn === samples.column) && { sampleColumn }),
    },
    ...(droplets && { droplets: { ...droplets.record, curve: droplets.curve } }),
    cells: plan.keep.length,
    ...(samples.column !== undefined && { sampleColumn: samples.column }),
    sampleColumns: samples.columns.filter((name) => name.length <= 1000).slice(0, maxColumns),
    mitochondrialGenes: record.mitochondrialGenes,
    ribosomalGenes: record.ribosomalGenes,
    haemoglobinGenes: record.haemoglobinGenes,
    removed: record.removed,
    edges: {
      counts: [...edges.counts],
      genes: [...edges.genes],
      mitochondrial: [...edges.mitochondrial],
    },
    groups: plan.groups.map(({ sample, cells, removed, thresholds, pooled, spreads }, group) => ({
      ...(sample !== undefined && { sample: plainName(sample) }),
      cells,
      removed,
      thresholds,
      pooled,
      spreads,
      ...(largest.has(group) && {
        bins: {
          counts: [...bins[group]!.counts],
          genes: [...bins[group]!.genes],
          mitochondrial: [...bins[group]!.mitochondrial],
        },
      }),
    })),
    cautions: [...(droplets?.cautions ?? []), ...cautions],
  };
}

interface Applied {
  measures: Pick<CellMeasures, 'geneCounts'>;
  plan: Pick<AppliedPlan, 'groups' | 'removed'>;
  settings: QualitySettings;
  sampleColumn?: string | undefined;
  cautions: readonly Caution[];
}

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

/** Maximum lines for a person to read in a log; all samples are in the record. */
const maxLogLines = 30;

type StoredQuality = NonNullable<ProcessingRecord['quality']>;

export function qualityLines({
  removed,
  groups,
  sampleColumn,
  cautions,
}: Pick<StoredQuality, 'removed' | 'groups' | 'sampleColumn' | 'cautions'>): string[] {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const passed = `${countText(cells - removed.all)} of ${countText(cells)} cells passed quality control`;
  const [only] = groups;
  const planOf = cautions.map(({ message }) => message);
  if (sampleColumn === undefined || groups.length < 2) {
    return [`${passed}: ${only ? needText(only) : ''}; ${removedText(removed)}.`, ...planOf];
  }
  const rest = groups.length - maxLogLines;
  return [
    `${passed}, each by the thresholds of its sample (column ${plainName(sampleColumn)}); ${removedText(removed)}.`,
    ...groups.slice(0, maxLogLines).map((group) => {
      const sampleLabel = group.sample === undefined ? 'Without a sample' : `Sample ${group.sample}`;
      const pooled = group.pooled ? ' (thresholds of all cells, since it has fewer than 100)' : '';
      return `${sampleLabel}: ${countText(group.cells - group.removed.all)} of ${countText(group.cells)} pass quality control, ${needText(group)}${pooled}; ${removedText(group.removed)}.`;
    }),
    ...(rest > 0 ? [`${rest} more samples are in the record of the dataset.`] : []),
    ...planOf,
  ];
}

function needText({ thresholds }: StoredQuality['groups'][number]): string {
  const { minimumCounts, minimumGenes, maximumMitochondrial } = thresholds;
  // What every cell has is no threshold.
  const minimums = [
    ...(minimumCounts > 0 ? [`${countText(minimumCounts)} counts`] : []),
    ...(minimumGenes > 0 ? [`${countText(minimumGenes)} genes`] : []),
  ];
  const needs = [
    ...(minimums.length > 0 ? [`at least ${minimums.join(' and ')}`] : []),
    ...(maximumMitochondrial === undefined
      ? []
      : [`at most ${(100 * maximumMitochondrial).toFixed(1)} % mitochondrial`]),
  ];
  return needs.length > 0 ? needs.join(', ') : 'no threshold';
}
