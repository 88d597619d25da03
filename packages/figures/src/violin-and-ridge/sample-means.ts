import { type CategoricalColumn, type CellMask, countText, plural } from '@cellfolio/model';
import { countCategories, FigureInputError } from '../drawing/checked-input.ts';
import { largestFilled } from '../drawing/chosen-groups.ts';
import { columnLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import type { SampleMean, ViolinRowGroup, ViolinSpec } from '../drawing/distributions/violin-groups.ts';
import type { InputValues } from '../plot.ts';

/** The mean of fewer cells reflects chance more than the sample. */
const leastCells = 10;
const maxSamples = 300;

interface SampleMeans {
  rows: ViolinRowGroup[];
  samples: NonNullable<ViolinSpec['samples']>;
}

/**
 * Mean of each sample in each row, a gene's zeros included: the basis for comparing patients, since cells of one sample
 * are not independent. A sample with fewer than ten cells in a row has no mean there. Throws FigureInputError for a
 * column of numbers, or of other cells. `column`: rows as categories, by `codes`.
 */
export function withSampleMeans(
  rows: readonly ViolinRowGroup[],
  codes: readonly number[],
  column: CategoricalColumn,
  measure: InputValues['gene'] | { scores: Float64Array },
  { value, mask }: { value: InputValues['obs']; mask: CellMask | undefined },
): SampleMeans {
  const samples = samplesIn(value, column.codes.length);
  const sizes = countCategories(samples, mask).perCategory;
  const keptSamples = largestFilled(sizes, maxSamples);
  const placeOf = new Int32Array(samples.categories.length).fill(-1);
  keptSamples.forEach((code, place) => (placeOf[code] = place));
  const { sums, counts } = summed(column, samples.codes, {
    placeOf,
    places: keptSamples.length,
    measure,
    mask,
  });
  const labels = columnLabels(samples, keptSamples);
  const count = sizes.filter((cells) => cells > 0).length;
  let [leftOut, shown] = [0, 0];
  const withMeans = rows.map((row, i) => {
    const means: SampleMean[] = [];
    labels.forEach((label, place) => {
      const at = codes[i]! * keptSamples.length + place;
      const cells = counts[at]!;
      if (cells >= leastCells) means.push({ label, cells, mean: sums[at]! / cells });
      else if (cells > 0) leftOut++;
    });
    shown += means.length;
    return { ...row, samples: means };
  });
  return {
    rows: withMeans,
    samples: {
      title: cleanLabel(value.title),
      count,
      means: shown,
      leastCells,
      leftOut,
      ...(keptSamples.length < count && { largest: keptSamples.length }),
    },
  };
}

function samplesIn(value: InputValues['obs'], cells: number): CategoricalColumn {
  if (!('column' in value)) {
    throw new FigureInputError(
      'samples',
      `The column “${cleanLabel(value.title).slice(0, 80)}” has numbers: samples are categories.`,
    );
  }
  if (value.column.codes.length !== cells) {
    throw new FigureInputError(
      'samples',
      `the samples hold ${value.column.codes.length} cells, the groups ${cells}`,
    );
  }
  return value.column;
}

/** Sums and numbers of finite values by row and sample: `row * places + index of the sample`. */
function summed(
  { codes, categories }: CategoricalColumn,
  samples: CategoricalColumn['codes'],
  {
    placeOf,
    places,
    measure,
    mask,
  }: {
    placeOf: Int32Array;
    places: number;
    measure: InputValues['gene'] | { scores: Float64Array };
    mask: CellMask | undefined;
  },
) {
  const sums = new Float64Array(categories.length * places);
  const counts = new Uint32Array(categories.length * places);
  const bits = mask?.bits;
  const placeIn = (cell: number): number => {
    const row = codes[cell]!;
    const sample = samples[cell]!;
    if (row < 0 || sample < 0 || (bits !== undefined && bits[cell] !== 1)) return -1;
    const place = placeOf[sample]!;
    return place < 0 ? -1 : row * places + place;
  };
  if ('scores' in measure) {
    const { scores } = measure;
    for (let cell = 0; cell < codes.length; cell++) {
      const at = placeIn(cell);
      if (at < 0 || !Number.isFinite(scores[cell]!)) continue;
      sums[at]! += scores[cell]!;
      counts[at]!++;
    }
    return { sums, counts };
  }
  // Cells without a stored value are zeros.
  for (let cell = 0; cell < codes.length; cell++) {
    const at = placeIn(cell);
    if (at >= 0) counts[at]!++;
  }
  const { cells, values } = measure.gene;
  for (let i = 0; i < cells.length; i++) {
    const at = placeIn(cells[i]!);
    if (at < 0) continue;
    if (Number.isFinite(values[i]!)) sums[at]! += values[i]!;
    else counts[at]!--;
  }
  return { sums, counts };
}

export function samplesText({
  means,
  count,
  leastCells: minCells,
  leftOut,
  largest,
}: SampleMeans['samples']): string[] {
  return [
    `${plural(means, 'dot')}: means of ${largest === undefined ? '' : `the ${largest} largest of `}${countText(count)} samples`,
    ...(leftOut > 0 ? [`${countText(leftOut)} of fewer than ${minCells} cells left out`] : []),
  ];
}
