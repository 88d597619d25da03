import {
  openCounts,
  type DatasetAdditions,
  type ImportColumns,
  type PreflightReport,
} from '@cellfolio/ingest';
import { ProcessError, processCounts, type ProcessResult } from '@cellfolio/process';
import { computedAdditions } from './computed-additions.ts';
import type { ComputedPart } from './missing-parts.ts';
import { processingSettings } from './processing-settings.ts';
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
    const result = await processed(missing, context);
    if (result === undefined) return {};
    const additions = computedAdditions(result, parts, report);
    for (const line of told(result, parts, report)) context.log(line);
    return additions;
  } catch (error) {
    if (!(error instanceof ProcessError) || !BEARABLE.has(error.code)) throw error;
    // A file that nobody has looked at yet is worth nothing without; unless it only seemed to hold counts.
    if (parts.includes('qualityControl') && error.code !== 'not-counts') throw error;
    const lacking = new Intl.ListFormat('en-GB').format(parts.map((part) => WORDS[part]));
    return { warnings: [{ code: 'not-computed', message: `Not computed: ${lacking}. ${error.message}` }] };
  }
}

async function processed(
  { work, columns, parts }: MissingWork,
  { signal, onProgress }: WorkContext,
): Promise<ProcessResult | undefined> {
  const settings = processingSettings(work.processing, parts.includes('qualityControl'));
  const { symbol, expression } = columns;
  const counts = await openCounts(work.file.path, {
    ...(symbol !== undefined && { symbol }),
    ...(expression !== undefined && { expression }),
  });
  if (counts === undefined) return undefined;
  try {
    const result = await processCounts(
      {
        cellCount: counts.cellCount,
        geneNames: counts.geneNames,
        by: counts.by,
        blocks: counts.blocks(),
        // All values of a dense matrix would count as entries; how many are, shows while they are read.
        ...(counts.entryCount < counts.cellCount * counts.geneCount && { entryCount: counts.entryCount }),
      },
      {
        settings,
        parts: [
          ...(parts.includes('clusters') ? (['clusters'] as const) : []),
          ...(parts.includes('embedding') ? (['umap'] as const) : []),
        ],
        memoryBytes: work.memoryBytes,
        signal,
        onProgress: ({ step, fraction }) => onProgress(step, fraction),
      },
    );
    if (result.clusterCount > MOST_CLUSTERS) {
      throw new WorkFailed(
        'too_many_clusters',
        `The cells fall into ${result.clusterCount} clusters at the resolution ${settings.resolution}, and ${MOST_CLUSTERS} can be shown. Choose a smaller resolution or more neighbours and build the dataset again.`,
      );
    }
    return result;
  } finally {
    counts.close();
  }
}

function told(result: ProcessResult, parts: readonly ComputedPart[], report: PreflightReport): string[] {
  const { quality, keptCells, clusterCount, settings, components } = result;
  const { minimumCounts, minimumGenes, maximumMitochondrial } = quality.thresholds;
  const mitochondrial =
    quality.mitochondrialGenes > 0
      ? `, at most ${(100 * maximumMitochondrial).toFixed(1)} % mitochondrial`
      : '';
  const genes = result.variableGenes.reduce((sum, is) => sum + is, 0);
  return [
    ...(parts.includes('qualityControl')
      ? [
          `${whole(keptCells.length)} of ${whole(report.cells)} cells passed quality control: at least ${whole(minimumCounts)} counts and ${whole(minimumGenes)} genes${mitochondrial}.`,
        ]
      : []),
    `${whole(genes)} variable genes gave ${components} principal components.`,
    ...(parts.includes('clusters')
      ? [`${clusterCount} clusters were found at the resolution ${settings.resolution}.`]
      : []),
  ];
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}
