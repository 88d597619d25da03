import {
  type CatalogueEntry,
  type CategoricalColumn,
  type ColumnRoles,
  type Caution,
  cutText,
  type Embedding,
  type ExpressionSource,
  isCategorical,
  noCountsUsed,
  type ProteinScale,
  scaledValues,
  pluralWord,
  plural,
} from '@cellfolio/model';
import type { DatasetManifest, DatasetWriter, MatrixShape } from '@cellfolio/store';
import { type Candidate, contentOf } from './expression/candidates.ts';
import { ConvertedMatrix, toNatural } from './transpose/matrix-views.ts';
import { readFileGraph } from './graph/read-file-graph.ts';
import type { ElementType } from './hdf5/element-type.ts';
import type { ProteinMatrix } from './proteins/find-proteins.ts';
import { maxDimensions } from './carried/find-carried.ts';
import { leftOutText } from './carried/plan-carried.ts';
import { writeCarried } from './carried/write-carried.ts';
import { readProteins } from './proteins/read-proteins.ts';
import { correctedCautions, fractionalCounts, fractionCautions } from './expression/scale-cautions.ts';
import { SampleMismatch, readCandidate, type ReadWork } from './read-candidate.ts';
import type { ExpressionChoice } from './expression/choose-expression.ts';
import { carriedParts, finite, type Preflight, sampledMissing } from './read-preflight.ts';
import { zeroCaution } from './roles/detect-embedding.ts';
import type { PreflightReport } from './preflight-report.ts';
import type { GeneMajorMatrix } from './transpose/gene-major-matrix.ts';
import { areCounts, type ValueStatistics } from './transpose/value-statistics.ts';

interface DatasetWork extends ReadWork {
  preflight: Preflight;
  writer: DatasetWriter;
  catalogue: CatalogueEntry;
}

/** Bounds the message: paths of a file may have any length. */
const maxFaultLength = 300;

/** Streams the chosen matrices and tables into the writer and publishes it. Throws SampleMismatch, H5adError. */
export async function writeDataset(
  work: DatasetWork,
): Promise<{ manifest: DatasetManifest; report: PreflightReport }> {
  const { file, preflight, writer, onProgress, signal } = work;
  const { choice } = preflight;
  const { taken, counts } = choice;
  // What was said of a sample is said of all values instead.
  const warnings = preflight.report.warnings.filter(
    ({ code }) => code !== sampledMissing && code !== fractionalCounts && code !== scaledValues,
  );
  const statistics = await writeExpression(work, choice, warnings);
  const hasCounts =
    counts === taken || (counts !== undefined && (await writeOtherCounts(work, counts, warnings)));
  onProgress({ stage: 'tables', done: 0, total: 1 });
  await writer.obs(preflight.obs.table);
  await writer.var(preflight.genes.table);
  const leftEmbeddings = await writeEmbeddings(preflight, writer, work.memoryBudget, warnings);
  const scale = preflight.proteins && (await writeProteins(work, preflight.proteins, warnings));
  await writeGraph(work, warnings);
  if (preflight.assets.length > 0) await writer.assets(preflight.assets);
  const carried = preflight.carriedWithout(leftEmbeddings);
  const unread = await writeCarried(carried, work.additions, writer);
  const carriedReport = {
    carried: carriedParts(carried, unread),
    notKept: [...preflight.report.notKept, ...unread.map(leftOutText)],
  };
  file.assertUnchanged();
  signal?.throwIfAborted();
  const expression = { ...choice.source, hasCounts };
  const roles = rolesOf(preflight);
  const { processing } = work.additions;
  const manifest = await writer.publish({
    catalogue: work.catalogue,
    roles,
    expression,
    warnings,
    ...(processing && { processing }),
    ...(preflight.report.otherFeatures.length > 0 && { otherFeatures: preflight.report.otherFeatures }),
    ...(preflight.report.organism && { organism: preflight.report.organism }),
  });
  onProgress({ stage: 'tables', done: 1, total: 1 });
  const report = finalReport(preflight.report, expression, statistics, warnings);
  const { proteins } = report;
  return {
    manifest,
    report: {
      ...report,
      ...carriedReport,
      ...(proteins && scale && { proteins: { ...proteins, scale } }),
    },
  };
}

