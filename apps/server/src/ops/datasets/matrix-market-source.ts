import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  convertMatrixMarket,
  type GenesIn,
  isPipelineOutput,
  type MatrixMarketFiles,
  matrixName,
  type NamedFile,
  pathsInFolder,
  tablesOfMatrix,
  TextFileError,
} from '@cellfolio/ingest';
import { type Caution, isSystemFile, listedNames } from '@cellfolio/model';
import type { InputFile, WorkContext } from '../../features/uploads/index.ts';
import { CommandFailure, exitCode } from '../command.ts';

/** A source on this machine, as a file for the work of an upload. */
export interface LocalSource {
  file: InputFile;
  /** Name of the source in messages and in the report. */
  shown: string;
  /** Default name of the dataset. */
  named: string;
  /** Default: the size of the file. */
  bytes?: number;
  /** Above those of the report. */
  rows: readonly { label: string; value: string }[];
  warnings: readonly Caution[];
  /** Whether it was a matrix of text, whose genes can be on either axis. */
  isTable?: boolean;
}

const tableName =
  /(barcodes|features|genes)\.tsv(\.gz)?$|\.(barcodes|genes|genes\.names)\.txt$|^(cell_metadata|all_genes)\.csv(\.gz)?$/i;
/** Names beside a matrix that are read with it, as those of an output folder. */
const besides = /^(spatial|analysis|quants_mat_cols\.txt)$/;
const zarrName = /^(\.zgroup|\.zattrs|zarr\.json)$/;
const maxListedNames = 8;

/**
 * Converts output of Cell Ranger, STARsolo, kallisto|bustools or the pipeline of Parse Biosciences: a folder with a
 * matrix, barcodes and features (or genes), or the path of such a matrix; each may be gzipped. Returns undefined for
 * other sources, also for folders with a matrix further down. Throws CommandFailure when a file is missing; TextFileError.
 */
export async function convertedTrio(
  source: string,
  genesIn: GenesIn | undefined,
  { scratch, signal, onProgress }: Pick<WorkContext, 'scratch' | 'signal' | 'onProgress'>,
): Promise<LocalSource | undefined> {
  const files = await trioOf(source);
  if (files === undefined) return undefined;
  const path = join(scratch, `${randomUUID()}.h5ad`);
  try {
    const { barcodes, features, notes } = await convertMatrixMarket(files, path, {
      genesIn,
      signal,
      onProgress: (share) => onProgress('Reading the matrix', share),
    });
    const matrix = files.matrix.path;
    return {
      file: { path, name: basename(path) },
      shown: matrix,
      named: datasetName(matrix),
      bytes: (await stat(matrix)).size,
      rows: [
        { label: 'Cells from', value: barcodes.path },
        { label: 'Genes from', value: features.path },
      ],
      warnings: notes.map((message) => ({ code: 'matrix-market', message })),
      isTable: true,
    };
  } catch (error) {
    if (!(error instanceof TextFileError) || error.code !== 'ambiguous') throw error;
    throw new CommandFailure(
      exitCode.usage,
      `${error.message} Or say it with --genes-in rows or --genes-in columns. Nothing was added.`,
    );
  }
}

async function trioOf(source: string): Promise<MatrixMarketFiles | undefined> {
  const stats = await stat(source).catch(() => undefined);
  if (stats?.isDirectory() === true) {
    const names = await namesIn(source);
    const isAlone = names.some((name) => matrixName.test(name)) && !names.some((name) => besides.test(name));
    if (
      !isAlone &&
      (names.some((name) => zarrName.test(name)) || isPipelineOutput(await pathsInFolder(source)))
    )
      return undefined;
    return withTables(source, onlyMatrix(source, names), names);
  }
  if (stats?.isFile() !== true) return undefined;
  const folder = dirname(source);
  const names = await namesIn(folder);
  if (tableName.test(basename(source)) && names.some((name) => matrixName.test(name))) {
    throw new CommandFailure(
      exitCode.badInput,
      `${source} is a table of a matrix. Use the folder ${folder}, or the matrix in it.`,
    );
  }
  return matrixName.test(source) ? withTables(folder, basename(source), names) : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !isSystemFile(name));
}

/** The only matrix of a folder. If a gzipped and an unpacked one have the same name, the unpacked one. */
function onlyMatrix(folder: string, names: readonly string[]): string {
  const matrices = names.filter((name) => matrixName.test(name)).toSorted();
  const different = new Map(matrices.toReversed().map((name) => [unpacked(name), name]));
  const [only, ...more] = different.values();
  if (more.length > 0) {
    throw new CommandFailure(
      exitCode.badInput,
      `${folder} has ${different.size} matrices: ${listedNames(matrices, maxListedNames)}. Choose one of them, such as ${join(folder, matrices[0]!)}.`,
    );
  }
  if (only !== undefined) return only;
  const other = otherFolders.find(([holds]) => names.some((name) => holds.test(name)));
  if (other !== undefined) throw new CommandFailure(exitCode.badInput, `${folder} ${other[1]}`);
  throw new CommandFailure(
    exitCode.badInput,
    `${folder} has no matrix: no matrix.mtx, matrix.mtx.gz, or another name with these endings, also in its folders. It ${
      names.length === 0 ? 'is empty' : `contains ${listedNames(names, maxListedNames)}`
    }.`,
  );
}

const otherFolders: readonly (readonly [holds: RegExp, text: string])[] = [
  [
    /^abundance\.(tsv|h5)$/i,
    'is of kallisto quant (abundance.tsv), which counts whole samples and no cells. Count cells with kb count, then use its folder counts_unfiltered.',
  ],
  [
    /^output(\.\w+)*\.bus$/i,
    'is of kallisto bus (output.bus), whose reads are not counted yet. Run bustools count or kb count, then use the folder with cells_x_genes.mtx.',
  ],
  [
    /^quants_mat\.gz$/i,
    'is of salmon alevin (quants_mat.gz), which cannot be read. Read it in R with fishpond or tximport, and save the object with saveRDS().',
  ],
];

function withTables(folder: string, matrix: string, names: readonly string[]): MatrixMarketFiles {
  const { cells, genes, symbols, expected } = tablesOfMatrix(matrix, names);
  const table = (what: string, match: string | undefined, candidates: readonly string[]): NamedFile => {
    if (match !== undefined) return { path: join(folder, match), name: match };
    const others = names.filter((name) => /\.[ct]sv(\.gz)?$/i.test(name));
    throw new CommandFailure(
      exitCode.badInput,
      `${join(folder, matrix)} has no ${what} in its folder: looked for ${candidates.join(', ')}. ${
        others.length === 0
          ? 'There is no other table in the folder.'
          : `There are: ${listedNames(others, maxListedNames)}.`
      }`,
    );
  };
  return {
    matrix: { path: join(folder, matrix), name: matrix },
    ...(symbols !== undefined && { symbols: { path: join(folder, symbols), name: symbols } }),
    tables: [table('list of cells', cells, expected.cells), table('list of genes', genes, expected.genes)],
  };
}

/** `GSM1_matrix.mtx.gz` → `GSM1`, `liver.mtx` → `liver`, `study/matrix.mtx` → `study`. */
function datasetName(matrix: string): string {
  const stem = basename(matrix)
    .replace(matrixName, '')
    .replace(/matrix$/i, '')
    .replace(/[_.-]+$/, '');
  return stem || basename(dirname(resolve(matrix)));
}

function unpacked(name: string): string {
  return name.replace(/\.gz$/i, '').toLowerCase();
}
