import { basename } from 'node:path';
import { writeFloatsH5ad } from '../write-h5ad/write-h5ad.ts';
import { H5adWriteFailed } from '../write-h5ad/h5ad-content.ts';
import { cellBlocks, surveyMatrix, type MatrixSurvey, type Orientation } from './cells-of-matrix.ts';
import { guessTable, cellTable, fitTable, geneTable } from './tenx-tables.ts';
import { matrixEntries, readMatrixMarketHeader, type MatrixMarketHeader } from './parse-matrix-market.ts';
import { readTable, type TextTable, TextFileError } from './read-text.ts';
import { countText } from '@cellfolio/model';
import { listed } from '../features/feature-cautions.ts';
import { featureKind, isProteinType } from '../features/gene-features.ts';

/** A file on disk and what its owner calls it. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

export interface MatrixMarketFiles {
  readonly matrix: NamedFile;
  /** Barcodes and features, in either order. */
  readonly tables: readonly [NamedFile, NamedFile];
}

/** How three files fit together. */
interface MatrixMarketPlan {
  readonly barcodes: NamedFile;
  readonly features: NamedFile;
  readonly orientation: Orientation;
  readonly cellCount: number;
  readonly geneCount: number;
  /** What a user should know, in sentences. */
  readonly notes: readonly string[];
}

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

interface ReadFiles {
  readonly header: MatrixMarketHeader;
  readonly tables: readonly [TextTable, TextTable];
}

/**
 * Whether three files are one matrix, and which is which: by their counts, then by their names and contents where
 * the counts leave it open. Reads the tables and the head of the matrix. Throws TextFileError `mismatch` that says
 * every count.
 */
export async function planMatrixMarket(files: MatrixMarketFiles): Promise<MatrixMarketPlan> {
  return planOf(files, await readFiles(files));
}

/**
 * Writes an .h5ad file of raw counts from a Matrix Market trio: `X` as CSR of cells x genes, barcodes as obs names,
 * symbols as var names with `gene_ids` and `feature_types`, further columns of the barcodes as obs columns. Memory is
 * bounded by some millions of entries. The file appears when it is whole.
 *
 * Throws TextFileError; H5adWriteFailed; the signal's reason when aborted.
 */
export async function convertMatrixMarket(
  files: MatrixMarketFiles,
  output: string,
  options: ConvertOptions = {},
): Promise<MatrixMarketPlan & { readonly entryCount: number }> {
  const { signal, onProgress } = options;
  const read = await readFiles(files);
  const plan = planOf(files, read);
  const tableOf = (file: NamedFile) => read.tables[file === files.tables[0] ? 0 : 1].rows;
  const obs = cellTable(plan.barcodes.name, fitTable(tableOf(plan.barcodes), plan.cellCount)!);
  const genes = geneTable(plan.features.name, fitTable(tableOf(plan.features), plan.geneCount)!);
  const { path } = files.matrix;
  const survey = await named(files.matrix, () =>
    surveyMatrix(path, plan.orientation, {
      signal,
      onBytes: (done, all) => onProgress?.((0.5 * done) / all),
    }),
  );
  try {
    await writeFloatsH5ad(
      output,
      (dtype) => ({
        obs,
        var: genes,
        X: {
          format: 'csr',
          dtype,
          valueCount: survey.entryCount,
          blocks: blocksOf(files.matrix, plan, survey, signal),
        },
      }),
      {
        ...(signal && { signal }),
        onProgress: ({ done }) => onProgress?.(0.5 + (0.5 * done) / Math.max(1, survey.entryCount)),
      },
    );
  } catch (error) {
    // What is wrong with the matrix is not the fault of the writing.
    throw error instanceof H5adWriteFailed && error.cause instanceof TextFileError ? error.cause : error;
  }
  return { ...plan, entryCount: survey.entryCount };
}

async function readFiles({ matrix, tables }: MatrixMarketFiles): Promise<ReadFiles> {
  const [first, second] = tables;
  return {
    header: await named(matrix, () => readMatrixMarketHeader(matrix.path)),
    tables: [
      await named(first, () => readTable(first.path)),
      await named(second, () => readTable(second.path)),
    ],
  };
}

