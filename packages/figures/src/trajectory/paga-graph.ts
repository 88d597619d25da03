import { type CellMask, countText, type Embedding } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import { outsideGrey, zeroGrey } from '../drawing/colour/ramps.ts';
import type { Drawing, Figure } from '../drawing/figure.ts';
import { type PointLayer, shuffledOrder } from '../drawing/raster/point-layer.ts';
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
import { legendLayout } from '../drawing/scene/legend-layout.ts';
import { fitLegendScatter } from '../drawing/scene/legend-scatter-scene.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import type { MapShown } from '../shown.ts';
import type { pagaGraphContent } from './content.ts';
import { pagaScene, type PagaEdge, type PagaNode, type PagaSpec } from './paga-scene.ts';

interface PagaInput extends Pick<FigureSetting, 'datasetName'> {
  embedding: Embedding;
  column: InputValues['obs'];
  trajectory: InputValues['trajectory'];
  mask?: CellMask;
  shown?: MapShown;
}

/** Weaker edges also occur between unrelated groups of cells. */
const threshold = 0.05;

/**
 * Groups at the median positions of their cells on the embedding, connected by their connectivities. Throws
 * FigureInputError if the inputs do not describe the same cells, and for a column without groups.
 */
export function pagaFigure(input: PagaInput): Figure<PagaSpec, PagaInput> {
  const { embedding, trajectory } = input;
  const frame = scatterFrame(embedding, trajectory.pseudotime.length, input);
  const nodes = nodesOf(input);
  const all = edgesOf(trajectory.graph);
  const edges = all
    .filter(({ connectivity, isInTree }) => isInTree || connectivity >= threshold)
    .toSorted(
      (one, other) => Number(one.isInTree) - Number(other.isInTree) || one.connectivity - other.connectivity,
    );
  const { analysed } = trajectory.cells;
  const parts = {
    version: 1,
    kind: 'paga-graph',
    column: cleanLabel(trajectory.groupTitle),
    title: `PAGA graph of ${cleanLabel(trajectory.groupTitle)}`,
    datasetName: cleanLabel(input.datasetName),
    summary: [
      `${countText(analysed)} cells`,
      `${countText(nodes.length)} groups`,
      `edges of ${threshold} or more and the spanning tree`,
      ...frameText(frame),
    ].join(' · '),
    ...frame,
    order: 'shuffled',
    nodes,
    edges,
    threshold,
    leftOut: all.length - edges.length,
    colours: { cells: zeroGrey, outside: outsideGrey },
    ...(trajectory.cautions.length > 0 && { cautions: trajectory.cautions }),
  } as const;
  const spec = { ...parts, size: legendLayout(nodes).size };
  return { spec, columns: input, drawing };
}

const drawing: Drawing<PagaSpec, PagaInput> = {
  scene: pagaScene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitLegendScatter(spec, size, spec.nodes),
  dark: ({ colours }) => ({
    colours: { cells: themedInk(colours.cells, 'dark'), outside: themedInk(colours.outside, 'dark') },
  }),
};

function nodesOf({ embedding, column, trajectory }: PagaInput): PagaNode[] {
  if (!('column' in column)) {
    throw new FigureInputError('column', `${column.title} has numbers, no groups of cells`);
  }
  const { codes, categories } = column.column;
  const colours = categoryColours(column.column, column.palette);
  const labels = categoryLabels(trajectory.groups);
  return trajectory.groups.map((name, group) => {
    const code = categories.indexOf(name);
    const isOwn = (cell: number) => codes[cell] === code && !Number.isNaN(trajectory.pseudotime[cell]);
    return {
      label: labels[group]!,
      colour: colours[code] ?? zeroGrey,
      cells: trajectory.graph.sizes[group]!,
      at: medianPlace(embedding, isOwn),
    };
  });
}

function medianPlace(
  { values, dimensions }: Embedding,
  isOwn: (cell: number) => boolean,
): readonly [number, number] | null {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < values.length / dimensions; cell++) {
    const [x, y] = [values[cell * dimensions]!, values[cell * dimensions + 1]!];
    if (!isOwn(cell) || !Number.isFinite(x + y)) continue;
    xs.push(x);
    ys.push(y);
  }
  if (xs.length === 0) return null;
  const middle = (list: number[]) => Float64Array.from(list).sort()[list.length >> 1]!;
  return [middle(xs), middle(ys)];
}

function edgesOf({ connectivities, sizes, tree }: PagaInput['trajectory']['graph']): PagaEdge[] {
  const count = sizes.length;
  const inTree = new Set(tree.map(([i, j]) => Math.min(i, j) * count + Math.max(i, j)));
  const edges: PagaEdge[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const connectivity = connectivities[i * count + j]!;
      if (connectivity === 0) continue;
      edges.push({ nodes: [i, j], connectivity, isInTree: inTree.has(i * count + j) });
    }
  }
  return edges;
}

function pointLayer({ spec, columns }: Pick<Figure<PagaSpec, PagaInput>, 'spec' | 'columns'>): PointLayer {
  const { pseudotime } = columns.trajectory;
  const cellInk = new Uint8Array(pseudotime.length);
  for (let cell = 0; cell < cellInk.length; cell++) cellInk[cell] = Number.isNaN(pseudotime[cell]) ? 0 : 1;
  const colours = [...new Set(spec.nodes.map(({ colour }) => colour))].slice(0, 100);
  return {
    inks: [spec.colours.outside, spec.colours.cells, ...colours],
    cellInk,
    order: shuffledOrder(cellInk, 1).order,
  };
}

export const pagaGraph = plot<typeof pagaGraphContent>(
  'paga-graph',
  ({ embedding, column, trajectory }, setting) => pagaFigure({ ...setting, embedding, column, trajectory }),
);
