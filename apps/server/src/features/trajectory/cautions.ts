import { stationary } from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
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
import type { Selection } from '../selection/index.ts';
import { pValuesAtBound } from '../../runtime/p-value-cautions.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { GeneTable } from './gene-tasks.ts';
import type { OrderedCells } from './order-task.ts';
import { hasNoPath } from './path-structure.ts';

interface Findings {
  ordered: OrderedCells;
  cells: { analysed: number; without: number };
  table: GeneTable;
  samples: SampleColumn | undefined;
  selection: Selection;
  parameters: TrajectoryParameters;
}

/** With fewer cells, a few other cells would change the order. */
const fewCells = 300;
/** Samples that explain more of pseudotime than this share, and more than the groups do, drive it. */
const drivingShare = 0.3;
/** A larger step between two cells is a gap. */
const wideGap = 0.1;
/**
 * Below it a root is not a tip: on simulated forks cells near a tip had 0.72 or more, those along a path 0.59 or less.
 */
const minTipShare = 2 / 3;
const maxNamesListed = 5;

export function trajectoryCautions(findings: Findings): Caution[] {
  return [
    ...valueCautions(findings.selection.manifest, 'slopes are of the values as they are'),
    ...noStructure(findings),
    ...unreachedCells(findings),
    ...drivenBySamples(findings),
    ...nearlyApart(findings),
    ...gapInOrder(findings),
    ...rootInMiddle(findings),
    ...suggestedRoot(findings),
    ...fewInOrder(findings),
    circularTests(findings),
    ...pValuesAtBound(findings.table.zeroPs),
    noClock(),
    ...withoutComponents(findings),
    ...unlabelled(findings),
  ];
}

function noStructure({ ordered: { structure }, cells: { analysed } }: Findings): Caution[] {
  if (structure === undefined) {
    return [
      {
        code: 'path-not-checked',
        message: `Whether the ${countText(analysed)} cells show a path was not checked, as the file has the graph without its coordinates. Pseudotime orders any cells: look for a path on the map.`,
        numbers: { cells: analysed },
      },
    ];
  }
  const { own, shuffled, cells } = structure;
  if (!hasNoPath(structure)) return [];
  return [
    {
      code: 'no-path-in-data',
      message: `The ${countText(cells)} cells show no path: their graph is hardly more elongated than that of shuffled data (second eigenvalue ${own.toFixed(3)} against ${shuffled.toFixed(3)}). Pseudotime most likely orders noise: do not use it.`,
      numbers: { eigenvalue: own, shuffledEigenvalue: shuffled, cells },
    },
  ];
}

function unreachedCells({ ordered, cells }: Findings): Caution[] {
  const unreached = cells.analysed - ordered.reached;
  if (unreached === 0) return [];
  const names = ordered.groups
    .filter((group) => group.reached < group.cells)
    .toSorted((one, other) => other.cells - other.reached - (one.cells - one.reached))
    .map((group) => `${group.name} (${countText(group.cells - group.reached)} of ${countText(group.cells)})`);
  const where = names.length > 0 ? `, of ${listedNames(names, maxNamesListed)}` : '';
  return [
    {
      code: 'disconnected-graph',
      message: `The graph has ${countText(ordered.parts)} separate parts: ${plural(unreached, 'cell is', 'cells are')} not connected with the root${where}, and without pseudotime. Choose a subset of one lineage, or a root in the right part.`,
      numbers: { parts: ordered.parts, unreached, analysed: cells.analysed },
    },
  ];
}

function drivenBySamples({ ordered, samples, parameters }: Findings): Caution[] {
  const { shares } = ordered;
  const { samples: share, groups, sampleCount = 0 } = shares;
  if (!samples || share === undefined || sampleCount < 2) {
    if (samples && sampleCount === 1) {
      return [
        {
          code: 'one-sample',
          message: `All ${countText(ordered.reached)} ordered cells are of one sample of ${columnTitle(samples.column)}: the order may not hold in others. Confirm it there.`,
          numbers: { column: samples.column, cells: ordered.reached },
        },
      ];
    }
    return [];
  }
  const explained = `Samples (${columnTitle(samples.column)}) explain ${percentText(share)} of the variance of pseudotime`;
  const byGroups = Number.isNaN(groups)
    ? ''
    : `, the groups of ${columnTitle(parameters.groupby)} ${percentText(groups)}`;
  // A comparison with NaN is false: without groups the share alone decides.
  const isDriven = share >= drivingShare && !(share < groups / 2);
  if (!isDriven) return [];
  return [
    {
      code: 'order-follows-samples',
      message: `${explained}${byGroups}. The order may follow samples or batches: check pseudotime within each sample.`,
      numbers: {
        column: samples.column,
        samplesShare: share,
        samples: sampleCount,
        // JSON has no NaN.
        ...(!Number.isNaN(groups) && { groupsShare: groups }),
      },
    },
  ];
}