function planOf(
  { matrix, tables: [one, other] }: MatrixMarketFiles,
  { header, tables }: ReadFiles,
): MatrixMarketPlan {
  const choices = (['features-by-cells', 'cells-by-features'] as const).flatMap((orientation) => {
    const byColumn = orientation === 'features-by-cells';
    const [geneCount, cellCount] = byColumn ? [header.rows, header.columns] : [header.columns, header.rows];
    return ([0, 1] as const)
      .filter(
        (barcodes) =>
          fitTable(tables[barcodes].rows, cellCount) !== undefined &&
          fitTable(tables[barcodes === 0 ? 1 : 0].rows, geneCount) !== undefined,
      )
      .map((barcodes) => ({ orientation, barcodes, cellCount, geneCount }));
  });
  const guesses = [guessTable(one.name, tables[0].rows), guessTable(other.name, tables[1].rows)] as const;
  const score = ({ barcodes }: { barcodes: 0 | 1 }) =>
    (guesses[barcodes]?.kind === 'barcodes' ? 1 : 0) +
    (guesses[barcodes === 0 ? 1 : 0]?.kind === 'features' ? 1 : 0) -
    (guesses[barcodes]?.kind === 'features' ? 1 : 0) -
    (guesses[barcodes === 0 ? 1 : 0]?.kind === 'barcodes' ? 1 : 0);
  // The sort is stable: of equals, features x cells as 10x writes it.
  const [choice] = choices.toSorted((a, b) => score(b) - score(a));
  if (choice === undefined) throw mismatch(matrix.name, header, [one, other], tables);
  const [barcodes, features] = choice.barcodes === 0 ? [one, other] : [other, one];
  const { orientation, cellCount, geneCount } = choice;
  const titled = [barcodes, features].filter((file) => {
    const rows = tables[file === one ? 0 : 1].rows.length;
    return rows !== (file === barcodes ? cellCount : geneCount);
  });
  const featureTable = tables[features === one ? 0 : 1].rows;
  const notes = [
    ...featureNotes(fitTable(featureTable, geneCount)!.rows),
    ...(orientation === 'cells-by-features' ? ['The matrix has cells as rows; it was turned round.'] : []),
    ...titled.map(({ name }) => `The first line of ${name} was taken for titles.`),
    ...tables.flatMap(({ encoding }, position) =>
      encoding === 'windows-1252'
        ? [`${position === 0 ? one.name : other.name} is not UTF-8; it was read as Windows-1252.`]
        : [],
    ),
  ];
  return { barcodes, features, orientation, cellCount, geneCount, notes };
}

function mismatch(
  name: string,
  { rows, columns }: MatrixMarketHeader,
  files: readonly NamedFile[],
  tables: readonly TextTable[],
): TextFileError {
  const counts = files
    .map((file, position) => `${file.name} lists ${tables[position]!.rows.length}`)
    .join(' and ');
  return new TextFileError({
    code: 'mismatch',
    path: name,
    problem: `is a matrix of ${rows} x ${columns}, but ${counts}. One table should list its cells and the other its features: choose the three files of one sample.`,
  });
}

async function* blocksOf(
  matrix: NamedFile,
  { orientation }: MatrixMarketPlan,
  survey: MatrixSurvey,
  signal: AbortSignal | undefined,
) {
  try {
    const { path } = matrix;
    yield* cellBlocks({ path, entries: () => matrixEntries(path, { signal }) }, orientation, survey);
  } catch (error) {
    throw renamed(matrix, error);
  }
}

/** Errors speak of files by the names that their owner gave them. */
async function named<T>(file: NamedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw renamed(file, error);
  }
}

function renamed({ name }: NamedFile, error: unknown): unknown {
  if (!(error instanceof TextFileError)) return error;
  const { code, line, problem, cause } = error;
  return new TextFileError({
    code,
    path: basename(name),
    problem,
    ...(line !== undefined && { line }),
    ...(cause !== undefined && { cause }),
  });
}

/** Says where the third column of a table of features names some that are no genes. */
function featureNotes(rows: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[2] ?? '', (counts.get(row[2] ?? '') ?? 0) + 1);
  const others = [...counts].filter(([type]) => featureKind(type) === 'other');
  if (others.length === 0) return [];
  const count = others.reduce((sum, [, features]) => sum + features, 0);
  const named = others.slice(0, 10).map(([type, features]) => ({ type, count: features, examples: [] }));
  return [
    `${countText(rows.length - count)} of the ${countText(rows.length)} features are genes; ${listed(named)}. All are in the file, a dataset of it is of the genes${
      others.some(([type]) => isProteinType(type)) ? ', with the proteins as a second modality' : ''
    }.`,
  ];
}
