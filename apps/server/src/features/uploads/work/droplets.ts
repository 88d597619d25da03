import type { DropletChoice, DropletPlan } from '@cellfolio/contract';
import { dropletDefaults } from '@cellfolio/contract/work';
import type { RawCounts } from '@cellfolio/ingest';
import { countText, type Caution, type DropletRecord, plural } from '@cellfolio/model';
import {
  callCells,
  drawsNeeded,
  minEmptyDroplets,
  inspectDroplets,
  maxDraws,
  onlyCells,
  type Droplets,
  type Samples,
} from '@cellfolio/process';
import { WorkFailed } from './failures.ts';
import type { WorkContext } from './work.ts';

export interface DropletsOf {
  record: DropletRecord;
  curve: DropletPlan['curve'];
  /** Positions of the kept barcodes, ascending; absent when all are kept. */
  cells?: Int32Array;
  cautions: readonly Caution[];
}

const maxCurvePoints = 400;

/**
 * Looks for empty droplets among the barcodes of a matrix, and calls cells if there are some or if that was chosen.
 * Undefined when the matrix has none and nothing was chosen. Reads the counts up to three times. Throws WorkFailed
 * `no_empty_droplets`, H5adError, the signal's reason.
 */
export async function dropletsOf(
  counts: RawCounts,
  { choice, samples }: { choice: DropletChoice | undefined; samples: Samples | undefined },
  { signal, onProgress }: Pick<WorkContext, 'signal' | 'onProgress'>,
): Promise<DropletsOf | undefined> {
  if (choice?.keep === undefined && counts.cellCount < minEmptyDroplets) return undefined;
  const lower = choice?.emptyUpTo ?? dropletDefaults.emptyUpTo;
  onProgress('Looking for empty droplets', 0);
  const droplets = await inspectDroplets(counts, { lower, signal });
  const draws = drawsNeeded(droplets, { lower, iterations: dropletDefaults.iterations });
  const testable = draws <= maxDraws;
  const keep = choice?.keep ?? (!droplets.holdsEmpty ? 'all' : testable ? 'called' : 'minimum');
  if (!droplets.holdsEmpty && (choice?.keep ?? 'all') === 'all') return undefined;
  const selection = await keptOf(counts, droplets, keep, { choice, lower, signal, onProgress });
  const { totals, ranks } = droplets;
  const record: DropletRecord = {
    barcodes: counts.cellCount,
    emptyUpTo: lower,
    empty: totals.reduce((sum, total) => sum + Number(total <= lower), 0),
    detected: droplets.holdsEmpty,
    keep,
    cells: selection.cells?.length ?? counts.cellCount,
    ...(ranks?.knee !== undefined && { knee: ranks.knee }),
    ...(ranks && { inflection: ranks.inflection }),
    ...selection.settings,
  };
  return {
    record,
    curve: curveOf(droplets, selection.cells),
    ...(selection.cells && { cells: selection.cells }),
    cautions: [
      cautionOf(record),
      ...(choice?.keep === undefined && !testable ? [untestedCaution(draws)] : []),
      ...limitedCautions(selection.limited ?? 0, record),
      ...(keep === 'called' && selection.cells ? pooledSamples(totals, selection.cells, samples) : []),
    ],
  };
}

export function countsOfCells(counts: RawCounts, cells: Int32Array | undefined): RawCounts {
  if (cells === undefined) return counts;
  const { by, cellCount, geneCount } = counts;
  return {
    ...counts,
    cellCount: cells.length,
    // How many entries are left shows while they are read, as with a dense matrix.
    entryCount: cells.length * geneCount,
    *blocks() {
      for (const { pointers, indices, counts: values } of onlyCells(counts.blocks(), {
        by,
        cells,
        cellCount,
      }))
        yield { pointers: Float64Array.from(pointers), indices, counts: Float64Array.from(values) };
    },
  };
}

interface SelectedBarcodes {
  cells?: Int32Array;
  settings: Partial<DropletRecord>;
  /** Number of barcodes that more iterations might call. */
  limited?: number;
}

async function keptOf(
  counts: RawCounts,
  droplets: Droplets,
  keep: DropletRecord['keep'],
  {
    choice,
    lower,
    signal,
    onProgress,
  }: { choice: DropletChoice | undefined; lower: number } & Pick<WorkContext, 'signal' | 'onProgress'>,
): Promise<SelectedBarcodes> {
  const { totals, ranks } = droplets;
  if (keep === 'all') return { settings: {} };
  if (keep === 'minimum') {
    const minimumCounts = choice?.minimumCounts ?? ranks?.inflection ?? lower + 1;
    const cells = Int32Array.from(totals.keys()).filter((barcode) => totals[barcode]! >= minimumCounts);
    return { cells, settings: { minimumCounts } };
  }
  if (!totals.some((total) => total > 0 && total <= lower)) throw noEmptyDroplets(lower);
  const falseDiscoveryRate = choice?.falseDiscoveryRate ?? dropletDefaults.falseDiscoveryRate;
  const { cells, ambient, limited, iterations } = await callCells(
    counts,
    droplets,
    { lower, falseDiscoveryRate, iterations: dropletDefaults.iterations },
    { signal, onProgress: (fraction) => onProgress('Calling cells', 0.05 * fraction) },
  );
  return {
    cells,
    limited,
    settings: { falseDiscoveryRate, iterations, concentration: ambient.concentration },
  };
}

