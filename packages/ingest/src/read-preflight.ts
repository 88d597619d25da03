import {
  countText,
  cutText,
  stringAt,
  type Caution,
  type Table,
  boundedNames,
  plural,
} from '@cellfolio/model';
import { proteinsPath } from '@cellfolio/store';
import { withColumns, withEmbeddings, type DatasetAdditions, keptTable } from './additions.ts';
import { countBlocks } from './counts/count-blocks.ts';
import { carriedFinder } from './carried/find-carried.ts';
import { type CarriedPlan, leftOutText } from './carried/plan-carried.ts';
import { candidates, type Candidate } from './expression/candidates.ts';
import { chooseExpression, type ExpressionChoice } from './expression/choose-expression.ts';
import { damageText, evidenceText, short } from './expression/scale-cautions.ts';
import { featureCautions, listed, genomeCaution } from './features/feature-cautions.ts';
import type { AssetSource } from '@cellfolio/store';
import type { GraphPlace } from './graph/graph-place.ts';
import { H5adError } from './h5ad-error.ts';
import { encodingCaution } from './text-encoding.ts';
import type { DataFrame, DatasetFile, EmbeddingLayout, Embeddings } from './dataset-file.ts';
import { isProteinType } from './features/gene-features.ts';
import { assertRows, compressionName, valueTypeName } from './layout/matrix-layout.ts';
import type { ColumnReport, MatrixReport, PreflightReport } from './preflight-report.ts';
import { findProteins, type ProteinMatrix } from './proteins/find-proteins.ts';
import { detectEmbedding, type EmbeddingRole } from './roles/detect-embedding.ts';
import { detectGeneNames, type GeneNames, repeatedNames } from './roles/detect-gene-names.ts';
import { detectObsRoles, type ObsRoles } from './roles/detect-obs-roles.ts';
import type { ImportColumns } from './import-columns.ts';
import { genesAmong, looked } from './roles/orientation.ts';
import { mixingCautions } from './roles/read-samples.ts';
import { findTermColumns } from './roles/term-columns.ts';

export const sampledMissing = 'missing-values-seen';

export interface Preflight {
  obs: ObsRoles;
  genes: GeneNames;
  embedding: EmbeddingRole;
  embeddings: readonly EmbeddingLayout[];
  /** Undefined if the file has none, or one for other cells than the dataset's. */
  graph: GraphPlace | undefined;
  assets: readonly AssetSource[];
  /** Elements that are carried along, where embeddings of these names are not written after all. */
  carriedWithout: (embeddings: ReadonlySet<string>) => CarriedPlan | undefined;
  proteins: ProteinMatrix | undefined;
  matrices: readonly Candidate[];
  choice: ExpressionChoice;
  report: PreflightReport;
}

