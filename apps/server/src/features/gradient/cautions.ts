import type { GradientParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import {
  type ResultCaution as Caution,
  countText,
  percentText,
  listedNames,
  valueCautions,
  plural,
  pluralWord,
} from '@cellfolio/model';
import { pValuesAtBound } from '../../runtime/p-value-cautions.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { Selection } from '../selection/index.ts';
import type { ResolvedAxis } from './axis-source.ts';
import type { GradientTable } from './gene-tasks.ts';
import { minCells, type TestedAxis } from './order-task.ts';

interface Findings {
  parameters: GradientParameters;
  selection: Pick<Selection, 'manifest'>;
  axis: Pick<ResolvedAxis, 'name' | 'cautions'>;
  ordered: TestedAxis;
  table: GradientTable;
  samples: SampleColumn | undefined;
}

/** With fewer cells, a few other cells would change the ranking. */
const fewCells = 100;
/** An axis with a higher correlation to the cells' counts is one of depth or size. */
const drivenByCounts = 0.4;
/** Samples that explain a larger share of the axis drive it. */
const drivingShare = 0.3;
/** If a larger share of cells is at one position, little of an axis remains. */
const muchAtOnePlace = 0.5;
const nearlyAll = 0.95;
/** Share of cells before or beyond the ends of a line from which it is reported. */
const muchBeyond = 0.3;

/** Limits of genes along an axis that apply, each with its figures. */
export function gradientCautions(findings: Findings): Caution[] {
  return [
    ...valueCautions(findings.selection.manifest, 'slopes are of the values as they are'),
    ...constantInSamples(findings),
    ...nearlyConstant(findings),
    ...cellsAsReplicates(findings),
    ...followsSamples(findings),
    ...followsCounts(findings),
    ...madeOfExpression(findings),
    ...pValuesAtBound(findings.table.zeroPs),
    ...findings.axis.cautions,
    ...beyondEnds(findings),
    ...fewOnAxis(findings),
    ...withinSamples(findings),
    ...leftOut(findings),
    ...fewerDegrees(findings),
  ];
}

const cellsText = (cells: number) => plural(cells, 'cell');

function constantInSamples({ ordered, samples, axis }: Findings): Caution[] {
  const on = ordered.samples;
  if (!on || !samples || on.present < 2 || on.constant * 2 < on.present) return [];
  return [
    {
      code: 'axis-of-samples',
      message: `In ${on.constant} of ${on.present} samples (${columnTitle(samples.column)}) all cells have the same place on ${axis.name}: it is a property of samples, for which cells are not replicates. Run pseudobulk with this column as covariate.`,
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
        message: `${percentText(share)} of the cells have the same place on ${axis.name}, ${numberText(place)}: the result depends on the few others, up to ${numberText(range[1])}. Choose another axis.`,
        numbers,
      },
    ];
  }
  const isGene = parameters.axis.of === 'gene' && place === 0;
  return [
    {
      code: 'many-cells-at-one-place',
      message: isGene
        ? `${percentText(share)} of the cells do not express the gene of the axis and share one rank: interpret the result mostly as cells with it against cells without.`
        : `${percentText(share)} of the cells have the same place on ${axis.name}, ${numberText(place)}, and share one rank: analyse the others separately.`,
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
      ? 'No sample column is known'
      : !parameters.within_samples
        ? `The samples of ${columnTitle(samples.column)} were not tested separately, as chosen`
        : on === undefined
          ? `${columnTitle(samples.column)} has too many values to be samples`
          : `Fewer than two samples of ${columnTitle(samples.column)} have ${minCells} cells along the axis`;
  return [
    {
      code: 'cells-as-replicates',
      message: `${why}: each of ${cellsText(cells)} counts as a replicate, and differences between samples look like a gradient. The p-values of ${countText(table.tested)} genes are too small: only rank by them.`,
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
    ? 'Tests within samples are not affected; heatmap and curves, drawn from all cells, are.'
    : 'Genes may differ between samples instead: test within samples.';
  return [
    {
      code: 'axis-follows-samples',
      message: `Samples (${columnTitle(samples.column)}) explain ${percentText(on.share)} of the variance of ${axis.name}. ${effect}`,
      numbers: { column: samples.column, share: on.share, samples: on.present },
    },
  ];
}

function followsCounts({ ordered: { countsRho }, axis }: Findings): Caution[] {
  if (!(Math.abs(countsRho) >= drivenByCounts)) return [];
  return [
    {
      code: 'axis-follows-counts',
      message: `${axis.name[0]!.toUpperCase()}${axis.name.slice(1)} follows the total counts of the cells (Spearman ${countsRho.toFixed(2)}): it may show sequencing depth or cell size. Repeat it on cells with similar counts.`,
      numbers: { rho: countsRho },
    },
  ];
}

function madeOfExpression({ parameters: { axis } }: Findings): Caution[] {
  if (axis.of !== 'pseudotime' && axis.of !== 'groups' && axis.of !== 'line') return [];
  const isTime = axis.of === 'pseudotime';
  const reason = isTime
    ? 'The same expression ordered the cells and is tested'
    : 'The map was computed from the same expression that is tested';
  const distance = isTime
    ? ''
    : ' Distances on such a map have no unit, and even cells far from the line are projected on it.';
  return [
    {
      code: 'axis-made-of-expression',
      message: `${reason}: genes follow the axis by construction. Use the p-values to rank genes, not as evidence of a process.${distance}`,
    },
  ];
}

function beyondEnds({ ordered: { line } }: Findings): Caution[] {
  if (!line || line.beyond < muchBeyond) return [];
  return [
    {
      code: 'cells-beyond-the-line',
      message: `${percentText(line.beyond)} of the cells are beyond the ends of the line and are ranked with the others. To leave them out, activate a subset of the cells along it.`,
      numbers: { share: line.beyond },
    },
  ];
}

function fewOnAxis({ ordered: { cells } }: Findings): Caution[] {
  if (cells.tested >= fewCells) return [];
  return [
    {
      code: 'few-cells',
      message: `${cellsText(cells.tested)} are few for a gradient: a few others could change it. Use more cells, or confirm it in others.`,
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
      message: `Each gene was tested in ${within.length} samples of ${samples ? columnTitle(samples.column) : 'the dataset'} and the tests combined, so that differences between samples do not count. In these correlations each cell of a sample still counts as a replicate, and they do not generalise to other samples: check how many agree${curve.replicates === 'cells' ? '' : ', and the p-value of the curve, which treats samples as replicates'}. The smallest, ${listedNames([smallest.name])}, has ${cellsText(smallest.cells)}.`,
      numbers: { samples: within.length, cells: cells.tested, smallest: smallest.cells },
    },
  ];
}

function leftOut({ ordered: { cells, samples: on, within }, samples, axis }: Findings): Caution[] {
  const cautions: Caution[] = [];
  const without = cells.analysed - cells.placed;
  if (without > 0) {
    cautions.push({
      code: 'cells-without-place',
      message: `${cellsText(without)} of ${countText(cells.analysed)} have no place on ${axis.name} and ${pluralWord(without, 'is', 'are')} left out: check that they are not all of one type.`,
      numbers: { without, analysed: cells.analysed },
    });
  }
  const small = cells.placed - cells.tested;
  if (within && on && samples && small > 0) {
    cautions.push({
      code: 'samples-left-out',
      message: `${cellsText(small)} ${pluralWord(small, 'is', 'are')} left out: of samples of ${columnTitle(samples.column)} with fewer than ${minCells} cells on the axis or with one place on it (${on.present - on.usable} of ${on.present}), or of no sample. Check that the others represent them.`,
      numbers: { cells: small, samples: on.present, usable: on.usable },
    });
  }
  return cautions;
}

function fewerDegrees({ ordered: { curve }, parameters }: Findings): Caution[] {
  if (curve.degrees >= parameters.degrees) return [];
  return [
    {
      code: 'fewer-degrees-of-freedom',
      message: `The curves have ${curve.degrees} of the ${parameters.degrees} requested degrees of freedom: the axis has too few different places for more.`,
      numbers: { degrees: curve.degrees, asked: parameters.degrees },
    },
  ];
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
