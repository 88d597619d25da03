import type { DatasetAdditions, PreflightReport } from '@cellfolio/ingest';
import {
  type Column,
  type Embedding,
  integrationMethods,
  mapNumbersOf,
  type ProcessingRecord,
  type QualityRecord,
} from '@cellfolio/model';
import { processingMethods, type ProcessResult } from '@cellfolio/process';
import type { ComputedPart } from './inspect-file.ts';

/**
 * The computed parts that the file lacked, under scanpy's names. With quality control the failing cells are removed;
 * without it all stay, and a cell without any counts has neither cluster nor coordinates.
 */
export function computedAdditions(
  result: ProcessResult,
  parts: readonly ComputedPart[],
  report: PreflightReport,
  quality: QualityRecord | undefined,
): DatasetAdditions {
  const filtered = parts.includes('qualityControl');
  const cellCount = filtered ? result.keptCells.length : report.cells;
  const rows = filtered ? result.keptCells.map((_, row) => row) : result.keptCells;
  const columns = new Set(report.columns.map(({ name }) => name));
  const embeddings = new Set(report.format.embeddings.map(({ name }) => name));

  const obs = new Map<string, Column>();
  if (filtered) {
    for (const [name, column] of qualityColumns(result)) if (!columns.has(name)) obs.set(name, column);
  }
  const { clusters, clusterCount, umap } = result;
  if (clusters !== undefined)
    obs.set(freeName('leiden', columns), clusterColumn({ clusters, clusterCount }, rows, cellCount));
  for (const { resolution, ...further } of result.clusterings ?? [])
    obs.set(freeName(`leiden_${resolution}`, columns), clusterColumn(further, rows, cellCount));
  for (const [name, column] of doubletColumns(result, rows, cellCount))
    obs.set(freeName(name, columns), column);
  const obsm: Embedding[] = [];
  const { integration } = result;
  if (umap !== undefined) {
    obsm.push({
      name: freeName('X_umap', embeddings),
      dimensions: 2,
      values: placed({ values: umap, width: 2 }, rows, cellCount),
    });
  }
  if (integration?.umapBefore !== undefined) {
    obsm.push({
      name: freeName('X_umap_unintegrated', embeddings),
      dimensions: 2,
      values: placed({ values: integration.umapBefore, width: 2 }, rows, cellCount),
    });
  }
  const { pca, components } = result;
  if (integration !== undefined) {
    obsm.push({
      name: freeName(integrationMethods[integration.run.method].embedding, embeddings),
      dimensions: components,
      values: placed({ values: integration.pca, width: components }, rows, cellCount),
    });
  }
  if (!embeddings.has('X_pca')) {
    obsm.push({
      name: 'X_pca',
      dimensions: components,
      values: placed({ values: pca, width: components }, rows, cellCount),
    });
  }
  return {
    ...(filtered && result.keptCells.length < report.cells && { keptCells: result.keptCells }),
    obs,
    var: new Map([['highly_variable', { kind: 'boolean', values: result.variableGenes }]]),
    obsm,
    ...(quality !== undefined && { warnings: quality.cautions }),
    processing: recordOf(result, parts, { quality, before: report.cells, after: cellCount }),
  };
}

function recordOf(
  {
    variableGenes,
    components,
    varianceShares,
    neighbourRecall,
    clusterCount,
    settings,
    computedBy,
  }: ProcessResult,
  computed: readonly ComputedPart[],
  { quality, ...cells }: { quality: QualityRecord | undefined; before: number; after: number },
): ProcessingRecord {
  return {
    computedBy,
    methods: processingMethods,
    computed: [...computed],
    cellsBefore: cells.before,
    cellsKept: cells.after,
    ...(quality !== undefined && { quality }),
    ...(quality?.groups.length === 1 && { thresholds: quality.groups[0]!.thresholds }),
    ...mapNumbersOf(settings),
    variableGenes: variableGenes.reduce((sum, is) => sum + is, 0),
    components,
    varianceShares: Array.from(varianceShares, (share) => Number(share.toPrecision(4))),
    ...(neighbourRecall && { neighbourRecall }),
    clusterCount,
  };
}

const shareColumns = [
  ['pct_counts_mt', 'mitochondrial'],
  ['pct_counts_ribo', 'ribosomal'],
  ['pct_counts_hb', 'haemoglobin'],
] as const;

/** Named and measured as in scanpy's `calculate_qc_metrics`, for the remaining cells. */
function qualityColumns({ quality, keptCells }: ProcessResult): [string, Column][] {
  const keptValues = (values: ArrayLike<number>) => Float64Array.from(keptCells, (cell) => values[cell]!);
  const columns: [string, Column][] = [
    ['total_counts', { kind: 'numeric', dtype: 'float64', values: keptValues(quality.counts) }],
    [
      'n_genes_by_counts',
      { kind: 'numeric', dtype: 'int32', values: Int32Array.from(keptValues(quality.genes)) },
    ],
  ];
  for (const [name, kind] of shareColumns) {
    if (quality.geneCounts[kind] === 0) continue;
    const percent = keptValues(quality[kind]).map((share) => 100 * share);
    columns.push([name, { kind: 'numeric', dtype: 'float64', values: percent }]);
  }
  return columns;
}

/** Named as in scanpy's `scrublet`; a cell without a score is not called. */
function doubletColumns(
  { doublets, keptCells }: ProcessResult,
  rows: Int32Array,
  cellCount: number,
): [string, Column][] {
  if (doublets === undefined) return [];
  const scores = new Float64Array(cellCount).fill(NaN);
  const called = new Uint8Array(cellCount);
  for (const [position, row] of rows.entries()) {
    scores[row] = doublets.scores[keptCells[position]!]!;
    called[row] = doublets.called[keptCells[position]!]!;
  }
  return [
    ['doublet_score', { kind: 'numeric', dtype: 'float64', values: scores }],
    ['predicted_doublet', { kind: 'boolean', values: called }],
  ];
}

function clusterColumn(
  { clusters, clusterCount }: { clusters: Int32Array; clusterCount: number },
  rows: Int32Array,
  cellCount: number,
): Column {
  const codes = (clusterCount <= 128 ? new Int8Array(cellCount) : new Int16Array(cellCount)).fill(-1);
  rows.forEach((row, position) => (codes[row] = clusters[position]!));
  return {
    kind: 'categorical',
    codes,
    categories: Array.from({ length: clusterCount }, (_, cluster) => String(cluster)),
    categoryType: 'string',
    ordered: false,
  };
}

/** Coordinates at the rows of their cells; NaN for the other cells. */
function placed(
  { values, width }: { values: Float32Array; width: number },
  rows: Int32Array,
  cellCount: number,
): Float32Array {
  if (rows.length === cellCount) return values;
  const all = new Float32Array(cellCount * width).fill(NaN);
  rows.forEach((row, position) =>
    all.set(values.subarray(position * width, (position + 1) * width), row * width),
  );
  return all;
}

/** The name, or the name with the first free number: columns of a file are never overwritten. */
function freeName(name: string, usedNames: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; usedNames.has(free); number++) free = `${name}_${number}`;
  return free;
}
