import { packStrings, stringAt, type CategoricalColumn, type Column, type Table } from '@cellfolio/model';
import { openCounts, type RawCounts } from '../counts/open-counts.ts';
import { geneFeatures } from '../features/gene-features.ts';
import { openDatasetFile } from '../formats/open-dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import { toCategorical } from '../roles/to-categorical.ts';
import type { SparseBlock } from '../write-h5ad/h5ad-content.ts';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import { cellBlocks } from './cell-blocks.ts';
import { combinedGenes, type CombinedGenes } from './combined-genes.ts';

/** One sample and its file of raw counts. */
export interface SampleFile {
  /** As the cells are named after it; no other has the same. */
  readonly name: string;
  readonly path: string;
  /** What its owner calls the file. */
  readonly source: string;
  /** Columns of obs to be and its value in each; empty where it has none. */
  readonly values: ReadonlyMap<string, string>;
}

export interface CombineFilesOptions {
  /** The genes that all files have, or those that any has: a file without a gene has no counts of it. */
  readonly genes: 'shared' | 'all';
  readonly signal?: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** What became of the files. */
export interface CombinedFile {
  readonly samples: readonly { readonly name: string; readonly cells: number; readonly genes: number }[];
  readonly cells: number;
  readonly genes: number;
  readonly genesShared: number;
  readonly genesOfAny: number;
  readonly matchedBy: CombinedGenes['matchedBy'];
  /** Columns of the files' obs that came along, and that were left. */
  readonly carried: readonly string[];
  readonly left: readonly string[];
  /** Proteins that a file has at most; none of them came along. */
  readonly proteins: number;
}

/** What a first look at a file found. */
interface Surveyed {
  readonly sample: SampleFile;
  readonly cells: number;
  readonly genes: Pick<RawCounts, 'geneNames' | 'geneIds'>;
  readonly obs: Table;
  readonly proteins: number;
}

/** Less in common than this is two species or two kinds of names. */
const minSharedGenes = 20;

/**
 * Writes an .h5ad file of the raw counts of several files: cells after each other by sample, barcodes as
 * `SAMPLE_BARCODE`, and in obs `sample`, the columns of the table of samples and text columns of the files, such as known
 * cell types. Memory is that of blocks, or of one file where it is stored by genes. The file appears when it is whole.
 *
 * Throws H5adError (`no-counts`, `shape-mismatch` where the files share no genes, and as reading does); H5adWriteFailed;
 * the signal's reason.
 */
export async function combineSamples(
  samples: readonly SampleFile[],
  output: string,
  { genes, signal, onProgress }: CombineFilesOptions,
): Promise<CombinedFile> {
  const surveyed: Surveyed[] = [];
  for (const sample of samples) {
    signal?.throwIfAborted();
    surveyed.push(await survey(sample));
  }
  const united = combinedGenes(
    surveyed.map(({ genes: ofFile }) => ofFile),
    genes,
  );
  if (united.shared < minSharedGenes) throw fewShared(surveyed, united);
  const { table: obs, carried, left } = combinedCells(surveyed);
  const all = surveyed.reduce((sum, { cells }) => sum + cells, 0);
  let done = 0;
  const blocks = async function* (): AsyncGenerator<SparseBlock> {
    for (const [file, { sample }] of surveyed.entries()) {
      const counts = await countsOf(sample);
      try {
        for (const { pointers, indices, counts: values } of cellBlocks(counts, united.places[file]!)) {
          yield { indptr: pointers, indices, values };
          done += pointers.length - 1;
          onProgress?.(done / all);
        }
      } finally {
        counts.close();
      }
    }
  };
  await writeH5ad(
    output,
    { obs, var: united.table, X: { format: 'csr', dtype: 'float32', blocks: blocks() } },
    { ...(signal && { signal }) },
  );
  return {
    samples: surveyed.map(({ sample, cells, genes: { geneNames } }) => ({
      name: sample.name,
      cells,
      genes: geneNames.length,
    })),
    cells: all,
    genes: united.table.rowCount,
    genesShared: united.shared,
    genesOfAny: united.any,
    matchedBy: united.matchedBy,
    carried,
    left,
    proteins: Math.max(...surveyed.map(({ proteins }) => proteins)),
  };
}

async function countsOf({ path, source }: SampleFile): Promise<RawCounts> {
  const counts = await openCounts(path);
  if (counts !== undefined) return counts;
  throw new H5adError({
    code: 'no-counts',
    path: source,
    part: '',
    problem: 'the file has no raw counts, and samples can only be combined from them.',
    hint: 'Give the file that the counts are in, such as filtered_feature_bc_matrix.',
  });
}

async function survey(sample: SampleFile): Promise<Surveyed> {
  const counts = await countsOf(sample);
  const { cellCount, geneNames, geneIds } = counts;
  counts.close();
  const file = await openDatasetFile(sample.path);
  try {
    const { table } = file.table(file.obsPath, 'obs');
    return {
      sample,
      cells: cellCount,
      genes: { geneNames, ...(geneIds !== undefined && { geneIds }) },
      obs: table,
      proteins:
        file.proteins?.(table.index)?.names.length ||
        (geneFeatures(file, file.varPath)?.proteins.length ?? 0),
    };
  } finally {
    file.hdf5.close();
  }
}

function fewShared(surveyed: readonly Surveyed[], { shared, matchedBy }: CombinedGenes): H5adError {
  const [first, ...others] = surveyed;
  const example = ({ genes: { geneNames } }: Surveyed) => geneNames[0] ?? 'none';
  return new H5adError({
    code: 'shape-mismatch',
    path: others.at(-1)?.sample.source ?? first!.sample.source,
    part: 'var',
    problem: `the files have ${shared} genes in common by their ${matchedBy}, too few to combine them: one begins with ${example(first!)}, another with ${example(others.at(-1) ?? first!)}.`,
    hint: 'Combine files of one species with the same kind of gene names.',
  });
}

/** Clusters are numbered file by file: number 0 of one is not number 0 of another. */
const clusterName = /cluster|leiden|louvain|phenograph/i;

function combinedCells(surveyed: readonly Surveyed[]): { table: Table; carried: string[]; left: string[] } {
  const columns = new Map<string, Column>();
  columns.set(
    'sample',
    byCell(surveyed, ({ sample }) => sample.name),
  );
  for (const name of new Set(surveyed.flatMap(({ sample }) => [...sample.values.keys()])))
    columns.set(
      name,
      byCell(surveyed, ({ sample }) => sample.values.get(name) ?? ''),
    );
  const own = [...new Set(surveyed.flatMap(({ obs }) => [...obs.columns.keys()]))].filter(
    (name) => !columns.has(name),
  );
  const carried: string[] = [];
  for (const name of own) {
    const made = clusterName.test(name) ? undefined : joined(surveyed, name);
    if (made === undefined) continue;
    columns.set(name, made);
    carried.push(name);
  }
  const names: string[] = [];
  for (const { sample, obs } of surveyed)
    for (let row = 0; row < obs.rowCount; row++) names.push(`${sample.name}_${stringAt(obs.index, row)}`);
  return {
    table: { rowCount: names.length, indexName: '_index', index: packStrings(names), columns },
    carried,
    left: own.filter((name) => !carried.includes(name)),
  };
}

/** A column with one value for all cells of a file. */
function byCell(surveyed: readonly Surveyed[], valueOf: (of: Surveyed) => string): CategoricalColumn {
  const values = surveyed.map(valueOf);
  const categories = [...new Set(values.filter((value) => value !== ''))];
  const codes = new Int32Array(surveyed.reduce((sum, { cells }) => sum + cells, 0));
  let from = 0;
  for (const [file, { cells }] of surveyed.entries()) {
    codes.fill(categories.indexOf(values[file]!), from, from + cells);
    from += cells;
  }
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

/** A column of texts that some files have; undefined where its values are numbers, or too many to be groups. */
function joined(surveyed: readonly Surveyed[], name: string): CategoricalColumn | undefined {
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(surveyed.reduce((sum, { cells }) => sum + cells, 0)).fill(-1);
  let from = 0;
  for (const { obs, cells } of surveyed) {
    const column = obs.columns.get(name);
    const made = column && toCategorical(column);
    if (column !== undefined && made === undefined) return undefined;
    if (made !== undefined) {
      const places = made.categories.map((category) => {
        if (!codeOf.has(category)) codeOf.set(category, codeOf.size);
        return codeOf.get(category)!;
      });
      for (let cell = 0; cell < cells; cell++) codes[from + cell] = places[made.codes[cell]!] ?? -1;
    }
    from += cells;
  }
  const categories = [...codeOf.keys()];
  if (categories.every((category) => Number.isFinite(Number(category)))) return undefined;
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
