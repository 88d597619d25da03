import {
  type Caution,
  countText,
  cutText,
  type ProteinScale,
  listedNames,
  plural,
  pluralWord,
} from '@cellfolio/model';
import type { ReadWork } from '../read-candidate.ts';
import { areCounts, emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';
import { CentredLogRatio } from './centred-log-ratio.ts';
import { type ProteinMatrix, maxProteins } from './find-proteins.ts';
import { openProteinValues, type ProteinValues } from './protein-values.ts';

/** Proteins as stored: counts as centred log ratios, other values unchanged. */
export interface ReadProteins {
  readonly scale: ProteinScale;
  readonly names: readonly string[];
  readonly cells: number;
  readonly cautions: readonly Caution[];
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
  readonly sums: Float64Array;
  readonly missing: Int32Array;
  readonly statistics: ValueStatistics;
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

function cutCaution({ part, names }: ProteinMatrix, kept: number, normalised: boolean): Caution[] {
  if (kept === names.length) return [];
  return [
    {
      code: 'proteins-cut',
      message: `Of the ${countText(names.length)} proteins of ${part} the ${kept} with the largest sums are kept, which are the most that can be listed${normalised ? '; ratios are among these' : ''}.`,
      numbers: { proteins: names.length, kept },
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