async function writeExpression(
  work: DatasetWork,
  { taken, source }: ExpressionChoice,
  warnings: Caution[],
): Promise<ValueStatistics> {
  const normalise = source.state === 'normalised-here';
  const matrix = await readCandidate(work, taken, normalise);
  const convert = toNatural.get(source.scale?.read ?? 'unknown');
  try {
    if (contentOf(matrix.statistics, taken.evidence) !== taken.content) {
      throw new SampleMismatch(work.preflight.matrices, taken.layout.path, matrix.statistics);
    }
    warnings.push(...valueWarnings(matrix.statistics, taken.layout));
    const { path } = taken.layout;
    const read = source.scale?.read ?? 'unknown';
    const { cells, genes } = work.preflight.report;
    warnings.push(
      ...fractionCautions(path, read, matrix.statistics),
      ...correctedCautions(path, read, matrix.statistics, cells * genes),
    );
    const expression = convert === undefined ? matrix : new ConvertedMatrix(matrix, convert);
    await writeMatrix(work, expression, taken, 'X');
    if (normalise) await writeMatrix(work, matrix, taken, 'layers/counts');
    const { statistics } = matrix;
    return convert === undefined || statistics.entries === 0
      ? statistics
      : {
          ...statistics,
          minimum: convert(statistics.minimum),
          maximum: convert(statistics.maximum),
        };
  } finally {
    await matrix.close();
  }
}

async function writeProteins(
  work: DatasetWork,
  proteinSource: ProteinMatrix,
  warnings: Caution[],
): Promise<ProteinScale> {
  const proteins = await readProteins(work, proteinSource);
  try {
    const { scale, names, cautions } = proteins;
    const write = await work.writer.proteins({ scale, names, cells: work.preflight.obs.table.index });
    await proteins.each(write);
    warnings.push(...cautions);
    return scale;
  } finally {
    await proteins.close();
  }
}

/** Keeps the counts of a matrix other than the expression's. False if they turn out not to be counts. */
async function writeOtherCounts(work: DatasetWork, counts: Candidate, warnings: Caution[]): Promise<boolean> {
  const matrix = await readCandidate(work, counts, false);
  try {
    if (areCounts(matrix.statistics)) {
      await writeMatrix(work, matrix, counts, 'layers/counts');
      return true;
    }
    warnings.push({
      code: noCountsUsed,
      message: `${counts.layout.path} was left out: some of its values are not whole counts.`,
    });
    return false;
  } finally {
    await matrix.close();
  }
}

async function writeMatrix(
  { writer, preflight, signal, onProgress }: DatasetWork,
  matrix: GeneMajorMatrix,
  { layout: { data } }: Candidate,
  path: 'X' | 'layers/counts',
): Promise<void> {
  const { cells: cellCount, genes: geneCount } = preflight.report;
  const total = matrix.statistics.entries;
  const stage = path === 'X' ? 'write' : 'counts';
  const asCounts = path === 'layers/counts';
  const valueType = asCounts ? countType(data.type, matrix) : 'float32';
  onProgress({ stage, done: 0, total });
  const shape = { cellCount, geneCount, indptr: matrix.indptr, valueType } as const;
  const target = await writer.matrix(path, shape, asCounts ? new Map() : groupColumns(preflight));
  await matrix.write(asCounts ? 'counts' : 'expression', target, {
    signal,
    onWritten: (done) => onProgress({ stage, done, total }),
  });
}

/** The smallest number type, of the file's kind, that holds all counts of a matrix. */
function countType(type: ElementType, { statistics, wide }: GeneMajorMatrix): MatrixShape['valueType'] {
  if (type.kind === 'number' && /int/.test(type.dtype)) {
    if (statistics.maximum < 2 ** 31) return 'int32';
    if (statistics.maximum < 2 ** 32) return 'uint32';
  }
  return wide ? 'float64' : 'float32';
}

/** Columns whose groups users compare: those with a role, then all others. */
function groupColumns({ obs }: Preflight): Map<string, CategoricalColumn> {
  const { cellType, cluster, patient } = obs.chosen;
  const names = [cellType, cluster, patient, ...obs.table.columns.keys()];
  const categoricals = new Map<string, CategoricalColumn>();
  for (const name of names) {
    const column = name === undefined ? undefined : obs.table.columns.get(name);
    if (name !== undefined && isCategorical(column)) categoricals.set(name, column);
  }
  return categoricals;
}

