import { dirname } from 'node:path';
import { noCountsReason, type Table, packStrings, type Column } from '@cellfolio/model';
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
import type { RawCountBlock } from '../counts/count-blocks.ts';
import { uniqueNames } from '../matrix-market/tenx-tables.ts';
import { combinedCells } from './combined-cells.ts';
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
  sample: SampleFile;
  cells: number;
  genes: Pick<RawCounts, 'geneNames' | 'geneIds'>;
  obs: Table;
  proteins?: SampleProteins | undefined;
  proteinNotes: readonly string[];
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
    sameCells: prints.sameCells().map(sameCellsText),
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
  spill: Spill;
  folder: string;
  signal: AbortSignal | undefined;
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
  const { proteins: proteinMatrix, leftOut } = findProteins(
    file,
    matrices,
    chooseExpression(matrices)!,
    index,
  );
  const notesOf = (messages: readonly string[]) => messages.map((message) => `${name}: ${message}`);
  if (proteinMatrix === undefined) return { proteinNotes: notesOf(leftOut) };
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
    proteinMatrix,
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

const blockEntries = 1_048_576;

/**
 * Counts in blocks of cells with genes renumbered by `places`; those at -1 are left out. A gene-major matrix is
 * transposed in memory, 12 bytes per entry. Throws what `counts.blocks` throws.
 */
function* cellBlocks(counts: RawCounts, places: Int32Array): Generator<RawCountBlock> {
  const rising = places.every((place, gene) => place > (places[gene - 1] ?? -1));
  for (const block of counts.by === 'cell' ? counts.blocks() : turnedRound(counts))
    yield rising ? withPlaces(block, places) : sortedBlock(block, places);
}

function withPlaces(block: RawCountBlock, places: Int32Array): RawCountBlock {
  return { ...block, indices: block.indices.map((gene) => places[gene]!) };
}

function sortedBlock({ pointers, indices, counts }: RawCountBlock, places: Int32Array): RawCountBlock {
  const into = {
    pointers: new Float64Array(pointers.length),
    indices: new Int32Array(indices.length),
    counts: new Float64Array(counts.length),
  };
  let end = 0;
  for (let cell = 0; cell + 1 < pointers.length; cell++) {
    const order = [];
    for (let at = pointers[cell]!; at < pointers[cell + 1]!; at++)
      if (places[indices[at]!]! >= 0) order.push(at);
    order.sort((a, b) => places[indices[a]!]! - places[indices[b]!]!);
    for (const at of order) {
      into.indices[end] = places[indices[at]!]!;
      into.counts[end++] = counts[at]!;
    }
    into.pointers[cell + 1] = end;
  }
  return { ...into, indices: into.indices.slice(0, end), counts: into.counts.slice(0, end) };
}

/** Transposes a gene-major matrix into blocks of cells: reads it once to count, once to fill. */
function* turnedRound(counts: RawCounts): Generator<RawCountBlock> {
  const starts = new Float64Array(counts.cellCount + 1);
  for (const { indices } of counts.blocks()) for (const cell of indices) starts[cell + 1]! += 1;
  for (let cell = 0; cell < counts.cellCount; cell++) starts[cell + 1]! += starts[cell]!;
  const genes = new Int32Array(starts[counts.cellCount]!);
  const values = new Float64Array(genes.length);
  const next = starts.slice();
  let gene = 0;
  for (const { pointers, indices, counts: read } of counts.blocks()) {
    for (let vector = 0; vector + 1 < pointers.length; vector++, gene++) {
      for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
        const to = next[indices[at]!]!++;
        genes[to] = gene;
        values[to] = read[at]!;
      }
    }
  }
  for (let from = 0; from < counts.cellCount;) {
    let to = from + 1;
    while (to < counts.cellCount && starts[to + 1]! - starts[from]! <= blockEntries) to++;
    const [start, end] = [starts[from]!, starts[to]!];
    yield {
      pointers: starts.slice(from, to + 1).map((position) => position - start),
      indices: genes.slice(start, end),
      counts: values.slice(start, end),
    };
    from = to;
  }
}

interface FileGenes {
  geneNames: readonly string[];
  /** Ensembl ids; empty for a gene without one. */
  geneIds?: readonly string[];
}

/** Genes of several files under one numbering. */
interface CombinedGenes {
  /** `var`: unique names, and `gene_ids` if genes were matched by them. */
  table: Table;
  matchedBy: 'ids' | 'names';
  /** Per file and gene: index among the combined genes, or -1 if left out. */
  places: readonly Int32Array[];
  /** Number of genes that all files have; and that any has. */
  shared: number;
  any: number;
  elsewhere: readonly number[];
}

/**
 * Matches genes by Ensembl id if all files have one for every gene, else by name; of a name repeated in a file, the
 * first occurrence matches the first of the others. `keep`: genes that all files have, or those that any has, in the
 * order of the first file that has them.
 */
function combinedGenes(files: readonly FileGenes[], keep: 'shared' | 'all'): CombinedGenes {
  const byIds = files.every(({ geneIds }) => geneIds !== undefined && areKeys(geneIds));
  const keys = files.map(({ geneNames, geneIds }) => (byIds ? geneIds! : numbered(geneNames)));
  const genesByKey = new Map<string, { name: string; files: number }>();
  for (const [file, { geneNames }] of files.entries()) {
    for (const [gene, key] of keys[file]!.entries()) {
      const entry = genesByKey.get(key);
      if (entry === undefined) genesByKey.set(key, { name: geneNames[gene]!, files: 1 });
      else entry.files++;
    }
  }
  const shared = [...genesByKey].filter(([, gene]) => gene.files === files.length);
  const keptGenes = keep === 'shared' ? shared : [...genesByKey];
  const placeOf = new Map(keptGenes.map(([key], place) => [key, place]));
  const columns = new Map<string, Column>();
  if (byIds) columns.set('gene_ids', { kind: 'string', strings: packStrings(keptGenes.map(([id]) => id)) });
  return {
    table: {
      rowCount: keptGenes.length,
      indexName: '_index',
      index: packStrings(uniqueNames(keptGenes.map(([, { name }]) => name))),
      columns,
    },
    matchedBy: byIds ? 'ids' : 'names',
    places: keys.map((ofFile) => Int32Array.from(ofFile, (key) => placeOf.get(key) ?? -1)),
    shared: shared.length,
    elsewhere: keys.map((ofFile) => ofFile.filter((key) => genesByKey.get(key)!.files > 1).length),
    any: genesByKey.size,
  };
}

function areKeys(ids: readonly string[]): boolean {
  return ids.every((id) => id !== '') && new Set(ids).size === ids.length;
}

function numbered(names: readonly string[]): string[] {
  const occurrences = new Map<string, number>();
  return names.map((name) => {
    const before = occurrences.get(name) ?? 0;
    occurrences.set(name, before + 1);
    return before === 0 ? name : `${name}\0${before}`;
  });
}
