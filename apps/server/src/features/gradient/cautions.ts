import type { GradientParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { type Caution, countText, percentText, listedNames, valueCautions } from '@cellfolio/model';
import { pValuesAtBound } from '../../runtime/p-value-cautions.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { Selection } from '../selection/index.ts';
import type { FoundAxis } from './axis-source.ts';
import type { GradientTable } from './gene-tasks.ts';
import { minCells, type TestedAxis } from './order-task.ts';

/** All that cautions are written from. */
interface Findings {
  readonly parameters: GradientParameters;
  readonly selection: Pick<Selection, 'manifest'>;
  readonly axis: Pick<FoundAxis, 'name' | 'cautions'>;
  readonly ordered: TestedAxis;
  readonly table: GradientTable;
  readonly samples: SampleColumn | undefined;
}

/** Of fewer cells a few others would change the ranking. */
const fewCells = 100;
/** An axis correlated so much with the counts of the cells is one of depth or size. */
const drivenByCounts = 0.4;
/** Samples that explain so much of an axis drive it. */
const drivingShare = 0.3;
/** So many cells at one place leave little of an axis. */
const muchAtOnePlace = 0.5;
const nearlyAll = 0.95;
/** So many cells before or behind the ends of a line. */
const muchBeyond = 0.3;
const maxNamesListed = 5;

/** What limits genes along an axis, the gravest first: only what applies, each with its figures. */
export function gradientCautions(known: Findings): Caution[] {
  return [
    ...valueCautions(known.selection.manifest, 'slopes are of the values as they are'),
    ...constantInSamples(known),
    ...nearlyConstant(known),
    ...cellsAsReplicates(known),
    ...followsSamples(known),
    ...followsCounts(known),
    ...madeOfExpression(known),
    ...pValuesAtBound(known.table.zeroPs),
    ...known.axis.cautions,
    ...beyondEnds(known),
    ...fewOnAxis(known),
    ...withinSamples(known),
    ...leftOut(known),
    ...fewerDegrees(known),
  ];
}

const cellsText = (cells: number) => (cells === 1 ? '1 cell' : `${countText(cells)} cells`);

function constantInSamples({ ordered, samples, axis }: Findings): Caution[] {
  const on = ordered.samples;
  if (!on || !samples || on.present < 2 || on.constant * 2 < on.present) return [];
  return [
    {
      code: 'axis-of-samples',
      message: `In ${on.constant} of ${on.present} samples of ${columnTitle(samples.column)} all cells have the same place on ${axis.name}: it is a property of the samples, and their cells are not replicates of it. To test it, run a pseudobulk DEG analysis with this column as a covariate.`,
      numbers: { column: samples.column, constant: on.constant, samples: on.present },
    },
  ];
}

function nearlyConstant({ ordered: { commonest, range }, parameters, axis }: Findings): Caution[] {
  const { place, share } = commonest;
  if (share < muchAtOnePlace) return [];
  const numbers = { place, share };
  if (share >= nearlyAll) {
    return [
      {
        code: 'axis-nearly-constant',
        message: `${percentText(share)} of the cells have the same place on ${axis.name}, ${numberText(place)}: the result rests on the few others, up to ${numberText(range[1])}.`,
        numbers,
      },
    ];
  }
  const isGene = parameters.axis.of === 'gene' && place === 0;
  return [
    {
      code: 'many-cells-at-one-place',
      message: isGene
        ? `${percentText(share)} of the cells do not express the gene of the axis: they share one rank, and for the most part genes are compared between cells with it and without. A gene that is not measured in a cell may be expressed all the same.`
        : `${percentText(share)} of the cells have the same place on ${axis.name}, ${numberText(place)}: they share one rank.`,
      numbers,
    },
  ];
}

function cellsAsReplicates({ ordered, samples, table, parameters }: Findings): Caution[] {
  if (ordered.within) return [];
  const cells = ordered.cells.tested;
  const on = ordered.samples;
  const why =
    samples === undefined
      ? 'No column is known to say which sample a cell is from'
      : !parameters.within_samples
        ? `The samples of ${columnTitle(samples.column)} were not tested by themselves, as was asked`
        : on === undefined
          ? `${columnTitle(samples.column)} has too many values to be samples`
          : `Fewer than two samples of ${columnTitle(samples.column)} have ${minCells} cells along the axis`;
  return [
    {
      code: 'cells-as-replicates',
      message: `${why}: each of ${cellsText(cells)} counts as a replicate, though cells of a sample resemble each other, and differences between samples look like a gradient. The p-values of ${countText(table.tested)} genes are too small: use them to rank the genes alone.`,
      numbers: {
        cells,
        tested: table.tested,
        ...(samples && { column: samples.column }),
        ...(on && { samples: on.present, usable: on.usable }),
      },
    },
  ];
}

function followsSamples({ ordered: { samples: on, within }, samples, axis }: Findings): Caution[] {
  if (!on || !samples || on.present < 2 || !(on.share >= drivingShare)) return [];
  const effect = within
    ? 'Tests within samples take no notice of that; the heatmap and the curves, which are of all cells, do.'
    : 'What is found may differ between samples rather than along the axis.';
  return [
    {
      code: 'axis-follows-samples',
      message: `The samples of ${columnTitle(samples.column)} explain ${percentText(on.share)} of the variance of ${axis.name} (eta squared). ${effect}`,
      numbers: { column: samples.column, share: on.share, samples: on.present },
    },
  ];
}

function followsCounts({ ordered: { countsRho }, axis }: Findings): Caution[] {
  if (!(Math.abs(countsRho) >= drivenByCounts)) return [];
  return [
    {
      code: 'axis-follows-counts',
      message: `The places of the cells on ${axis.name} are correlated with their total counts (Spearman ${countsRho.toFixed(2)}): the axis may show sequencing depth or the size of cells, and genes that are found in most cells with many counts follow it.`,
      numbers: { rho: countsRho },
    },
  ];
}

function madeOfExpression({ parameters: { axis } }: Findings): Caution[] {
  if (axis.of !== 'pseudotime' && axis.of !== 'groups' && axis.of !== 'line') return [];
  const isTime = axis.of === 'pseudotime';
  const made = isTime
    ? 'The same expression ordered the cells and is tested'
    : 'The same expression laid the cells out on the map and is tested';
  const distance = isTime
    ? ''
    : ' Distances on such a map have no unit, and cells far from the line are projected on it all the same.';
  return [
    {
      code: 'axis-made-of-expression',
      message: `${made}: genes follow the axis by construction. Use the p-values to rank genes, not as evidence of a process.${distance}`,
    },
  ];
}

function beyondEnds({ ordered: { line } }: Findings): Caution[] {
  if (!line || line.beyond < muchBeyond) return [];
  return [
    {
      code: 'cells-beyond-the-line',
      message: `${percentText(line.beyond)} of the cells lie before the beginning of the line or behind its end, and are ranked with the others. Make a subset of the cells along it the active one to leave them out.`,
      numbers: { share: line.beyond },
    },
  ];
}

function fewOnAxis({ ordered: { cells } }: Findings): Caution[] {
  if (cells.tested >= fewCells) return [];
  return [
    {
      code: 'few-cells',
      message: `${cellsText(cells.tested)} are few for a gradient: a few others could change it.`,
      numbers: { cells: cells.tested },
    },
  ];
}

function withinSamples({ ordered: { within, cells, curve }, samples }: Findings): Caution[] {
  if (!within) return [];
  const smallest = within.toSorted((one, other) => one.cells - other.cells)[0]!;
  return [
    {
      code: 'cells-as-replicates-in-samples',
      message: `Each gene was tested in ${within.length} samples of ${samples ? columnTitle(samples.column) : 'the dataset'} and the tests combined, so that differences between samples do not count. In these correlations each cell of a sample still counts as a replicate, and they say nothing of other samples: look at how many of these agree${curve.replicates === 'cells' ? '' : ', and at the p-value of the curve, which takes samples for replicates'}. The smallest, ${listedNames([smallest.name])}, has ${cellsText(smallest.cells)}.`,
      numbers: { samples: within.length, cells: cells.tested, smallest: smallest.cells },
    },
  ];
}

function leftOut({ ordered: { cells, samples: on, within }, samples, axis }: Findings): Caution[] {
  const found: Caution[] = [];
  const without = cells.analysed - cells.placed;
  if (without > 0) {
    found.push({
      code: 'cells-without-place',
      message: `${cellsText(without)} of ${countText(cells.analysed)} have no place on ${axis.name} and ${without === 1 ? 'is' : 'are'} left out.`,
      numbers: { without, analysed: cells.analysed },
    });
  }
  const small = cells.placed - cells.tested;
  if (within && on && samples && small > 0) {
    found.push({
      code: 'samples-left-out',
      message: `${cellsText(small)} ${small === 1 ? 'is' : 'are'} left out: of samples of ${columnTitle(samples.column)} with fewer than ${minCells} cells on the axis or with one place on it (${on.present - on.usable} of ${on.present}), or of no sample. The largest that are tested are ${listedNames(largest(within), maxNamesListed)}.`,
      numbers: { cells: small, samples: on.present, usable: on.usable },
    });
  }
  return found;
}

function largest(samples: NonNullable<TestedAxis['within']>): string[] {
  return samples.toSorted((one, other) => other.cells - one.cells).map(({ name }) => name);
}

function fewerDegrees({ ordered: { curve }, parameters }: Findings): Caution[] {
  if (curve.degrees >= parameters.degrees) return [];
  return [
    {
      code: 'fewer-degrees-of-freedom',
      message: `The curves have ${curve.degrees} of the ${parameters.degrees} degrees of freedom asked for: the axis has too few different places for more.`,
      numbers: { degrees: curve.degrees, asked: parameters.degrees },
    },
  ];
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
