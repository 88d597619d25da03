import { dirname } from 'node:path';
import { noCountsReason, type Table } from '@cellfolio/model';
import { openCounts, type RawCounts } from '../counts/open-counts.ts';
import { candidates } from '../expression/candidates.ts';
import { chooseExpression } from '../expression/choose-expression.ts';
import type { DatasetFile } from '../dataset-file.ts';
import { openDatasetFile } from '../formats/open-dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import { findProteins } from '../proteins/find-proteins.ts';
import { readProteins } from '../proteins/read-proteins.ts';
import { defaultMemoryBudget } from '../read-candidate.ts';
import { FileSpill, type Spill, SpillFiles } from '../transpose/spill.ts';
import type { SparseBlock } from '../write-h5ad/h5ad-content.ts';
import { writeFloatsH5ad } from '../write-h5ad/write-h5ad.ts';
import { cellBlocks } from './cell-blocks.ts';
import { combinedCells } from './combined-cells.ts';
import { combinedGenes, type CombinedGenes } from './combined-genes.ts';
import { CellPrints, sameCellsText } from './same-cells.ts';
import { combinedProteins, keepProteins, type SampleProteins } from './combined-proteins.ts';

export interface SampleFile {
  /** Unique; cells are named after it. */
  readonly name: string;
  readonly path: string;
  readonly source: string;
  /** Values by name of the future obs column; empty without a value. */
  readonly values: ReadonlyMap<string, string>;
}

export interface CombineFilesOptions {
  /** Genes that all files have, or those that any has: a file without a gene has zero counts of it. */
  readonly genes: 'shared' | 'all';
  readonly signal?: AbortSignal;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface CombinedFile {
  readonly samples: readonly {
    readonly name: string;
    readonly cells: number;
    readonly genes: number;
    readonly proteins: number;
  }[];
  readonly cells: number;
  readonly genes: number;
  readonly genesShared: number;
  readonly genesOfAny: number;
  readonly matchedBy: CombinedGenes['matchedBy'];
  readonly carried: readonly string[];
  readonly left: readonly string[];
  readonly proteins: readonly string[];
  readonly sameCells: readonly string[];
}

interface Surveyed {
  readonly sample: SampleFile;
  readonly cells: number;
  readonly genes: Pick<RawCounts, 'geneNames' | 'geneIds'>;
  readonly obs: Table;
  readonly proteins?: SampleProteins | undefined;
  readonly proteinNotes: readonly string[];
}

/** Fewer genes in common indicate two species or two naming schemes. */
const minSharedGenes = 20;

/**
 * Writes an .h5ad file with the raw counts and proteins of several files: cells sample by sample, barcodes as
 * `SAMPLE_BARCODE`; obs has `sample`, the columns of the table of samples and text columns of the files, such as cell
 * types. Memory holds blocks, or one file if it is gene-major; proteins wait on disk beside the file. The file appears
 * when it is complete. Throws H5adError (`no-counts`, `shape-mismatch` if the files share no genes, and as reading
 * does); H5adWriteFailed; the signal's reason.
 */
export async function combineSamples(
  samples: readonly SampleFile[],
  output: string,
  options: CombineFilesOptions,
): Promise<CombinedFile> {
  const folder = dirname(output);
  const files = await SpillFiles.create(folder, 1);
  try {
    const spill = new FileSpill(files.descriptors[0]!);
    const surveyed: Surveyed[] = [];
    for (const sample of samples) {
      options.signal?.throwIfAborted();
      surveyed.push(await survey(sample, { spill, folder, signal: options.signal }));
    }
    return await writeCombined(surveyed, { output, spill }, options);
  } finally {
    files.close();
  }
}

async function writeCombined(
  surveyed: readonly Surveyed[],
  { output, spill }: { output: string; spill: Spill },
  { genes, signal, onProgress }: CombineFilesOptions,
): Promise<CombinedFile> {
  const united = combinedGenes(
    surveyed.map(({ genes: ofFile }) => ofFile),
    genes,
  );
  if (united.shared < minSharedGenes) throw fewShared(surveyed, united);
  const { table: obs, carried, left } = combinedCells(surveyed);
  const proteins = combinedProteins(surveyed, spill);
  const all = surveyed.reduce((sum, { cells }) => sum + cells, 0);
  let prints = new CellPrints();
  const blocks = async function* (): AsyncGenerator<SparseBlock> {
    let done = 0;
    prints = new CellPrints();
    for (const [file, { sample, cells }] of surveyed.entries()) {
      const counts = await countsOf(sample);
      prints.begin(sample.name, cells);
      try {
        for (const block of cellBlocks(counts, united.places[file]!)) {
          prints.add(block);
          const { pointers, indices, counts: values } = block;
          yield { indptr: pointers, indices, values };
          done += pointers.length - 1;
          onProgress?.(done / all);
        }
      } finally {
        counts.close();
      }
    }
  };
  await writeFloatsH5ad(
    output,
    (dtype) => ({
      obs,
      var: united.table,
      X: { format: 'csr', dtype, blocks: blocks() },
      ...(proteins.content && { proteins: proteins.content }),
    }),
    { ...(signal && { signal }) },
  );
  return {
    samples: surveyed.map(({ sample, cells, genes: { geneNames } }, at) => ({
      name: sample.name,
      cells,
      genes: geneNames.length,
      proteins: proteins.ofSample[at]!,
    })),
    cells: all,
    genes: united.table.rowCount,
    genesShared: united.shared,
    genesOfAny: united.any,
    matchedBy: united.matchedBy,
    carried,
    left,
    proteins: [...surveyed.flatMap(({ proteinNotes }) => proteinNotes), ...proteins.notes],
    sameCells: prints.found().map(sameCellsText),
  };
}

async function countsOf({ path, source }: SampleFile): Promise<RawCounts> {
  const counts = await openCounts(path);
  if (counts !== undefined) return counts;
  const file = await openDatasetFile(path);
  const choice = chooseExpression(candidates(file));
  file.hdf5.close();
  const why = choice && (noCountsReason(choice.warnings) || ` ${choice.source.scale?.why ?? ''}`);
  throw new H5adError({
    code: 'no-counts',
    path: source,
    part: '',
    problem: `the file has no raw counts, and samples can only be combined from them.${why ?? ''}`,
    hint: 'Give the file that the counts are in, such as filtered_feature_bc_matrix.',
  });
}

interface Place {
  readonly spill: Spill;
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

async function survey(sample: SampleFile, place: Place): Promise<Surveyed> {
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
      ...(await proteinsOf(sample, file, table, place)),
    };
  } finally {
    file.hdf5.close();
  }
}

