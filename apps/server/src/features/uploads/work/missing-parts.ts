import type { ProcessingRecord } from '@cellfolio/model';
import type { ImportColumns, PreflightReport } from '@cellfolio/ingest';

export type ComputedPart = ProcessingRecord['computed'][number];

/** What a file lacks, and what of it can be computed. */
export interface MissingParts {
  readonly embedding: boolean;
  readonly clusters: boolean;
  /** Parts to be computed, in the order of the work. */
  readonly computable: readonly ComputedPart[];
  /** Why nothing of what is missing can be computed, where that is so. */
  readonly obstacle?: 'no-counts' | 'few-cells' | 'few-genes';
}

/** Fewer cells have no neighbourhoods, fewer genes no trend of their variances. */
const FEWEST = 20;

/**
 * Clusters and a UMAP are computed where the file has none. Cells are taken away only where nobody chose cells
 * before: where the file has no clusters, no embedding and no cell types.
 */
export function missingParts(report: PreflightReport, columns: ImportColumns = {}): MissingParts {
  const chosen = new Map(report.roles.map((role) => [role.role, role.chosen]));
  const drawnOn = chosen.get('embedding');
  const embedding = columns.embedding === undefined && (drawnOn === undefined || !showsNeighbours(drawnOn));
  const clusters = chosen.get('cluster') === undefined;
  const untouched = clusters && drawnOn === undefined && chosen.get('cellType') === undefined;
  const obstacle = obstacleOf(report);
  if (obstacle !== undefined) return { embedding, clusters, computable: [], obstacle };
  const parts: ComputedPart[] = [];
  if (untouched) parts.push('qualityControl');
  if (clusters) parts.push('clusters');
  if (embedding) parts.push('embedding');
  return { embedding, clusters, computable: parts };
}

function obstacleOf({ expression, cells, genes }: PreflightReport): MissingParts['obstacle'] {
  if (expression.countsFrom === undefined) return 'no-counts';
  if (cells < FEWEST) return 'few-cells';
  return genes < FEWEST ? 'few-genes' : undefined;
}

/** Principal components and places in a tissue are no map of like cells. */
function showsNeighbours(embedding: string): boolean {
  return !/pca|spatial/i.test(embedding) || /umap|tsne/i.test(embedding);
}
