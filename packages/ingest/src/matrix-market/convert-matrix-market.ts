import { basename } from 'node:path';
import { writeFloatsH5ad } from '../write-h5ad/write-h5ad.ts';
import {
  cellBlocks,
  type EntriesOfFile,
  surveyMatrix,
  type MatrixSurvey,
  type Orientation,
} from './cells-of-matrix.ts';
import { guessTable, cellTable, fitTable, geneTable } from './tenx-tables.ts';
import {
  type Entries,
  matrixEntries,
  readMatrixMarketHeader,
  type MatrixMarketHeader,
} from './parse-matrix-market.ts';
import { addedSplicing, geneCountOfSplicing, splicingNote } from './splicing.ts';
import { type ReadTextOptions, readTable, type TextTable, TextFileError } from './read-text.ts';
import { windowsText } from '../text-encoding.ts';
import { type Column, countText, type Embedding, quotedHead } from '@cellfolio/model';
import type { GenesIn } from '../import-columns.ts';
import { listed } from '../features/feature-cautions.ts';
import { areFeatureTypes, featureKind, isProteinType } from '../features/gene-features.ts';

export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

export interface MatrixMarketFiles {
  readonly matrix: NamedFile;
  /** Barcodes and features, in either order. */
  readonly tables: readonly [NamedFile, NamedFile];
  /** Gene symbols, one per line, if the second table has only ids, as for kallisto|bustools. */
  readonly symbols?: NamedFile;
}

interface MatrixMarketPlan {
  barcodes: NamedFile;
  features: NamedFile;
  orientation: Orientation;
  cellCount: number;
  geneCount: number;
  notes: readonly string[];
}

export interface ConvertOptions {
  /** Side of the matrix with the genes, if the files do not show it. */
  readonly genesIn?: GenesIn | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  /** Reads what other files say about the cells, whose names are given in order. */
  readonly aboutCells?: (barcodes: readonly string[]) => Promise<AboutCells>;
}

export interface AboutCells {
  readonly columns: ReadonlyMap<string, Column>;
  readonly embeddings: readonly Embedding[];
  readonly notes: readonly string[];
}

interface ReadFiles {
  header: MatrixMarketHeader;
  tables: readonly [TextTable, TextTable];
}

/**
 * Determines whether three files form one matrix and the role of each: by their counts, or else by names and contents.
 * Reads the tables and the head of the matrix. Throws TextFileError `mismatch` that gives every count or says that the
 * tables fit either way, `ambiguous` for a square matrix whose files do not show its orientation.
 */
export async function planMatrixMarket(
  files: MatrixMarketFiles,
  { genesIn }: Pick<ConvertOptions, 'genesIn'> = {},
): Promise<MatrixMarketPlan> {
  return planOf(files, await readFiles(files), genesIn);
}

/**
 * Writes an .h5ad file of counts, possibly with fractions, from a Matrix Market trio: `X` as CSR of cells x genes,
 * barcodes as obs names, symbols as var names with `gene_ids` and `feature_types`, further columns of the barcodes as
 * obs columns. Memory is bounded to some millions of entries. The file appears when it is complete. Throws
 * TextFileError; H5adWriteFailed; the signal's reason when aborted.
 */
export async function convertMatrixMarket(
  files: MatrixMarketFiles,
  output: string,
  options: ConvertOptions = {},
): Promise<MatrixMarketPlan & { readonly entryCount: number }> {
  const { genesIn, signal, onProgress, aboutCells } = options;
  const read = await readFiles(files);
  const plan = planOf(files, read, genesIn);
  const tableOf = (file: NamedFile) => read.tables[file === files.tables[0] ? 0 : 1].rows;
  const cells = fitTable(tableOf(plan.barcodes), plan.cellCount)!;
  const own = cellTable(plan.barcodes.name, cells);
  const about = await aboutCells?.(cells.rows.map(([barcode = '']) => barcode));
  const obs = { ...own, columns: new Map([...(about?.columns ?? []), ...own.columns]) };
  const features = fitTable(tableOf(plan.features), plan.geneCount)!;
  const splicedGenes = geneCountOfSplicing(features.rows);
  const genes = geneTable(plan.features.name, {
    ...features,
    rows: splicedGenes === undefined ? features.rows : features.rows.slice(0, splicedGenes),
  });
  const { path } = files.matrix;
  const entriesOf = (reading: ReadTextOptions): AsyncIterable<Entries> =>
    splicedGenes === undefined
      ? matrixEntries(path, reading)
      : addedSplicing(matrixEntries(path, reading), plan.orientation, splicedGenes);
  const survey = await named(files.matrix, () =>
    surveyMatrix(
      entriesOf({ signal, onBytes: (done, all) => onProgress?.((0.5 * done) / all) }),
      plan.orientation,
    ),
  );
  await writeFloatsH5ad(
    output,
    (dtype) => ({
      obs,
      var: genes,
      X: {
        format: 'csr',
        dtype,
        ...(splicedGenes === undefined && { valueCount: survey.entryCount }),
        blocks: blocksOf(
          files.matrix,
          { path, entries: () => entriesOf({ signal }), adds: splicedGenes !== undefined },
          plan,
          survey,
        ),
      },
      ...(about && { obsm: about.embeddings }),
    }),
    {
      ...(signal && { signal }),
      onProgress: ({ done }) => onProgress?.(0.5 + (0.5 * done) / Math.max(1, survey.entryCount)),
    },
  );
  return {
    ...plan,
    geneCount: splicedGenes ?? plan.geneCount,
    notes: [
      ...plan.notes,
      ...(splicedGenes === undefined ? [] : [splicingNote(splicedGenes)]),
      ...(about?.notes ?? []),
    ],
    entryCount: survey.entryCount,
  };
}

