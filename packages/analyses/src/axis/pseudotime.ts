import { stationary } from '@cellfolio/analysis';
import {
  countText,
  listedNames,
  percentText,
  plural,
  pluralWord,
  type ResultCaution,
} from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import type { Context } from '../context.ts';
import type { PseudotimeRequest } from './fields.ts';
import { hasNoPath } from './path-structure.ts';
import { minCells, type OrderedCells, type pseudotimeSteps } from './pseudotime-steps.ts';

/** The active cells in the order of diffusion pseudotime from a root. */
export interface Pseudotime extends OrderedCells {
  readonly analysed: number;
  /** Active cells without principal components. */
  readonly without: number;
  /** The origin of the graph, in words. */
  readonly neighbours: string;
  readonly cautions: readonly ResultCaution[];
}

type Services = Context<typeof pseudotimeSteps>;

const statusOf = {
  cell_not_found: 400,
  cell_not_active: 400,
  unknown_group: 400,
  too_few_cells: undefined,
} as const;

/** Orders the cells, or finds them ordered by another analysis; `groupby` is a name in obs. */
export function pseudotime(
  { groupby, root, graph = 'file', n_neighbors, n_dcs }: PseudotimeRequest,
  context: Services,
): Promise<Pseudotime> {
  const request = { groupby, root, graph, n_neighbors, n_dcs };
  return context.shared('pseudotime', request, (joined) => orderCells(request, joined));
}

async function orderCells(request: PseudotimeRequest, context: Services): Promise<Pseudotime> {
  const { cells, neighbours, weighted, sample, dimensions, without, text } = await context.cellGraph({
    graph: request.graph,
    // scanpy counts the cell itself.
    k: request.n_neighbors - 1,
    itself: true,
    minCells,
    analysis: 'A trajectory',
    advice: 'Activate a subset of the lineage: other cells would disturb its order.',
  });
  const samples = (await context.sampleColumn())?.column;
  context.report('Ordering the cells');
  const of = { cells, request, neighbours };
  const { graph, places, parts, ...begun } = accepted(
    await context.compute('part', { ...of, weighted }, { isLong: true }),
    context,
  );
  let { map } = begun;
  while (!map.pairs) map = await context.compute('diffuse', { graph, map });
  const { cellCount } = context.dataset;
  const ordered = accepted(
    await context.compute(
      'order',
      { ...of, part: { places, parts }, map: map.pairs, sample, dimensions, samples, cellCount },
      { isLong: true },
    ),
    context,
  );
  const order = { ...ordered, analysed: cells.length, without };
  return {
    ...order,
    neighbours: `${text}, ${weighted ? 'with the weights of the file' : 'weighted as in UMAP'}`,
    cautions: cautionsOf(order, request, samples),
  };
}

function accepted<Part extends object>(
  outcome: Part | { readonly refusal: { readonly code: keyof typeof statusOf; readonly message: string } },
  context: Pick<Context, 'refuse'>,
): Part {
  if (!('refusal' in outcome)) return outcome;
  const { code, message } = outcome.refusal;
  // name-dictionary: codes of refusals
  const status = statusOf[code];
  const problem = status === undefined ? 'is connected with too few cells' : 'is not among the active cells';
  return context.refuse(code, message, { field: 'root', problem }, status);
}

type Order = Omit<Pseudotime, 'neighbours' | 'cautions'>;

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

/** With their texts, as an axis of pseudotime has them too. */
function cautionsOf(order: Order, request: PseudotimeRequest, samples: string | undefined): ResultCaution[] {
  return [
    ...ofGraph(order),
    ...(samples === undefined ? [] : ofSamples(order, request.groupby, samples)),
    ...ofRoot(order, request),
    ...ofCells(order, request),
    {
      code: 'pseudotime-is-no-time',
      message:
        'Pseudotime is a distance in expression, not a time: equal steps need not take equal times, and every cell gets one, even outside the process.',
    },
  ];
}

