import {
  openCounts,
  type DatasetAdditions,
  type ImportColumns,
  type PreflightReport,
} from '@cellfolio/ingest';
import type { QualityRecord } from '@cellfolio/model';
import {
  ProcessError,
  processCounts,
  qualityCautions,
  removedTogether,
  type ProcessResult,
} from '@cellfolio/process';
import { computedAdditions } from './computed-additions.ts';
import { countMatrixOf } from './count-matrix-of.ts';
import type { ComputedPart } from './missing-parts.ts';
import { processingSettings } from './processing-settings.ts';
import { qualityLines, qualityRecord } from './quality-record.ts';
import { samplesOf } from './samples-of.ts';
import { WorkFailed } from './work-failed.ts';
import type { BuildWork, WorkContext } from './work.ts';

export interface MissingWork {
  readonly work: BuildWork;
  readonly columns: ImportColumns;
  readonly report: PreflightReport;
  readonly parts: readonly ComputedPart[];
}

const WORDS: Readonly<Record<ComputedPart, string>> = {
  qualityControl: 'quality control',
  clusters: 'clusters',
  embedding: 'a UMAP',
};
/** As many clusters as a legend or a menu can show; more would be no clusters for the rest of the app. */
const MOST_CLUSTERS = 200;
/** Without these results a dataset with an embedding or with groups of cells is still worth having. */
const BEARABLE = new Set(['too-large', 'too-few-cells', 'no-variable-genes', 'not-counts']);

/**
 * Computes what a file lacks, from its raw counts. Where that cannot be done and the file can be explored without,
 * what comes back is a warning. Throws ProcessError, WorkFailed, H5adError, the signal's reason.
 */
export async function computeMissing(missing: MissingWork, context: WorkContext): Promise<DatasetAdditions> {
  const { parts, report } = missing;
  try {
    const found = await processed(missing, context);
    if (found === undefined) return {};
    const { result, quality } = found;
    const additions = computedAdditions(result, parts, report, quality);
    for (const line of told(found, parts)) context.log(line);
    return additions;
  } catch (error) {
    if (!(error instanceof ProcessError) || !BEARABLE.has(error.code)) throw error;
    // A file that nobody has looked at yet is worth nothing without; unless it only seemed to hold counts.
    if (parts.includes('qualityControl') && error.code !== 'not-counts') throw error;
    const lacking = new Intl.ListFormat('en-GB').format(parts.map((part) => WORDS[part]));
    return { warnings: [{ code: 'not-computed', message: `Not computed: ${lacking}. ${error.message}` }] };
  }
}

interface Processed {
  readonly result: ProcessResult;
  readonly quality: QualityRecord | undefined;
}

async function processed(
  { work, columns, parts }: MissingWork,
  { signal, onProgress }: WorkContext,
): Promise<Processed | undefined> {
  const filtered = parts.includes('qualityControl');
  const settings = processingSettings(work.processing, filtered);
  const { symbol } = columns;
  const counts = await openCounts(work.file.path, symbol === undefined ? {} : { symbol });
  if (counts === undefined) return undefined;
  try {
    const { column, samples } = filtered
      ? await samplesOf(work.file.path, work.processing.sampleColumn)
      : { column: undefined, samples: undefined };
    const { memoryBytes } = work;
    const result = await processCounts(countMatrixOf(counts), {
      settings,
      ...(samples && { samples }),
      parts: [
        ...(parts.includes('clusters') ? (['clusters'] as const) : []),
        ...(parts.includes('embedding') ? (['umap'] as const) : []),
      ],
      memoryBytes,
      signal,
      onProgress: ({ step, fraction }) => onProgress(step, fraction),
    });
    if (result.clusterCount > MOST_CLUSTERS) {
      throw new WorkFailed(
        'too_many_clusters',
        `The cells fall into ${result.clusterCount} clusters at the resolution ${settings.resolution}, and ${MOST_CLUSTERS} can be shown. Choose a smaller resolution or more neighbours and build the dataset again.`,
      );
    }
    if (!filtered) return { result, quality: undefined };
    const { quality: measures } = result;
    const { keep, removed } = measures;
    const together = await removedTogether(countMatrixOf(counts), { measures, keep, memoryBytes, signal });
    const cautions = qualityCautions(measures, removed.all, together);
    const { deviations } = settings.quality;
    return {
      result,
      quality: qualityRecord({ measures, plan: measures, deviations, sampleColumn: column, cautions }),
    };
  } finally {
    counts.close();
  }
}

function told({ result, quality }: Processed, parts: readonly ComputedPart[]): string[] {
  const { clusterCount, settings, components } = result;
  const genes = result.variableGenes.reduce((sum, is) => sum + is, 0);
  return [
    ...(quality === undefined ? [] : qualityLines(quality)),
    `${whole(genes)} variable genes gave ${components} principal components.`,
    ...(parts.includes('clusters')
      ? [`${clusterCount} clusters were found at the resolution ${settings.resolution}.`]
      : []),
  ];
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}