async function proteinsOf(
  { name }: SampleFile,
  file: DatasetFile,
  { index }: Table,
  { spill, folder, signal }: Place,
): Promise<Pick<Surveyed, 'proteins' | 'proteinNotes'>> {
  const matrices = candidates(file);
  const { found, leftOut } = findProteins(file, matrices, chooseExpression(matrices)!, index);
  const notesOf = (messages: readonly string[]) => messages.map((message) => `${name}: ${message}`);
  if (found === undefined) return { proteinNotes: notesOf(leftOut) };
  const proteins = await readProteins(
    {
      file: file.hdf5,
      preflight: { matrices },
      additions: {},
      memoryBudget: defaultMemoryBudget,
      spillFolder: folder,
      onProgress: () => undefined,
      signal,
    },
    found,
  );
  try {
    const cautions = proteins.cautions.map(({ message }) => message);
    return {
      proteins: await keepProteins(proteins, spill),
      proteinNotes: notesOf([...leftOut, ...cautions]),
    };
  } finally {
    await proteins.close();
  }
}

function fewShared(
  surveyed: readonly Surveyed[],
  { shared, matchedBy, elsewhere }: CombinedGenes,
): H5adError {
  const fewest = Math.min(...elsewhere);
  const odd = surveyed[elsewhere.indexOf(fewest)]!;
  const other = surveyed.find((one) => one !== odd) ?? odd;
  const begins = ({ genes: { geneNames } }: Surveyed) => geneNames[0] ?? 'none';
  return new H5adError({
    code: 'shape-mismatch',
    path: 'The combined file',
    part: '',
    problem: `it would have ${shared} genes that all files have by their ${matchedBy}, too few. Of the ${odd.genes.geneNames.length} genes of ${odd.sample.source} ${fewest} are in another file: it begins with ${begins(odd)}, ${other.sample.source} with ${begins(other)}.`,
    hint: 'Combine files of one species with the same kind of gene names.',
  });
}