function valueWarnings(
  { nan, duplicates, maximum, minimum }: ValueStatistics,
  { path, geneOf }: Candidate['layout'],
): Caution[] {
  const warnings: Caution[] = [];
  if (nan > 0) {
    warnings.push({
      code: 'missing-values',
      message: `${plural(nan, 'value')} of ${path} ${pluralWord(nan, 'is', 'are')} missing (NaN), kept as ${pluralWord(nan, 'it is', 'they are')}.`,
    });
  }
  if (maximum === Infinity || minimum === -Infinity) {
    warnings.push({ code: 'infinite-values', message: `${path} holds infinite values, kept as they are.` });
  }
  // Where columns are summed to genes, entries of a gene repeat, which is said of the columns.
  if (duplicates > 0 && geneOf === undefined) {
    warnings.push({
      code: 'repeated-entries',
      message: `${duplicates} entries of ${path} repeat a cell and gene; they were summed.`,
    });
  }
  return warnings;
}

async function writeEmbeddings(
  { embeddings, embedding }: Preflight,
  writer: DatasetWriter,
  memoryBudget: number,
  warnings: Caution[],
): Promise<ReadonlySet<string>> {
  const leftOut = new Set<string>();
  for (const layout of embeddings) {
    const { name, rowCount, dimensions } = layout;
    const chosen = layout === embedding.source;
    if (!chosen && (dimensions > maxDimensions || rowCount * dimensions * 8 > memoryBudget / 2)) {
      warnings.push({
        code: 'skipped-embedding',
        message: `obsm/${name} was left out: ${dimensions} dimensions are too many to keep.`,
      });
      leftOut.add(name);
      continue;
    }
    const coordinates = layout.read();
    if (coordinates.values.every((value) => value === 0)) {
      const caution = zeroCaution(layout);
      // Embeddings to draw on were named before.
      if (!warnings.some(({ message }) => message === caution.message)) warnings.push(caution);
      leftOut.add(name);
      continue;
    }
    await writer.obsm(coordinates);
    if (!chosen) continue;
    const flat = embedding.key === name ? coordinates : firstTwo(coordinates, embedding.key!);
    if (flat !== coordinates) await writer.obsm(flat);
    const missing = missingPoints(flat);
    if (missing > 0) {
      warnings.push({
        code: 'missing-coordinates',
        message: `${plural(missing, 'cell has', 'cells have')} no place in '${flat.name}' and cannot be drawn.`,
      });
    }
  }
  return leftOut;
}

/** An unusable graph is left out: analyses then search for the nearest cells themselves. */
async function writeGraph(
  { file, preflight, writer, memoryBudget }: DatasetWork,
  warnings: Caution[],
): Promise<void> {
  const { graph: place, report } = preflight;
  if (place === undefined) return;
  const graph = readFileGraph(file, place, { cellCount: report.cells, maxBytes: memoryBudget });
  if (!('fault' in graph)) return writer.graph(graph);
  warnings.push({
    code: 'ignored-graph',
    message: `The graph of nearest cells of the file was left out: ${cutText(graph.fault, maxFaultLength)}. Analyses find the nearest cells in the principal components.`,
  });
}

function firstTwo({ dimensions, values }: Embedding, name: string): Embedding {
  const rows = values.length / dimensions;
  const flat = values instanceof Float32Array ? new Float32Array(rows * 2) : new Float64Array(rows * 2);
  for (let row = 0; row < rows; row++) {
    flat[2 * row] = values[row * dimensions]!;
    flat[2 * row + 1] = values[row * dimensions + 1]!;
  }
  return { name, dimensions: 2, values: flat };
}

function missingPoints({ values }: Embedding): number {
  let missing = 0;
  for (let i = 0; i < values.length; i += 2) if (!Number.isFinite(values[i]! + values[i + 1]!)) missing++;
  return missing;
}

function rolesOf({ obs, genes, embedding }: Preflight): ColumnRoles {
  return {
    ...obs.chosen,
    ...(embedding.key === undefined ? {} : { embedding: embedding.key }),
    ...(genes.symbol === undefined ? {} : { symbol: genes.symbol }),
    metadata: obs.metadata,
  };
}

function finalReport(
  report: PreflightReport,
  source: ExpressionSource,
  { entries, minimum, maximum, nan, negative }: ValueStatistics,
  warnings: readonly Caution[],
): PreflightReport {
  const { countsFrom, what } = report.expression;
  return {
    ...report,
    expression: {
      source,
      what,
      undecided: false,
      ...(source.hasCounts && countsFrom !== undefined ? { countsFrom } : {}),
      values: {
        exact: true,
        nonZero: entries,
        minimum: finite(minimum),
        maximum: finite(maximum),
        missing: nan,
        negative,
      },
    },
    warnings,
  };
}