/** Reads tables and samples values. `matrices` overrides the result of sampling. Throws H5adError. */
export function readPreflight(
  file: DatasetFile,
  columns: ImportColumns,
  prepared: { matrices?: readonly Candidate[]; additions?: DatasetAdditions; maxCarried?: number } = {},
): Preflight {
  const { hdf5, obsPath, embeddingsPath } = file;
  const { path } = hdf5;
  const { matrices = candidates(file), additions = {}, maxCarried: maxBytes } = prepared;
  const choice = soundChoice(file, matrices, columns.expression);
  const { layout, features } = choice.taken;
  const obsFrame = file.table(obsPath, 'obs');
  const varFrame = file.genes(choice.taken.varPath);
  assertShapes(file, choice.taken, obsFrame.table, varFrame.table);
  assertOrientation(file, choice.taken, obsFrame.table, varFrame.table);
  const geneRows = features === undefined ? varFrame.table : keptTable(varFrame.table, features.geneRows);
  const cells = withColumns(obsFrame.table, additions.obs, additions.keptCells);
  const obs = detectObsRoles(path, cells, columns);
  const genes = detectGeneNames(path, withColumns(geneRows, additions.var), columns.symbol);
  const { proteins, leftOut: leftProteins } = findProteins(file, matrices, choice, obsFrame.table.index);
  const { embeddings, skipped } = file.embeddings(obsFrame.table.index);
  const fitting = embeddings.filter(({ rowCount }) => rowCount === layout.cellCount);
  // Where proteins go, no embedding does.
  const free = fitting.filter(({ name }) => proteins === undefined || `obsm/${name}` !== proteinsPath);
  const drawable = withEmbeddings(free, additions);
  const embedding = detectEmbedding(path, drawable, columns.embedding);
  // What of the features stays in the file.
  const others = (features?.others ?? []).filter(
    ({ type }) => proteins === undefined || !proteins.amongFeatures || !isProteinType(type),
  );
  // What is computed here is of a graph of its own.
  const graph = additions.keptCells === undefined && !additions.processing ? file.graph?.() : undefined;
  const ontology = findTermColumns(cells);
  const organism = file.organism?.();
  const warnings: Caution[] = [
    ...choice.warnings,
    ...(file.geneCautions?.(choice.taken.varPath) ?? []),
    ...featureCautions(features, others),
    ...genomeCaution(geneRows),
    ...sampledWarnings(choice),
    ...repeatedCells(cells),
    ...obs.warnings,
    ...embedding.warnings,
    ...genes.warnings,
    ...skippedWarnings(obsPath, obsFrame),
    ...skippedWarnings(choice.taken.varPath, varFrame),
    ...skippedEmbeddings(embeddingsPath, { embeddings, skipped }, layout.cellCount),
    ...someSkipped('skipped-proteins', leftProteins),
    ...encodingCaution(hdf5.recodedParts),
    ...ontology.warnings,
    ...mixingCautions(cells, obs, additions.processing),
    ...(additions.warnings ?? []),
  ];
  const carriedWithout = carriedFinder(file, {
    matrices,
    choice,
    proteins,
    embeddings: fitting,
    additions,
    cellCount: obsFrame.table.rowCount,
    geneCount: varFrame.table.rowCount,
    maxBytes,
  });
  const carried = carriedWithout(new Set());
  const report: PreflightReport = {
    file: { path, bytes: hdf5.size },
    cells: cells.rowCount,
    genes: geneRows.rowCount,
    otherFeatures: others,
    ...(proteins && {
      proteins: { part: proteins.part, names: proteins.names, scale: proteins.scale ?? 'unread' },
    }),
    format: formatReport(obsFrame, matrices, embeddings),
    expression: expressionReport(choice),
    roles: [...obs.reports, embedding.report, genes.report],
    metadata: obs.metadata,
    columns: columnReports(obs),
    ...(ontology.terms.length > 0 && { terms: ontology.terms }),
    ...(organism !== undefined && { organism }),
    geneNames: genes.geneNames,
    carried: carriedParts(carried),
    notKept: notKept(
      [...unusedMatrices(matrices, choice), ...file.otherParts(), ...varFrame.notKept],
      carried,
    ),
    warnings,
  };
  return {
    obs,
    genes,
    embedding,
    embeddings: drawable,
    proteins,
    graph,
    assets: file.assets?.() ?? [],
    carriedWithout,
    matrices,
    choice,
    report,
  };
}

/** Throws H5adError if there is no matrix, none of genes, or none that can have the declared content. */
function soundChoice(
  file: DatasetFile,
  matrices: readonly Candidate[],
  answer: ImportColumns['expression'],
): ExpressionChoice {
  const refused = (code: H5adError['code'], part: string, problem: string, hint: string) =>
    new H5adError({ code, path: file.hdf5.path, part, problem, hint });
  const choice = chooseExpression(matrices, answer);
  if (choice === undefined) {
    const [best] = matrices;
    if (best === undefined) throw file.noExpression();
    throw refused(
      'no-counts',
      best.layout.path,
      `raw counts were asked for, but no matrix of the file holds them. ${evidenceText(best)}`,
      'Say what its values are instead, or bring a file with counts.',
    );
  }
  const { layout, features, varPath, statistics, content } = choice.taken;
  if (features?.geneRows.length === 0)
    throw refused(
      'no-genes',
      `${varPath}/${features.column}`,
      `no feature is a gene: ${listed(features.others)}.`,
      'Cellfolio shows the expression of genes. Add the gene expression of the same cells, or remove the column where its features are genes after all.',
    );
  if (content === 'empty' && isAllZero(file, choice.taken))
    throw refused(
      'empty',
      layout.path,
      'every value of it is zero.',
      'There is nothing to see in it: check how the file was made, and write it again with its values.',
    );
  if (content === 'damaged-counts' && answer === undefined)
    throw refused(
      'damaged-counts',
      layout.path,
      `its values are whole numbers, as raw counts are, but ${damageText(statistics)}.`,
      'Counts cannot have this value. Export the counts again, or remove the cells or genes with such values.',
    );
  const { nan, negative, maximum } = statistics;
  if (answer === 'counts' && (nan > 0 || negative > 0 || maximum === Infinity))
    throw refused(
      'impossible-scale',
      layout.path,
      `counts are numbers and not negative, but of these ${damageText(statistics)}.`,
      'Remove the cells or genes that have such values, or choose what the values are again.',
    );
  if (answer === 'linear' && negative > 0)
    throw refused(
      'impossible-scale',
      layout.path,
      `values of a linear scale are not negative, but the lowest is ${short(statistics.minimum)}.`,
      'Choose what the values are again, or leave it open.',
    );
  return choice;
}

