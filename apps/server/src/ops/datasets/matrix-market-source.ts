import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  convertMatrixMarket,
  type MatrixMarketFiles,
  type NamedFile,
  type PreflightReport,
} from '@cellfolio/ingest';
import { CommandFailure, exitCode } from '../command.ts';

/** An .h5ad file made of a matrix and its two tables. */
export interface ConvertedTrio {
  /** Of the .h5ad file, which the caller removes. */
  readonly path: string;
  /** What a dataset of it is called, where nobody says. */
  readonly name: string;
  /** Which files it was made of, as rows above those of a report. */
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  /** A report of it, as one of the matrix: the .h5ad file is gone when it is read. */
  readonly reported: (report: PreflightReport) => PreflightReport;
  readonly remove: () => Promise<void>;
}

interface ConvertOptions {
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
  readonly signal: AbortSignal;
}

const matrixName = /\.mtx(\.gz)?$/i;
const tableName = /(barcodes|features|genes)\.tsv(\.gz)?$/i;
const maxListedNames = 8;

/**
 * Converts what Cell Ranger writes: a folder with a matrix, barcodes and features (or genes, as before version 3), or
 * one matrix with the two beside it, each packed by gzip or not. Undefined where the source is neither. Throws
 * CommandFailure that says which file is missing and which names were looked for; TextFileError.
 */
export async function convertedTrio(
  source: string,
  dataDir: string,
  { onProgress, signal }: ConvertOptions,
): Promise<ConvertedTrio | undefined> {
  const files = await trioOf(source);
  if (files === undefined) return undefined;
  const folder = join(dataDir, 'downloads');
  const path = join(folder, `${randomUUID()}.h5ad`);
  const remove = () => rm(path, { force: true });
  await mkdir(folder, { recursive: true });
  try {
    const { barcodes, features, notes } = await convertMatrixMarket(files, path, {
      signal,
      onProgress: (share) => onProgress({ stage: 'converting', done: Math.round(share * 100), total: 100 }),
    });
    const matrix = files.matrix.path;
    const { size: bytes } = await stat(matrix);
    return {
      path,
      name: datasetName(matrix),
      rows: [
        { label: 'Cells from', value: barcodes.path },
        { label: 'Genes from', value: features.path },
      ],
      reported: (report) => ({
        ...report,
        file: { path: matrix, bytes },
        warnings: [...notes.map((message) => ({ code: 'matrix-market', message })), ...report.warnings],
      }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function trioOf(source: string): Promise<MatrixMarketFiles | undefined> {
  const found = await stat(source).catch(() => undefined);
  if (found?.isDirectory() === true) {
    const names = await readdir(source);
    return withTables(source, onlyMatrix(source, names), names);
  }
  if (found?.isFile() !== true) return undefined;
  if (tableName.test(source)) {
    throw new CommandFailure(
      exitCode.badInput,
      `${source} lists the names of a matrix. Name the folder ${dirname(source)}, or the matrix in it.`,
    );
  }
  if (!matrixName.test(source)) return undefined;
  const folder = dirname(source);
  return withTables(folder, basename(source), await readdir(folder));
}

/** The one matrix of a folder. Where a matrix lies there packed and unpacked, the unpacked one: it is read faster. */
function onlyMatrix(folder: string, names: readonly string[]): string {
  const matrices = names.filter((name) => matrixName.test(name)).toSorted();
  const different = new Map(matrices.toReversed().map((name) => [unpacked(name), name]));
  const [only, ...more] = different.values();
  if (more.length > 0) {
    throw new CommandFailure(
      exitCode.badInput,
      `${folder} holds ${different.size} matrices: ${listed(matrices)}. Name one of them, such as ${join(folder, matrices[0]!)}.`,
    );
  }
  if (only !== undefined) return only;
  const inside = ['filtered_feature_bc_matrix', 'filtered_gene_bc_matrices', 'outs'].find((name) =>
    names.includes(name),
  );
  const zarr = names.some((name) => name === '.zgroup' || name === 'zarr.json');
  throw new CommandFailure(
    exitCode.badInput,
    `${folder} is a folder without a matrix: looked for matrix.mtx, matrix.mtx.gz, or another file ending so. ${
      inside !== undefined
        ? `Did you mean ${join(folder, inside)}?`
        : zarr
          ? 'It seems to be AnnData-Zarr; in Python: anndata.read_zarr("folder").write_h5ad("file.h5ad").'
          : `It holds ${names.length === 0 ? 'nothing' : listed(names)}.`
    }`,
  );
}

function withTables(folder: string, matrix: string, names: readonly string[]): MatrixMarketFiles {
  const prefixes = prefixesOf(matrix);
  const packing = /\.gz$/i.test(matrix) ? ['.gz', ''] : ['', '.gz'];
  const table = (what: string, kinds: readonly string[]): NamedFile => {
    const wanted = prefixes.flatMap((prefix) =>
      kinds.flatMap((kind) => packing.map((end) => `${prefix}${kind}.tsv${end}`)),
    );
    const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
    const found = wanted.map((name) => byName.get(name.toLowerCase())).find((name) => name !== undefined);
    if (found !== undefined) return { path: join(folder, found), name: found };
    const others = names.filter((name) => /\.[ct]sv(\.gz)?$/i.test(name));
    throw new CommandFailure(
      exitCode.badInput,
      `${join(folder, matrix)} has no ${what} beside it: looked for ${wanted.join(', ')}. ${
        others.length === 0 ? 'There is no other table in the folder.' : `There are: ${listed(others)}.`
      }`,
    );
  };
  return {
    matrix: { path: join(folder, matrix), name: matrix },
    tables: [table('list of cells', ['barcodes']), table('list of genes', ['features', 'genes'])],
  };
}

/** What stands before `barcodes.tsv`: the same as before `matrix.mtx`; beside `liver.mtx`, `liver_`, `liver.` or nothing. */
function prefixesOf(matrix: string): string[] {
  const stem = matrix.replace(matrixName, '');
  if (/matrix$/i.test(stem)) return [stem.slice(0, -'matrix'.length)];
  return [...['_', '.', '-'].map((mark) => stem + mark), ''];
}

/** `GSM1_matrix.mtx.gz` → `GSM1`, `liver.mtx` → `liver`; `matrix.mtx` tells nothing, but its folder may. */
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

function listed(names: readonly string[]): string {
  const rest = names.length - maxListedNames;
  return `${names.slice(0, maxListedNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