async function readFiles({ matrix, tables, symbols }: MatrixMarketFiles): Promise<ReadFiles> {
  const [first, second] = tables;
  return {
    header: await named(matrix, () => readMatrixMarketHeader(matrix.path)),
    tables: [
      await named(first, () => readTable(first.path)),
      await withSymbols(await named(second, () => readTable(second.path)), symbols),
    ],
  };
}

async function withSymbols(table: TextTable, symbols: NamedFile | undefined): Promise<TextTable> {
  if (symbols === undefined) return table;
  const { rows } = await named(symbols, () => readTable(symbols.path));
  if (rows.length === table.rows.length)
    return { ...table, rows: table.rows.map(([id = ''], row) => [id, rows[row]![0] ?? '']) };
  throw new TextFileError({
    code: 'mismatch',
    path: symbols.name,
    problem: `names ${countText(rows.length)} genes, but ${countText(table.rows.length)} are listed. Copy the folder again.`,
  });
}

type Fits = (rows: TextTable['rows'], wanted: number) => boolean;

function choicesOf(
  { tables: [one, other] }: Pick<MatrixMarketFiles, 'tables'>,
  { header, tables }: ReadFiles,
  { fits, genesIn }: { fits: Fits; genesIn: GenesIn | undefined },
): readonly Choice[] {
  const guesses = [guessTable(one.name, tables[0].rows), guessTable(other.name, tables[1].rows)] as const;
  const score = (barcodes: 0 | 1) =>
    (guesses[barcodes]?.kind === 'barcodes' ? 1 : 0) +
    (guesses[barcodes === 0 ? 1 : 0]?.kind === 'features' ? 1 : 0) -
    (guesses[barcodes]?.kind === 'features' ? 1 : 0) -
    (guesses[barcodes === 0 ? 1 : 0]?.kind === 'barcodes' ? 1 : 0);
  const orientations = (['features-by-cells', 'cells-by-features'] as const).filter(
    (orientation) => genesIn === undefined || (orientation === 'features-by-cells') === (genesIn === 'rows'),
  );
  const choices = orientations.flatMap((orientation) => {
    const byColumn = orientation === 'features-by-cells';
    const [geneCount, cellCount] = byColumn ? [header.rows, header.columns] : [header.columns, header.rows];
    return ([0, 1] as const)
      .filter(
        (barcodes) =>
          fits(tables[barcodes].rows, cellCount) && fits(tables[barcodes === 0 ? 1 : 0].rows, geneCount),
      )
      .map((barcodes) => ({ orientation, barcodes, cellCount, geneCount, score: score(barcodes) }));
  });
  // The sort is stable: of equals, features x cells as 10x writes it.
  return choices.toSorted((a, b) => b.score - a.score);
}

interface Choice extends Pick<MatrixMarketPlan, 'orientation' | 'cellCount' | 'geneCount'> {
  barcodes: 0 | 1;
  score: number;
}

function planOf(files: MatrixMarketFiles, read: ReadFiles, genesIn: GenesIn | undefined): MatrixMarketPlan {
  const {
    matrix,
    tables: [one, other],
  } = files;
  const { header, tables } = read;
  const fits: Fits = (rows, count) => fitTable(rows, count) !== undefined;
  const ranked = choicesOf(files, read, { fits, genesIn });
  const [choice] = ranked;
  if (choice === undefined) throw shiftedNames(files, read, genesIn) ?? mismatch(files, read);
  const equals = ranked.filter(({ score }) => score === choice.score);
  if (equals.some(({ barcodes }) => barcodes !== choice.barcodes)) throw sidesUnknown(matrix, one, other);
  const [barcodes, features] = choice.barcodes === 0 ? [one, other] : [other, one];
  const isSquare = header.rows === header.columns && equals.length > 1;
  const orientation = isSquare ? orientationOfNames(matrix, barcodes, features) : choice.orientation;
  if (orientation === undefined) throw orientationUnknown(matrix, header);
  const { cellCount, geneCount } = choice;
  const titled = [barcodes, features].filter((file) => {
    const rows = tables[file === one ? 0 : 1].rows.length;
    return rows !== (file === barcodes ? cellCount : geneCount);
  });
  const featureTable = tables[features === one ? 0 : 1].rows;
  const notes = [
    ...featureNotes(fitTable(featureTable, geneCount)!.rows),
    ...(isSquare
      ? [
          `${matrix.name} has as many rows as columns: its rows were taken for ${orientation === 'features-by-cells' ? 'features, as Cell Ranger writes them, since the tables are named as its are' : 'cells, as its name says'}.`,
        ]
      : []),
    ...(orientation === 'cells-by-features' ? ['The matrix has cells as rows; it was turned round.'] : []),
    ...titled.map(({ name }) => `The first line of ${name} was taken for titles.`),
    ...tables.flatMap(({ encoding }, position) =>
      encoding === 'windows-1252' ? [`${position === 0 ? one.name : other.name} ${windowsText}`] : [],
    ),
  ];
  return { barcodes, features, orientation, cellCount, geneCount, notes };
}