/** Checks all values: a sample of a sparse matrix may hold only zeros. */
function isAllZero({ hdf5 }: DatasetFile, { layout }: Candidate): boolean {
  for (const { counts } of countBlocks(hdf5, layout)) if (counts.some((value) => value !== 0)) return false;
  return true;
}

/** Throws H5adError if the cell names look like gene names and the gene names do not. */
function assertOrientation({ hdf5, obsPath }: DatasetFile, { varPath }: Candidate, obs: Table, genes: Table) {
  const rows = someNames(obs);
  const columns = someNames(genes);
  if (genesAmong({ corner: '', rows, columns })?.genesIn !== 'rows') return;
  throw new H5adError({
    code: 'transposed',
    path: hdf5.path,
    part: obsPath,
    problem: `its rows should be cells, but their names are those of genes (${exampleNames(rows)}); those of ${varPath} are not (${exampleNames(columns)}).`,
    hint: 'Turn the data round and bring it again: adata.T in Python, t(x) in R.',
  });
}

/** Evenly spaced sample of the names: a table may have millions. */
function someNames({ index, rowCount }: Table): string[] {
  const count = Math.min(rowCount, looked);
  return Array.from({ length: count }, (_, at) => stringAt(index, Math.floor((at * rowCount) / count)));
}

function exampleNames(names: readonly string[]): string {
  return names
    .slice(0, 3)
    .map((name) => cutText(name, 40))
    .join(', ');
}

function assertShapes(
  { hdf5, obsPath }: DatasetFile,
  { layout, varPath }: Candidate,
  obs: Table,
  genes: Table,
): void {
  const { path, cellCount, geneCount } = layout;
  if (cellCount === 0 || geneCount === 0 || obs.rowCount === 0) {
    throw new H5adError({
      code: 'empty',
      path: hdf5.path,
      part: path,
      problem: `the matrix has ${cellCount} cells and ${geneCount} genes.`,
      hint: 'There is nothing to explore; check how the file was made.',
    });
  }
  assertRows(hdf5, layout, 'obs', { part: obsPath, rows: obs.rowCount });
  assertRows(hdf5, layout, 'var', { part: varPath, rows: genes.rowCount });
}

/** Warnings from sampled values; those of the full read replace them. */
function sampledWarnings({ taken }: ExpressionChoice): Caution[] {
  if (taken.statistics.nan === 0) return [];
  return [
    {
      code: sampledMissing,
      message: `${taken.layout.path} holds missing values (NaN), kept as they are: check how the file was made if you did not expect them.`,
    },
  ];
}

function repeatedCells({ index, rowCount }: Table): Caution[] {
  const { repeated, examples } = repeatedNames(rowCount, (at) => stringAt(index, at));
  if (repeated === 0) return [];
  return [
    {
      code: 'repeated-cells',
      message: `${plural(repeated, 'cell has a name', 'cells have names')} that an earlier cell has too (${examples.join(', ')}), as where samples were put together. All are kept: cells are told apart by their place.`,
    },
  ];
}

function skippedEmbeddings(part: string, { embeddings, skipped }: Embeddings, cellCount: number): Caution[] {
  const others = embeddings
    .filter(({ rowCount }) => rowCount !== cellCount)
    .map(({ name, rowCount }) => ({ name, reason: `it has ${rowCount} rows for ${cellCount} cells` }));
  const messages = [...skipped, ...others].map(({ name, reason }) => leftOut(`${part}/${name}`, reason));
  return someSkipped('skipped-embedding', messages);
}

function skippedWarnings(part: string, { skipped }: DataFrame): Caution[] {
  const left = skipped.map(({ column, reason }) => `Column ${leftOut(`${part}/${column}`, reason)}`);
  return someSkipped('skipped-column', left);
}