function ofGraph(order: Order): ResultCaution[] {
  const { structure, analysed, reached, parts, eigenvalues, gap } = order;
  const cautions: ResultCaution[] = [];
  if (structure === undefined) {
    cautions.push({
      code: 'path-not-checked',
      message: `Whether the ${countText(analysed)} cells show a path was not checked, as the file has the graph without its coordinates. Pseudotime orders any cells: look for a path on the map.`,
      numbers: { cells: analysed },
    });
  } else if (hasNoPath(structure)) {
    const { own, shuffled, cells } = structure;
    cautions.push({
      code: 'no-path-in-data',
      message: `The ${countText(cells)} cells show no path: their graph is hardly more elongated than that of shuffled data (second eigenvalue ${own.toFixed(3)} against ${shuffled.toFixed(3)}). Pseudotime most likely orders noise: do not use it.`,
      numbers: { eigenvalue: own, shuffledEigenvalue: shuffled, cells },
    });
  }
  const unreached = analysed - reached;
  if (unreached > 0) {
    cautions.push({
      code: 'disconnected-graph',
      message: `The graph has ${countText(parts)} separate parts: ${plural(unreached, 'cell is', 'cells are')} not connected to the root${unreachedText(order)}, and without pseudotime. Choose a subset of one lineage, or a root in the right part.`,
      numbers: { parts, unreached, analysed },
    });
  }
  const ignored = eigenvalues.subarray(1).filter((value) => value >= stationary).length;
  if (ignored > 0) {
    cautions.push({
      code: 'graph-nearly-apart',
      message: `The graph is nearly disconnected (${ignored === 1 ? 'the second eigenvalue is' : `${ignored} eigenvalues after the first are`} ${stationary} or more): distances between its parts are unreliable. Choose a subset of one lineage.`,
      numbers: { eigenvalues: ignored },
    });
  }
  if (gap.width >= wideGap) {
    cautions.push({
      code: 'gap-in-order',
      message: `No cell lies between pseudotime ${gap.after.toFixed(2)} and ${(gap.after + gap.width).toFixed(2)}: cells on the two sides may be separate types, not stages of one process. Order each side separately.`,
      numbers: { after: gap.after, width: gap.width },
    });
  }
  return cautions;
}

function ofRoot({ root }: Order, { root: chosen }: PseudotimeRequest): ResultCaution[] {
  const cautions: ResultCaution[] = [];
  if (root.tipShare < minTipShare) {
    cautions.push({
      code: 'root-in-the-middle',
      message: `The root is not at a tip: of the nearest quarter of the cells, ${percentText(1 - root.tipShare)} are farther out, and cells on both sides get the same pseudotime. Choose a cell at a tip.`,
      numbers: { tipShare: root.tipShare },
    });
  }
  if (chosen.by !== 'cell') {
    const of = chosen.by === 'group' ? `of ${chosen.group}` : 'of all cells';
    cautions.push({
      code: 'root-suggested',
      message: `The root was suggested: the cell ${of} farthest from the mean. The data do not show whether the process begins or ends there. Check it with early genes, or choose another root.`,
      numbers: { barcode: root.barcode, group: root.group },
    });
  }
  return cautions;
}

function ofCells({ reached, without, unlabelled }: Order, { groupby }: PseudotimeRequest): ResultCaution[] {
  const cautions: ResultCaution[] = [];
  if (reached < fewCells) {
    cautions.push({
      code: 'few-cells',
      message: `${countText(reached)} cells are few for an order: a few different cells could change it. Use more cells, or confirm it in others.`,
      numbers: { cells: reached },
    });
  }
  if (without > 0) {
    cautions.push({
      code: 'cells-without-components',
      message: `${plural(without, 'active cell has', 'active cells have')} no principal components, probably because quality control removed ${pluralWord(without, 'it', 'them')}, and ${pluralWord(without, 'is', 'are')} left out. Process the dataset again to include ${pluralWord(without, 'it', 'them')}.`,
      numbers: { without },
    });
  }
  if (unlabelled > 0) {
    cautions.push({
      code: 'unlabelled-cells',
      message: `${plural(unlabelled, 'cell has', 'cells have')} no value in ${groupby}: ${pluralWord(unlabelled, 'it is', 'they are')} ordered but in no group of the PAGA graph. Label them to include them.`,
      numbers: { unlabelled },
    });
  }
  return cautions;
}

function unreachedText({ groups }: Order): string {
  const names = groups
    .filter((group) => group.reached < group.cells)
    .toSorted((one, other) => other.cells - other.reached - (one.cells - one.reached))
    .map((group) => `${group.name} (${countText(group.cells - group.reached)} of ${countText(group.cells)})`);
  return names.length > 0 ? `, of ${listedNames(names, maxNamesListed)}` : '';
}

function ofSamples({ shares, reached }: Order, groupby: string, column: string): ResultCaution[] {
  const { samples: share, groups, sampleCount = 0 } = shares;
  if (sampleCount === 1) {
    return [
      {
        code: 'one-sample',
        message: `All ${countText(reached)} ordered cells are from one sample of ${columnTitle(column)}: the order may not hold in others. Confirm it there.`,
        numbers: { column, cells: reached },
      },
    ];
  }
  // A comparison with NaN is false: without groups the share alone decides.
  if (sampleCount < 2 || share === undefined || !(share >= drivingShare) || share < groups / 2) return [];
  const byGroups = Number.isNaN(groups)
    ? ''
    : `, the groups of ${columnTitle(groupby)} ${percentText(groups)}`;
  return [
    {
      code: 'order-follows-samples',
      message: `Samples (${columnTitle(column)}) explain ${percentText(share)} of the variance of pseudotime${byGroups}. The order may follow samples or batches: check pseudotime within each sample.`,
      numbers: {
        column,
        samplesShare: share,
        samples: sampleCount,
        // JSON has no NaN.
        ...(!Number.isNaN(groups) && { groupsShare: groups }),
      },
    },
  ];
}