/**
 * Error if the tables have the right number of lines only if the first is (or is not) a title, contrary to how it
 * reads: each name would get the values of its neighbour.
 */
function shiftedNames(
  files: MatrixMarketFiles,
  read: ReadFiles,
  genesIn: GenesIn | undefined,
): TextFileError | undefined {
  const { tables } = read;
  const fits: Fits = ({ length }, count) => length === count || length === count + 1;
  const [choice] = choicesOf(files, read, { fits, genesIn });
  if (choice === undefined) return undefined;
  const { barcodes, orientation, cellCount, geneCount } = choice;
  const problems = ([0, 1] as const).flatMap((at) => {
    const isOfCells = at === barcodes;
    const expectedCount = isOfCells ? cellCount : geneCount;
    const { rows } = tables[at];
    if (fitTable(rows, expectedCount) !== undefined) return [];
    const side = isOfCells === (orientation === 'features-by-cells') ? 'columns' : 'rows';
    const what = isOfCells ? 'cell' : 'gene';
    const first = quotedHead(rows[0]!.join(' '));
    const counts = `has ${countText(rows.length)} lines and the matrix ${countText(expectedCount)} ${side}`;
    return [
      {
        path: files.tables[at].name,
        problem:
          rows.length > expectedCount
            ? `${counts}, but the first line, ${first}, reads like a ${what} and not like a title: each ${what} could get the values of another. Remove the line that is too many. If the first line is a title after all, call it ${isOfCells ? 'barcode' : 'gene'}.`
            : `${counts}, but the first line, ${first}, reads like a title, so that a ${what} is missing: each ${what} could get the values of another. Add the line that is missing. If the first line is a name after all, change it a little.`,
      },
    ];
  });
  return problems[0] && new TextFileError({ code: 'mismatch', ...problems[0] });
}

/**
 * Orientation by file names: kallisto|bustools calls a cells-by-genes matrix `cells_x_genes.mtx`, alevin-fry
 * `quants_mat.mtx`; with `barcodes.tsv`
 * and `features.tsv` or `genes.tsv`, rows are features, as Cell Ranger and STARsolo write them.
 */
function orientationOfNames(
  matrix: NamedFile,
  barcodes: NamedFile,
  features: NamedFile,
): Orientation | undefined {
  if (/cells_x_(genes|tcc)|quants_mat\.mtx/i.test(matrix.name)) return 'cells-by-features';
  const isCellRanger =
    /barcodes\.tsv(\.gz)?$/i.test(barcodes.name) && /(features|genes)\.tsv(\.gz)?$/i.test(features.name);
  return isCellRanger ? 'features-by-cells' : undefined;
}

function sidesUnknown({ name }: NamedFile, one: NamedFile, other: NamedFile): TextFileError {
  return new TextFileError({
    code: 'mismatch',
    path: name,
    problem: `fits ${one.name} and ${other.name} either way, and neither their names nor what they list show which lists the cells. Rename them barcodes.tsv and features.tsv.`,
  });
}

function orientationUnknown({ name }: NamedFile, { rows, columns }: MatrixMarketHeader): TextFileError {
  return new TextFileError({
    code: 'ambiguous',
    path: name,
    problem: `has ${countText(rows)} rows and ${countText(columns)} columns, as many cells as genes, and the names of its files do not show whether its rows are genes or cells. Where they are genes, rename the tables barcodes.tsv and features.tsv, as Cell Ranger does; where they are cells, transpose the matrix first.`,
  });
}

function mismatch(
  { matrix: { name }, tables: files }: MatrixMarketFiles,
  { header: { rows, columns }, tables }: ReadFiles,
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
  file: EntriesOfFile,
  { orientation }: MatrixMarketPlan,
  survey: MatrixSurvey,
) {
  try {
    yield* cellBlocks(file, orientation, survey);
  } catch (error) {
    throw renamed(matrix, error);
  }
}

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

function featureNotes(rows: readonly (readonly string[])[]): string[] {
  if (!areFeatureTypes(rows.map((row) => row[2] ?? ''))) return [];
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
