import {
  type Caution,
  countText,
  cutText,
  type ProteinScale,
  listedNames,
  plural,
  pluralWord,
} from '@cellfolio/model';
import { type ReadWork, readCandidate } from '../read-candidate.ts';
import { areCounts, emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';
import type { DatasetAdditions } from '../additions.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { GeneMajorMatrix } from '../transpose/gene-major-matrix.ts';
import { type ProteinMatrix, maxProteins, isColumns } from './find-proteins.ts';

/** Proteins as stored: counts as centred log ratios, other values unchanged. */
export interface ReadProteins {
  scale: ProteinScale;
  names: readonly string[];
  cells: number;
  cautions: readonly Caution[];
  /** Iterates over the proteins in the order of `names`; a missing value is NaN. */
  each(use: (place: number, values: Float32Array) => Promise<void> | void): Promise<void>;
  close(): Promise<void>;
}

/** Holds one protein in memory, or what reading its matrix takes. Throws H5adError or the signal's reason. */
export async function readProteins(work: ReadWork, proteinSource: ProteinMatrix): Promise<ReadProteins> {
  const values = await openProteinValues(work, proteinSource);
  try {
    const { sums, missing, statistics } = await survey(values, proteinSource.names.length);
    const keptProteins = largest(sums);
    const isKept = new Set(keptProteins);
    // A protein that was not measured in some cells is one of counts nevertheless.
    const normalise = proteinSource.scale === undefined && areCounts({ ...statistics, nan: 0 });
    const scale = normalise ? 'clr' : (proteinSource.scale ?? 'stored');
    const ratio = normalise ? await ratioOf(values, isKept) : undefined;
    return {
      scale,
      names: Array.from(keptProteins, (protein) => proteinSource.names[protein]!),
      cells: values.cells,
      cautions: [
        ...cutCaution(proteinSource, keptProteins.length, normalise),
        ...storedCaution(proteinSource, statistics, scale),
        ...missingCaution(proteinSource, keptProteins, missing, values.cells),
      ],
      each: async (use) => {
        let place = 0;
        await values.each(async (protein, ofCells) => {
          if (isKept.has(protein)) await use(place++, ratio?.of(ofCells) ?? Float32Array.from(ofCells));
        });
      },
      close: () => values.close(),
    };
  } catch (error) {
    await values.close();
    throw error;
  }
}

interface Survey {
  sums: Float64Array;
  missing: Int32Array;
  statistics: ValueStatistics;
}

async function survey(values: ProteinValues, proteins: number): Promise<Survey> {
  const sums = new Float64Array(proteins);
  const missing = new Int32Array(proteins);
  const statistics = emptyStatistics();
  await values.each((protein, ofCells) => {
    const before = statistics.nan;
    observe(ofCells, ofCells.length, statistics);
    missing[protein] = statistics.nan - before;
    let sum = 0;
    for (const value of ofCells) if (Number.isFinite(value)) sum += value;
    sums[protein] = sum;
  });
  return { sums, missing, statistics };
}

/** Indices of the proteins with the largest sums, in file order. */
function largest(sums: Float64Array): Int32Array {
  const all = Int32Array.from(sums, (_, protein) => protein);
  if (all.length <= maxProteins) return all;
  return all
    .toSorted((a, b) => sums[b]! - sums[a]! || a - b)
    .subarray(0, maxProteins)
    .toSorted();
}

async function ratioOf(values: ProteinValues, isKept: ReadonlySet<number>): Promise<CentredLogRatio> {
  const ratio = new CentredLogRatio(values.cells);
  await values.each((protein, ofCells) => {
    if (isKept.has(protein)) ratio.add(ofCells);
  });
  return ratio;
}

function cutCaution({ part, names }: ProteinMatrix, keptCount: number, normalised: boolean): Caution[] {
  if (keptCount === names.length) return [];
  return [
    {
      code: 'proteins-cut',
      message: `Of the ${countText(names.length)} proteins of ${part} the ${keptCount} with the largest sums are kept, which are the most that can be listed${normalised ? '; ratios are among these' : ''}.`,
      numbers: { proteins: names.length, kept: keptCount },
    },
  ];
}

function storedCaution(
  { part, scale: statedScale }: ProteinMatrix,
  { negative, entries }: ValueStatistics,
  scale: ProteinScale,
): Caution[] {
  if (scale === 'clr' || entries === 0) return [];
  const odd = negative > 0 ? ` (${plural(negative, 'is', 'are')} negative)` : '';
  const why =
    statedScale === undefined ? `since they are not all whole counts${odd}` : 'as the file says of them';
  return [
    {
      code: 'proteins-as-stored',
      message: `The values of the proteins in ${part} are kept as they are, ${why}.`,
      numbers: { negative },
    },
  ];
}

const namedMissing = 5;
const nameShown = 60;

function missingCaution(
  { part, names }: ProteinMatrix,
  keptProteins: Int32Array,
  missing: Int32Array,
  cells: number,
): Caution[] {
  const some = [...keptProteins].filter((protein) => missing[protein]! > 0);
  if (some.length === 0) return [];
  const named = some
    .toSorted((a, b) => missing[b]! - missing[a]! || a - b)
    .map((protein) => `${cutText(names[protein]!, nameShown)} in ${countText(missing[protein]!)}`);
  return [
    {
      code: 'proteins-missing',
      message: `${countText(some.length)} of the ${countText(keptProteins.length)} proteins of ${part} ${pluralWord(some.length, 'is', 'are')} missing (NaN) in some of the ${countText(cells)} cells: ${listedNames(named, namedMissing)}. These cells have no value of them, rather than 0.`,
      numbers: { proteins: some.length, values: some.reduce((sum, protein) => sum + missing[protein]!, 0) },
    },
  ];
}

/**
 * Centred log ratio of counts by cell, ln(1 + x / exp(mean of ln(1 + x))), with the mean over all proteins of the cell,
 * zeros included: Seurat's `NormalizeData(normalization.method = "CLR", margin = 2)` and muon's `prot.pp.clr(axis=1)`.
 * The pseudocount is 1, no value is negative, and 0 stays 0. Proteins not measured in a cell (NaN) stay NaN and do not
 * count in its mean.
 */
class CentredLogRatio {
  readonly #logs: Float64Array;
  /** Number of proteins measured in each cell. */
  readonly #measured: Int32Array;
  /** exp of each cell's mean; undefined until all counts are in. */
  #centres: Float64Array | undefined;

  constructor(cellCount: number) {
    this.#logs = new Float64Array(cellCount);
    this.#measured = new Int32Array(cellCount);
  }

  /** Adds the counts of one protein. All proteins must be added before the first ratio is requested. */
  add(counts: Float64Array): void {
    const [logs, measured] = [this.#logs, this.#measured];
    for (let cell = 0; cell < logs.length; cell++) {
      const count = counts[cell]!;
      if (count !== count) continue;
      logs[cell]! += Math.log1p(count);
      measured[cell]!++;
    }
  }

  of(counts: Float64Array): Float32Array {
    const centres = (this.#centres ??= this.#logs.map((sum, cell) => Math.exp(sum / this.#measured[cell]!)));
    const ratios = new Float32Array(counts.length);
    for (let cell = 0; cell < ratios.length; cell++)
      ratios[cell] = Math.log1p(counts[cell]! / centres[cell]!);
    return ratios;
  }
}

/** Receives the values of one protein in all kept cells; the array is valid only during the call. */
type UseProtein = (protein: number, values: Float64Array) => Promise<void> | void;

/** Values protein by protein; can be iterated repeatedly. */
interface ProteinValues {
  /** Number of values per protein. */
  cells: number;
  each(use: UseProtein): Promise<void>;
  close(): Promise<void>;
}

/** Throws H5adError or the signal's reason. */
async function openProteinValues(work: ReadWork, { values, names }: ProteinMatrix): Promise<ProteinValues> {
  const { file, additions, signal } = work;
  const all = isColumns(values) ? values[0]!.shape[0]! : values.layout.cellCount;
  const cells = additions.keptCells?.length ?? all;
  if (isColumns(values)) {
    return {
      cells,
      each: (use) =>
        eachColumn(file, values, additions.keptCells, async (protein, column) => {
          signal?.throwIfAborted();
          await use(protein, column);
        }),
      close: () => Promise.resolve(),
    };
  }
  // The reading of the genes was told as progress; a few hundred features more are not worth another bar.
  const matrix = await readCandidate({ ...work, onProgress: () => undefined }, values, false);
  return {
    cells,
    each: (use) => eachOfMatrix(matrix, { cells, proteins: names.length, signal }, use),
    close: () => matrix.close(),
  };
}

async function eachColumn(
  file: Hdf5File,
  columns: readonly DatasetInfo[],
  keptCells: DatasetAdditions['keptCells'],
  use: UseProtein,
): Promise<void> {
  for (const [protein, info] of columns.entries()) {
    const values = new Float64Array(info.shape[0]!);
    file.eachSlice(info, (elements, row) => decodeNumbers(elements, info.type, values, row));
    await use(
      protein,
      keptCells === undefined ? values : Float64Array.from(keptCells, (cell) => values[cell]!),
    );
  }
}

/** Entries arrive protein by protein; cells without an entry have 0. */
async function eachOfMatrix(
  matrix: GeneMajorMatrix,
  { cells, proteins, signal }: { cells: number; proteins: number; signal: AbortSignal | undefined },
  use: UseProtein,
): Promise<void> {
  const { indptr } = matrix;
  const values = new Float64Array(cells);
  let protein = 0;
  let at = 0;
  const handOver = async () => {
    for (; protein < proteins && indptr[protein + 1]! <= at; protein++) {
      await use(protein, values);
      values.fill(0);
    }
  };
  await matrix.write(
    'expression',
    {
      async write(entryCells, entries) {
        for (let i = 0; i < entryCells.length; i++, at++) {
          if (at === indptr[protein + 1]) await handOver();
          values[entryCells[i]!] = entries[i]!;
        }
      },
      close: handOver,
    },
    { signal },
  );
}
