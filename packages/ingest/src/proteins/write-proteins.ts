import { countText, type Caution, type ProteinScale } from '@cellfolio/model';
import type { DatasetWriter } from '@cellfolio/store';
import type { ReadWork } from '../read-candidate.ts';
import { areCounts, emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';
import { CentredLogRatio } from './centred-log-ratio.ts';
import { type FoundProteins, maxProteins } from './find-proteins.ts';
import { openProteinValues, type ProteinValues } from './protein-values.ts';

/**
 * Writes the proteins as a second modality: counts as centred log ratios, other values as they are. Memory is that of one
 * protein, or what reading its matrix takes. What a user must know of them is put to the warnings. Throws H5adError, the
 * store's errors, the signal's reason.
 */
export async function writeProteins(
  work: ReadWork & { readonly writer: DatasetWriter },
  found: FoundProteins,
  warnings: Caution[],
): Promise<ProteinScale> {
  const values = await openProteinValues(work, found);
  try {
    const { sums, statistics } = await survey(values, found.names.length);
    const kept = largest(sums);
    const isKept = new Set(kept);
    const normalise = areCounts(statistics) && !found.isRatio;
    const scale = normalise || found.isRatio ? 'clr' : 'stored';
    const ratio = normalise ? await ratioOf(values, isKept, work.preflight.report.cells) : undefined;
    const write = await work.writer.proteins({
      scale,
      names: Array.from(kept, (protein) => found.names[protein]!),
      cells: work.preflight.obs.table.index,
    });
    let place = 0;
    await values.each(async (protein, ofCells) => {
      if (isKept.has(protein)) await write(place++, ratio?.of(ofCells) ?? Float32Array.from(ofCells));
    });
    warnings.push(...cautions(found, kept.length, statistics, scale));
    return scale;
  } finally {
    await values.close();
  }
}

async function survey(
  values: ProteinValues,
  proteins: number,
): Promise<{ sums: Float64Array; statistics: ValueStatistics }> {
  const sums = new Float64Array(proteins);
  const statistics = emptyStatistics();
  await values.each((protein, ofCells) => {
    observe(ofCells, ofCells.length, statistics);
    let sum = 0;
    for (const value of ofCells) if (Number.isFinite(value)) sum += value;
    sums[protein] = sum;
  });
  return { sums, statistics };
}

/** Those with the largest sums, in the order of the file. */
function largest(sums: Float64Array): Int32Array {
  const all = Int32Array.from(sums, (_, protein) => protein);
  if (all.length <= maxProteins) return all;
  return all
    .toSorted((a, b) => sums[b]! - sums[a]! || a - b)
    .subarray(0, maxProteins)
    .toSorted();
}

async function ratioOf(
  values: ProteinValues,
  isKept: ReadonlySet<number>,
  cells: number,
): Promise<CentredLogRatio> {
  const ratio = new CentredLogRatio(cells);
  await values.each((protein, ofCells) => {
    if (isKept.has(protein)) ratio.add(ofCells);
  });
  return ratio;
}

function cautions(
  { part, names }: FoundProteins,
  kept: number,
  { nan, negative, entries }: ValueStatistics,
  scale: ProteinScale,
): Caution[] {
  const of: Caution[] = [];
  if (kept < names.length) {
    of.push({
      code: 'proteins-cut',
      message: `Of the ${countText(names.length)} proteins of ${part} the ${kept} with the largest sums are kept, which are the most that can be listed${scale === 'clr' ? '; ratios are among these' : ''}.`,
      numbers: { proteins: names.length, kept },
    });
  }
  if (scale === 'clr' || entries === 0) return of;
  const odd = [
    ...(nan > 0 ? [`${countText(nan)} ${nan === 1 ? 'is' : 'are'} missing (NaN)`] : []),
    ...(negative > 0 ? [`${countText(negative)} ${negative === 1 ? 'is' : 'are'} negative`] : []),
  ];
  of.push({
    code: 'proteins-as-stored',
    message: `The values of the proteins in ${part} are kept as they are, since they are not all whole counts${odd.length > 0 ? ` (${odd.join(', ')})` : ''}.`,
    numbers: { missing: nan, negative },
  });
  return of;
}
