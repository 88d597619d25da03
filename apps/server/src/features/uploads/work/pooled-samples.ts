import { countText, type Caution } from '@cellfolio/model';
import type { Samples } from '@cellfolio/process';

/** Where the called cells of two samples differ so in depth, one test for both is unfair to the shallower. */
const UNEQUAL = 1.5;

/**
 * Says of cells that were called in all samples together where a sample of less RNA may have lost some: one knee and
 * one ambient profile hold for all barcodes of a matrix. `totals`: counts of each barcode; `cells`: those called.
 */
export function pooledSamples(
  totals: ArrayLike<number>,
  cells: Int32Array,
  samples: Samples | undefined,
): Caution[] {
  if (samples === undefined) return [];
  const depths = new Map<number, number[]>();
  for (const cell of cells) {
    const code = samples.codes[cell]!;
    if (code < 0) continue;
    const known = depths.get(code);
    if (known) known.push(totals[cell]!);
    else depths.set(code, [totals[cell]!]);
  }
  const medians = Array.from(depths, ([code, counts]) => ({
    name: samples.names[code]!,
    cells: counts.length,
    counts: counts.sort((a, b) => a - b)[counts.length >> 1]!,
  })).sort((a, b) => a.counts - b.counts);
  const [least, most] = [medians[0], medians.at(-1)];
  if (!least || !most || most.counts < UNEQUAL * least.counts) return [];
  return [
    {
      code: 'droplets-called-together',
      message: `The ${medians.length} samples were called together, by one knee. Called cells have a median of ${countText(least.counts)} counts in ${least.name} (${countText(least.cells)} cells) and of ${countText(most.counts)} in ${most.name} (${countText(most.cells)} cells): of a sample with less RNA, real cells may be left out as empty. Bring its matrix as a file of its own, or choose a minimum of counts.`,
      numbers: {
        samples: medians.length,
        leastSample: least.name,
        leastMedian: least.counts,
        leastCells: least.cells,
        mostSample: most.name,
        mostMedian: most.counts,
        mostCells: most.cells,
      },
    },
  ];
}