/** A limit is needed: a table may have any number of columns, with names and encodings of any length. */
const maxSkipped = 20;
const maxPartLength = 80;
const maxReasonLength = 250;

function leftOut(part: string, reason: string): string {
  return `${cutText(part, maxPartLength)} was left out: ${cutText(reason, maxReasonLength)}.`;
}

function someSkipped(code: string, messages: readonly string[]): Caution[] {
  const rest = messages.length - maxSkipped;
  const more = rest > 0 ? [`${countText(rest)} more were left out like them.`] : [];
  return [...messages.slice(0, maxSkipped), ...more].map((message) => ({ code, message }));
}

function formatReport(
  { stored }: DataFrame,
  matrices: readonly Candidate[],
  embeddings: readonly EmbeddingLayout[],
): PreflightReport['format'] {
  return {
    tables: stored,
    matrices: matrices.map(matrixReport),
    embeddings: embeddings.map(({ name, dimensions, columns }) =>
      columns === undefined ? { name, dimensions } : { name, dimensions, columns },
    ),
  };
}

function matrixReport({ layout, content }: Candidate): MatrixReport {
  return {
    path: layout.path,
    format: layout.format,
    dtype: valueTypeName(layout),
    cells: layout.cellCount,
    genes: layout.geneCount,
    ...(layout.format === 'dense' ? {} : { storedValues: layout.entryCount }),
    compression: compressionName(layout.data),
    content,
  };
}

function expressionReport({
  taken,
  counts,
  source,
  what,
  undecided,
}: ExpressionChoice): PreflightReport['expression'] {
  const { minimum, maximum, nan, negative } = taken.statistics;
  return {
    source,
    what,
    undecided,
    ...(counts === undefined ? {} : { countsFrom: counts.layout.path }),
    values: { exact: false, minimum: finite(minimum), maximum: finite(maximum), missing: nan, negative },
  };
}

/** Replaces non-finite numbers by 0: JSON has no infinity, and a matrix without values has no minimum or maximum. */
export function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function columnReports({ table, converted }: ObsRoles): ColumnReport[] {
  return Array.from(table.columns, ([name, column]) => ({
    name,
    kind: column.kind === 'wide-integer' ? 'numeric' : column.kind,
    dtype:
      column.kind === 'numeric' || column.kind === 'wide-integer'
        ? column.dtype
        : column.kind === 'categorical'
          ? column.categoryType
          : column.kind,
    ...(column.kind === 'categorical' ? { categories: column.categories.length } : {}),
    converted: converted.has(name),
  }));
}

/** Maximum number of part names in a report: `uns` may hold any number, of any length. */
const maxNames = 1000;
const maxNameLength = 200;

export function carriedParts(
  plan: CarriedPlan | undefined,
  unread: CarriedPlan['leftOut'] = [],
): PreflightReport['carried'] {
  const failed = new Set(unread.map(({ path }) => path));
  const elements = (plan?.content.elements ?? []).filter(({ path }) => !failed.has(path));
  const [shown, rest] = [elements.slice(0, maxNames), elements.slice(maxNames)];
  const paths = shown.map(({ path }) => path);
  const names = boundedNames(paths, maxNameLength);
  const bytes = rest.reduce((sum, element) => sum + element.bytes, 0);
  return [
    ...names.map((path, at) => ({ path, bytes: shown[at]!.bytes })),
    ...(rest.length > 0 ? [{ path: `${countText(rest.length)} more`, bytes }] : []),
  ];
}

function notKept(paths: readonly string[], carried: CarriedPlan | undefined): string[] {
  const { content, leftOut = [] } = carried ?? {};
  const named = new Set([...(content?.elements ?? []), ...leftOut].map(({ path }) => path));
  const isNamed = (path: string) => named.has(path) || named.has(path.split('/')[0]!);
  const left = [...paths.filter((path) => !isNamed(path)), ...leftOut.map(leftOutText)];
  const rest = left.length - maxNames;
  return [
    ...boundedNames(left.slice(0, maxNames), maxNameLength),
    ...(rest > 0 ? [`${countText(rest)} more`] : []),
  ];
}

function unusedMatrices(
  matrices: readonly Candidate[],
  { taken, counts }: Pick<ExpressionChoice, 'taken' | 'counts'>,
): string[] {
  return matrices.filter((matrix) => matrix !== taken && matrix !== counts).map(({ layout }) => layout.path);
}
