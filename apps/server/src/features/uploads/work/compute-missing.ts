import {
  openCounts,
  type DatasetAdditions,
  type ImportColumns,
  type PreflightReport,
} from '@cellfolio/ingest';
import {
  type Caution,
  countText,
  type ProcessingRecord,
  type QualityRecord,
  type SamplesRecord,
} from '@cellfolio/model';
import {
  ProcessError,
  processCounts,
  qualityCautions,
  removedTogether,
  type CombineOptions,
  type ProcessResult,
} from '@cellfolio/process';
import {
  combineOptions,
  sampleCautions,
  combinedLines,
  integrationLines,
  samplesRecord,
  type CombinedSamples,
} from './combined-samples.ts';
import { doubletClusters, doubletLines } from './doublet-words.ts';
import { computedAdditions } from './computed-additions.ts';
import { countMatrixOf, processingSettings, samplesAmong, samplesOf } from './processing-input.ts';
import { countsOfCells, dropletsOf, type DropletsOf } from './droplets.ts';
import type { ComputedPart } from './inspect-file.ts';
import { qualityLines, qualityRecord } from './file-quality.ts';
import { WorkFailed } from './failures.ts';
import type { BuildWork, WorkContext } from './work.ts';

interface MissingWork {
  /** `path`: of a file that datasets are read from. */
  work: Pick<BuildWork, 'processing' | 'memoryBytes'> & { path: string };
  columns: ImportColumns;
  report: PreflightReport;
  parts: readonly ComputedPart[];
  /** Set when the file was combined from several samples, or is a part of a dataset. */
  combined?: CombinedSamples | undefined;
  /** The dataset is worthless without the missing parts: a failure to compute them ends the work. */
  required?: boolean;
}

const partNames: Readonly<Record<ComputedPart, string>> = {
  qualityControl: 'quality control',
  clusters: 'clusters',
  embedding: 'a UMAP',
};
/** Maximum number of clusters that a legend or a menu can show. */
const maxClusters = 200;
/** Failures that leave a dataset with an embedding or groups of cells still useful. */
const optionalFailures = new Set(['too-large', 'too-few-cells', 'no-variable-genes', 'not-counts']);

/**
 * Computes the missing parts of a file from its raw counts. When that is impossible and the file is usable without
 * them, returns a warning. Throws ProcessError, WorkFailed, H5adError, the signal's reason.
 */
export async function computeMissing(missing: MissingWork, context: WorkContext): Promise<DatasetAdditions> {
  const { parts, report, combined, required = false } = missing;
  try {
    const outcome = await processed(missing, context);
    if (outcome === undefined) return {};
    const { result, quality, droplets, sampleColumn } = outcome;
    const cells = droplets?.cells;
    const effectiveReport = cells === undefined ? report : { ...report, cells: cells.length };
    const additions = computedAdditions(result, parts, effectiveReport, quality);
    const { batchColumn } = outcome;
    const samples =
      combined === undefined && batchColumn === undefined
        ? undefined
        : samplesRecord(result, {
            ...(combined ?? { doublets: 'keep', source: {} }),
            ...(batchColumn !== undefined && { batchColumn }),
          });
    for (const line of logLines(outcome, parts, samples)) context.log(line);
    const { mixing } = result;
    const warnings = [
      ...(additions.warnings ?? []),
      ...(samples ? sampleCautions(samples) : []),
      ...outcome.cautions,
      ...doubletClusters(result),
    ];
    return amongBarcodes({ ...additions, warnings }, droplets, {
      ...(samples && { samples }),
      ...(droplets && { droplets: droplets.record }),
      ...(mixing && sampleColumn !== undefined && { mixing: { ...mixing, column: sampleColumn } }),
    });
  } catch (error) {
    if (required || !(error instanceof ProcessError) || !optionalFailures.has(error.code)) throw error;
    // A file that nobody has looked at yet is worth nothing without; unless it only seemed to hold counts.
    if (parts.includes('qualityControl') && error.code !== 'not-counts') throw error;
    const lacking = new Intl.ListFormat('en-GB').format(parts.map((part) => partNames[part]));
    return { warnings: [{ code: 'not-computed', message: `Not computed: ${lacking}. ${error.message}` }] };
  }
}

interface Processed {
  result: ProcessResult;
  quality: QualityRecord | undefined;
  droplets: DropletsOf | undefined;
  /** Column whose mixing was measured. */
  sampleColumn: string | undefined;
  /** Column within whose values variable genes were chosen. */
  batchColumn: string | undefined;
  cautions: readonly Caution[];
}

function amongBarcodes(
  additions: DatasetAdditions,
  droplets: DropletsOf | undefined,
  more: Pick<ProcessingRecord, 'droplets' | 'mixing' | 'samples'>,
): DatasetAdditions {
  const { processing, keptCells } = additions;
  const cells = droplets?.cells;
  const barcodeRows = cells === undefined ? keptCells : (keptCells?.map((cell) => cells[cell]!) ?? cells);
  return {
    ...additions,
    ...(barcodeRows && { keptCells: barcodeRows }),
    ...(droplets && { warnings: [...droplets.cautions, ...(additions.warnings ?? [])] }),
    ...(processing && { processing: { ...processing, ...more } }),
  };
}