function nearlyApart({ ordered: { eigenvalues } }: Findings): Caution[] {
  const ignored = eigenvalues.subarray(1).filter((value) => value >= stationary).length;
  if (ignored === 0) return [];
  return [
    {
      code: 'graph-nearly-apart',
      message: `The graph nearly falls apart (${ignored === 1 ? 'the second eigenvalue is' : `${ignored} eigenvalues after the first are`} ${stationary} or more): distances between its parts are unreliable. Choose a subset of one lineage.`,
      numbers: { eigenvalues: ignored },
    },
  ];
}

function gapInOrder({ ordered: { gap } }: Findings): Caution[] {
  if (gap.width < wideGap) return [];
  return [
    {
      code: 'gap-in-order',
      message: `No cell lies between pseudotime ${gap.after.toFixed(2)} and ${(gap.after + gap.width).toFixed(2)}: cells on the two sides may be separate types, not stages of one process. Order each side separately.`,
      numbers: { after: gap.after, width: gap.width },
    },
  ];
}

function rootInMiddle({ ordered: { root } }: Findings): Caution[] {
  if (root.tipShare >= minTipShare) return [];
  return [
    {
      code: 'root-in-the-middle',
      message: `The root is not at a tip: of the nearest quarter of the cells, ${percentText(1 - root.tipShare)} are farther out, and cells on both sides get the same pseudotime. Choose a cell at a tip.`,
      numbers: { tipShare: root.tipShare },
    },
  ];
}

function suggestedRoot({ parameters, ordered: { root } }: Findings): Caution[] {
  if (parameters.root.by === 'cell') return [];
  const of = parameters.root.by === 'group' ? `of ${root.group}` : 'of all cells';
  return [
    {
      code: 'root-suggested',
      message: `The root was suggested: the cell ${of} farthest from the mean. The data do not show whether the process begins or ends there. Check it with early genes, or choose another root.`,
      numbers: { barcode: root.barcode, group: root.group },
    },
  ];
}

function fewInOrder({ ordered: { reached } }: Findings): Caution[] {
  if (reached >= fewCells) return [];
  return [
    {
      code: 'few-cells',
      message: `${countText(reached)} cells are few for an order: a few others could change it. Use more cells, or confirm it in others.`,
      numbers: { cells: reached },
    },
  ];
}

function circularTests({ table, ordered: { reached } }: Findings): Caution {
  return {
    code: 'order-tested-on-own-data',
    message: `The same expression ordered the cells and is tested: genes are correlated with pseudotime by construction, and each of ${countText(reached)} cells counts as a replicate. Use the p-values to rank the ${countText(table.tested)} genes, not as evidence of a process.`,
    numbers: { tested: table.tested, cells: reached },
  };
}

function noClock(): Caution {
  return {
    code: 'pseudotime-is-no-time',
    message:
      'Pseudotime is a distance in expression, not a time: equal steps need not take equal times, and every cell gets one, even outside the process.',
  };
}

function withoutComponents({ cells: { without } }: Findings): Caution[] {
  if (without === 0) return [];
  return [
    {
      code: 'cells-without-components',
      message: `${plural(without, 'active cell has', 'active cells have')} no principal components, as cells that quality control removed, and ${pluralWord(without, 'is', 'are')} left out: process the dataset again to include them.`,
      numbers: { without },
    },
  ];
}

function unlabelled({ ordered, parameters }: Findings): Caution[] {
  const { unlabelled: cells } = ordered;
  if (cells === 0) return [];
  return [
    {
      code: 'unlabelled-cells',
      message: `${plural(cells, 'cell has', 'cells have')} no value in ${parameters.groupby}: ${pluralWord(cells, 'it is', 'they are')} ordered, and in no group of the PAGA graph. Label them to include them.`,
      numbers: { unlabelled: cells },
    },
  ];
}