function curveOf({ totals, ranks }: Droplets, cells: Int32Array | undefined): DropletPlan['curve'] {
  if (ranks === undefined) return [];
  const all = new Map<number, number>();
  const cellsByTotal = new Map<number, number>();
  for (const total of totals) all.set(total, (all.get(total) ?? 0) + 1);
  for (const cell of cells ?? []) cellsByTotal.set(totals[cell]!, (cellsByTotal.get(totals[cell]!) ?? 0) + 1);
  const step = Math.log(ranks.ranks.at(-1)! + 1) / maxCurvePoints;
  const curve: DropletPlan['curve'] = [];
  let next = 0;
  let [barcodes, cellCount] = [0, 0];
  ranks.ranks.forEach((rank, at) => {
    const total = ranks.totals[at]!;
    barcodes += all.get(total)!;
    cellCount += cellsByTotal.get(total) ?? 0;
    if (Math.log(rank) < next && at + 1 < ranks.ranks.length) return;
    next = Math.log(rank) + step;
    curve.push({ rank, counts: total, cells: cells === undefined ? 1 : cellCount / barcodes });
    [barcodes, cellCount] = [0, 0];
  });
  return curve;
}

function cautionOf(record: DropletRecord): Caution {
  const { barcodes, emptyUpTo, empty, detected, keep, cells, knee, minimumCounts, falseDiscoveryRate } =
    record;
  const summary = detected
    ? `The matrix holds empty droplets: ${countText(empty)} of ${countText(barcodes)} barcodes have at most ${countText(emptyUpTo)} counts.`
    : `Of ${countText(barcodes)} barcodes ${countText(empty)} have at most ${countText(emptyUpTo)} counts.`;
  const knees = knee === undefined ? '' : `, ${countText(knee)} counts or more without a test`;
  const done = {
    called: `${countText(cells)} were called cells (EmptyDrops, false discovery rate ${falseDiscoveryRate}${knees}); the others are left out. Called cells are not filtered by counts or genes unless you set a minimum.`,
    minimum: `${countText(cells)} have at least ${countText(minimumCounts ?? 0)} counts and are kept as cells; the others are left out.`,
    all: 'All are kept, as you chose: clusters may be empty droplets.',
  }[keep];
  return {
    code: keep === 'all' ? 'empty-droplets-kept' : 'empty-droplets',
    message: `${summary} ${done}`,
    numbers: { barcodes, emptyUpTo, empty, cells, ...(knee !== undefined && { knee }) },
  };
}

function untestedCaution(draws: number): Caution {
  return {
    code: 'droplets-not-tested',
    message: `Empty droplets were not detected by the EmptyDrops test: it would draw ${draws.toExponential(1)} molecules, more than ${maxDraws.toExponential(0)}. Barcodes with at least as many counts as the inflection of the curve are kept instead; small cells below it are left out.`,
    numbers: { draws, mostDraws: maxDraws },
  };
}

function limitedCautions(
  limited: number,
  { iterations = 0, falseDiscoveryRate = 0 }: DropletRecord,
): Caution[] {
  if (limited === 0) return [];
  return [
    {
      code: 'droplets-limited',
      message: `${plural(limited, 'barcode is', 'barcodes are')} left out although none of ${countText(iterations)} simulated droplets is as improbable: this many iterations cannot reach the false discovery rate ${falseDiscoveryRate}. Choose a higher rate, or a minimum of counts.`,
      numbers: { limited, iterations, falseDiscoveryRate },
    },
  ];
}

function noEmptyDroplets(lower: number): WorkFailed {
  return new WorkFailed(
    'no_empty_droplets',
    `No barcode has at most ${countText(lower)} counts, so the content of empty droplets is unknown and no cells can be called. Keep all barcodes, or raise the count limit of empty droplets.`,
  );
}

/**
 * When the depth of called cells of two samples differs by this factor, one test for both is unfair to the shallower.
 */
const unequalDepth = 1.5;

/**
 * Caution about cells that were called in all samples together, when a sample with less RNA may have lost some: one
 * knee and one ambient profile hold for all barcodes of a matrix. `totals`: counts of each barcode; `cells`: the called
 * ones.
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
    const sampleDepths = depths.get(code);
    if (sampleDepths) sampleDepths.push(totals[cell]!);
    else depths.set(code, [totals[cell]!]);
  }
  const medians = Array.from(depths, ([code, counts]) => ({
    name: samples.names[code]!,
    cells: counts.length,
    counts: counts.sort((a, b) => a - b)[counts.length >> 1]!,
  })).sort((a, b) => a.counts - b.counts);
  const [shallowest, deepest] = [medians[0], medians.at(-1)];
  if (!shallowest || !deepest || deepest.counts < unequalDepth * shallowest.counts) return [];
  return [
    {
      code: 'droplets-called-together',
      message: `The ${medians.length} samples were called together, by one knee. Called cells have a median of ${countText(shallowest.counts)} counts in ${shallowest.name} (${countText(shallowest.cells)} cells) and of ${countText(deepest.counts)} in ${deepest.name} (${countText(deepest.cells)} cells): real cells of a sample with less RNA may be left out as empty. Upload its matrix as a separate file, or choose a minimum of counts.`,
      numbers: {
        samples: medians.length,
        leastSample: shallowest.name,
        leastMedian: shallowest.counts,
        leastCells: shallowest.cells,
        mostSample: deepest.name,
        mostMedian: deepest.counts,
        mostCells: deepest.cells,
      },
    },
  ];
}
