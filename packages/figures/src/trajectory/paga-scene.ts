import type { LegendGroup, ScatterSpec } from '../drawing/figure.ts';
import { edgeBetween } from '../drawing/scene/lines.ts';
import type { Mark, Rectangle, Scene } from '../drawing/scene/scene.ts';
import { isTiny } from '../drawing/scene/panel.ts';
import { legendScatterScene } from '../drawing/scene/legend-scatter-scene.ts';
import { inkColour, legendGrey, paperColour, smallSize, softInk } from '../drawing/scene/style.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { placedNames } from '../drawing/scene/placed-names.ts';
import type { SpecOf } from '../plot-words.ts';
import type { pagaGraphWords } from './words.ts';

export interface PagaSpec extends SpecOf<typeof pagaGraphWords, 'nodes', ScatterSpec> {
  nodes: readonly PagaNode[];
  colours: { cells: string; outside: string };
}

export interface PagaNode extends LegendGroup {
  /** Median coordinates of its cells; null if none has a position. */
  at: readonly [number, number] | null;
}

export type PagaEdge = PagaSpec['edges'][number];

const edgeWidth = { least: 1, most: 9 } as const;
const largestRadius = 13;
const smallestRadius = 5;
const labelWidth = 150;

export function pagaScene(spec: PagaSpec): Scene {
  const scene = legendScatterScene(spec, spec.nodes);
  const placeOf = placesOn(scene.panel, spec);
  const maxCells = spec.nodes.reduce((cells, node) => Math.max(cells, node.cells), 1);
  const shrink = isTiny(spec) ? 0.5 : 1;
  const nodes = spec.nodes.map((node) => {
    const radius = shrink * Math.max(smallestRadius, largestRadius * Math.sqrt(node.cells / maxCells));
    return { ...node, radius, place: node.at && placeOf(node.at) };
  });
  const edges = spec.edges.flatMap(({ nodes: [i, j], connectivity, isInTree }): Mark[] => {
    const [from, to] = [nodes[i]!.place, nodes[j]!.place];
    if (!from || !to) return [];
    const width = shrink * (edgeWidth.least + (edgeWidth.most - edgeWidth.least) * connectivity);
    return edgeBetween(from, to, { width, colour: isInTree ? softInk : legendGrey });
  });
  const placed = nodes
    .flatMap((node) => (node.place ? [{ ...node, x: node.place[0], y: node.place[1] }] : []))
    .toSorted((one, other) => other.cells - one.cells);
  const dots = placed.map(({ x, y, radius, colour }): Mark => ({
    kind: 'dot',
    x,
    y,
    radius,
    colour,
    edge: { width: 1.5, colour: inkColour },
  }));
  return {
    ...scene,
    marks: [...scene.marks, ...edges, ...(isTiny(spec) ? [] : names(placed, scene.panel)), ...dots],
  };
}

function names(
  placed: readonly { label: string; x: number; y: number; radius: number }[],
  panel: Rectangle,
): Mark[] {
  const shown = fittedNames(
    placed.map(({ label }) => label),
    labelWidth,
    smallSize,
  );
  const points = placed.map(({ label, x, y, radius }, i) => {
    const name = shown[i]!;
    return { name, full: label, x, y, radius, width: textWidth(name, smallSize) };
  });
  return placedNames(points, panel).flatMap(({ name, full, left, baseline }): Mark[] => [
    {
      kind: 'rectangle',
      x: left - 2,
      y: baseline - smallSize * 0.82,
      width: textWidth(name, smallSize) + 4,
      height: smallSize * 1.08,
      colour: paperColour,
    },
    {
      kind: 'text',
      text: name,
      ...(full !== undefined && { full }),
      x: left,
      y: baseline,
      size: smallSize,
      style: 'regular',
      colour: inkColour,
      anchor: 'start',
    },
  ]);
}

function placesOn({ x, y, width, height }: Rectangle, { extent, yDown, pointRadius }: PagaSpec) {
  const [left, right] = extent.x;
  const [bottom, top] = extent.y;
  const pad = pointRadius + 1;
  const unit = Math.min(
    right > left ? (width - 2 * pad) / (right - left) : Infinity,
    top > bottom ? (height - 2 * pad) / (top - bottom) : Infinity,
  );
  const perUnit = Number.isFinite(unit) ? unit : 1;
  return ([atX, atY]: readonly [number, number]): readonly [number, number] => [
    x + width / 2 + (atX - (left + right) / 2) * perUnit,
    y + height / 2 - (atY - (bottom + top) / 2) * (yDown ? -perUnit : perUnit),
  ];
}