function amongCells(combine: CombineOptions, cells: Int32Array | undefined): CombineOptions {
  const samples = samplesAmong(combine.samples, cells);
  const batches = samplesAmong(combine.batches, cells);
  const types = samplesAmong(combine.types, cells);
  return { ...combine, ...(samples && { samples }), ...(batches && { batches }), ...(types && { types }) };
}

async function processed(
  { work, columns, parts, combined }: MissingWork,
  { signal, onProgress }: WorkContext,
): Promise<Processed | undefined> {
  const filtered = parts.includes('qualityControl');
  const { symbol, expression } = columns;
  const counts = await openCounts(work.path, {
    ...(symbol !== undefined && { symbol }),
    ...(expression !== undefined && { expression }),
  });
  if (counts === undefined) return undefined;
  try {
    const { path } = work;
    const requestedColumn = filtered ? work.processing.sampleColumn : undefined;
    const chosen = await samplesOf(path, requestedColumn);
    const droplets = filtered
      ? await dropletsOf(
          counts,
          { choice: work.processing.droplets, samples: chosen.samples },
          { signal, onProgress },
        )
      : undefined;
    const cells = countsOfCells(counts, droplets?.cells);
    const called = droplets?.record.keep === 'called';
    const settings = processingSettings(work.processing, filtered, called);
    // How samples mix is of interest also where all cells are to have the same thresholds.
    const measured = requestedColumn === null ? await samplesOf(path, undefined) : chosen;
    const samples = filtered ? samplesAmong(chosen.samples, droplets?.cells) : undefined;
    const mixing = samplesAmong(measured.samples, droplets?.cells);
    const { memoryBytes } = work;
    // Genes that differ between samples alone are not variable, as of samples that were combined.
    const batchColumn = combined?.batchColumn ?? (chosen.samples && chosen.column);
    const options = combined && (await combineOptions(path, combined));
    const batches = options?.batches ?? chosen.samples;
    const combine = amongCells({ ...options, ...(batches && { batches }) }, droplets?.cells);
    const run = (done: CombineOptions) =>
      processCounts(countMatrixOf(cells), {
        settings,
        ...(samples && { samples }),
        ...(mixing && { mixing: mixing.codes }),
        combine: done,
        parts: [
          ...(parts.includes('clusters') ? (['clusters'] as const) : []),
          ...(parts.includes('embedding') ? (['umap'] as const) : []),
        ],
        memoryBytes,
        signal,
        onProgress: ({ step, fraction }) => onProgress(step, fraction),
      });
    const { result, cautions } = await withinMemory(run, combine, combined?.doubletsByDefault === true);
    if (result.clusterCount > maxClusters) {
      throw new WorkFailed(
        'too_many_clusters',
        `The cells fall into ${result.clusterCount} clusters at the resolution ${settings.resolution}; at most ${maxClusters} can be shown. Choose a lower resolution or more neighbors and build the dataset again.`,
      );
    }
    const common = { result, droplets, sampleColumn: measured.column, batchColumn, cautions };
    if (!filtered) return { ...common, quality: undefined };
    const { quality: measures } = result;
    const { keep } = measures;
    const together = await removedTogether(countMatrixOf(cells), { measures, keep, memoryBytes, signal });
    const ofQuality = qualityCautions({
      measures,
      plan: measures,
      settings: settings.quality,
      together,
    });
    return {
      ...common,
      quality: qualityRecord({
        measures,
        plan: measures,
        settings: settings.quality,
        sampleColumn: chosen.column,
        cautions: ofQuality,
      }),
    };
  } finally {
    counts.close();
  }
}

/** Skips default doublet detection, with a caution, when memory does not suffice. */
async function withinMemory(
  run: (combine: CombineOptions) => Promise<ProcessResult>,
  combine: CombineOptions,
  doubletsByDefault: boolean,
): Promise<{ result: ProcessResult; cautions: readonly Caution[] }> {
  try {
    return { result: await run(combine), cautions: [] };
  } catch (error) {
    const isTooLarge = error instanceof ProcessError && error.code === 'too-large';
    if (!isTooLarge || !doubletsByDefault || combine.doublets === undefined) throw error;
    const { doublets: _, samples: __, ...without } = combine;
    const message = `Doublets were not detected. ${error.message}`;
    return { result: await run(without), cautions: [{ code: 'doublets-not-sought', message }] };
  }
}

function logLines(
  { result, quality, droplets }: Processed,
  parts: readonly ComputedPart[],
  samples: SamplesRecord | undefined,
): string[] {
  const { clusterCount, settings, components, varianceShares } = result;
  const explainedShare = varianceShares.reduce((sum, share) => sum + share, 0);
  const genes = result.variableGenes.reduce((sum, is) => sum + is, 0);
  const batch = samples?.batchColumn;
  const within = batch === undefined ? '' : `, chosen within each ${batch},`;
  return [
    ...(samples === undefined ? [] : combinedLines(samples)),
    ...(droplets?.cautions ?? []).map(({ message }) => message),
    ...(quality === undefined ? [] : qualityLines(quality)),
    ...doubletLines(samples?.doublets),
    `${countText(genes)} variable genes${within} gave ${components} principal components, which explain ${(100 * explainedShare).toFixed(1)} % of their variance.`,
    ...(parts.includes('clusters')
      ? [`${clusterCount} clusters were found at the resolution ${settings.resolution}.`]
      : []),
    ...(samples === undefined ? [] : integrationLines(samples, result)),
  ];
}
