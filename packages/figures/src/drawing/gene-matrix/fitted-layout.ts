import { margin } from '../scene/style.ts';
import { bracketNames, rowNumbers } from './bracket-names.ts';
import {
  columnLimits,
  fittedLegendGap,
  legendDrop,
  lineDrop,
  maxRow,
  minRow,
  roomsOf,
  type Sized,
} from './fitted-rooms.ts';
import { bandWidth, type GeneRun, runGap, runsOf } from './gene-bands.ts';
import {
  bareTop,
  type GeneMatrixLayout,
  legendHeight,
  legendHeightOf,
  legendRadius,
  type PlacedRun,
} from './layout.ts';
import { maxLineRadius } from './legend-line.ts';
import { keyHeight, lyingPitch } from './name-setting.ts';

const maxNamedColumn = 140;
const symbolPitch = 13;
const maxRadius = 34;
const maxRadiusOf = { below: 20, line: maxLineRadius, none: maxRadius } as const;
const maxDotShape = 2;
const smallDotPlace = { column: 56, row: 44 } as const;

export interface FittedLayout extends GeneMatrixLayout {
  unnamed: number;
}

function namedRooms(spec: Sized, runs: readonly GeneRun[], rooms = roomsOf(spec)) {
  const gaps = runGap * Math.max(0, runs.length - 1);
  const room = rooms.columnRoom - gaps;
  const maxDotColumn = Math.max(smallDotPlace.column, maxDotShape * rowPitchOf(spec, rooms.rowRoom));
  const [narrowest, widest] = columnLimits(spec);
  const limits = [narrowest, isOfDots(spec) ? Math.min(widest, maxDotColumn) : widest] as const;
  const pitch = pitchOf(room, spec.genes.length, limits);
  const columnPitch = lyingPitch(runs, pitch, Math.min(maxNamedColumn, room / spec.genes.length));
  const spare = rooms.rowRoom - minRow * spec.groups.length;
  const isWide = spec.genes.length * columnPitch + gaps > rooms.columnRoom + 0.01;
  const width = rooms.left + rooms.columnRoom - margin;
  return { rooms, columnPitch, spare, isWide, names: bracketNames(runs, { columnPitch, spare, width }) };
}

function numberedRooms(spec: Sized, runs: readonly GeneRun[]) {
  const rowOf = new Map(spec.groups.map(({ label }, row) => [label, row + 1]));
  if (!runs.every(({ bracket }) => bracket === null || rowOf.has(bracket))) return undefined;
  const { spare, isWide, ...named } = namedRooms(spec, runs, roomsOf(spec, true));
  const names = rowNumbers(runs, rowOf);
  return isWide || names.head - bareTop > spare ? undefined : { ...named, names };
}

export function fittedGeneMatrixLayout(spec: Sized): FittedLayout {
  const runs = runsOf(spec.genes);
  const plain = namedRooms(spec, runs);
  const numbered = plain.names.unnamed > 0 ? numberedRooms(spec, runs) : undefined;
  const { rooms, columnPitch, names } = numbered ?? plain;
  const { symbols, tree, legend } = rooms;
  const key = keyHeight(names.key);
  const rowRoom = rooms.rowRoom + bareTop - names.head - key;
  const rowPitch = Math.min(
    rowPitchOf(spec, rowRoom),
    isOfDots(spec) ? Math.max(smallDotPlace.row, maxDotShape * columnPitch) : Infinity,
  );
  const rows = rowPitch * spec.groups.length;
  const width = bandWidth(runs, columnPitch);
  // The legend beside the columns may be higher than they are.
  const isBeside = legend === 'beside';
  const legendRoom = rowRoom + rooms.foot - legendHeight;
  const largest = isBeside
    ? Math.min(maxRadius, legendRadius + Math.max(0, legendRoom) / 2)
    : maxRadiusOf[legend];
  const radius = Math.min(largest, 0.45 * Math.min(rowPitch, columnPitch));
  const overhang = isBeside ? legendHeightOf(radius) - rooms.foot : 0;
  const spare = {
    x: Math.max(0, rooms.columnRoom - width),
    y: Math.max(0, rowRoom - Math.max(rows, overhang)),
  };
  const left = rooms.left + spare.x / 2;
  const top = rooms.top + names.head + spare.y / 2;
  const foot = top + rows + rooms.foot;
  return {
    size: spec.size,
    left,
    hasCounts: rooms.hasCounts,
    countWidth: rooms.countWidth,
    groupTitle: rooms.groupTitle,
    rowLabels: rooms.rowLabels,
    rowPitch,
    columnPitch,
    symbolEvery: symbolEveryOf(spec, columnPitch),
    radius,
    bands:
      runs.length === 0
        ? []
        : [{ top, width, runs: placedRuns(runs, symbols, { left, columnPitch, names }) }],
    tree,
    namesLie: true,
    unnamed: names.unnamed,
    key: { lines: names.key, y: foot },
    legend: {
      place: legend,
      width: rooms.legendWidth,
      x: isBeside
        ? left + width + tree.gap + tree.depth + fittedLegendGap
        : margin + (legend === 'below' ? spare.x / 2 : 0),
      y: isBeside
        ? Math.min(top, spec.size.height - margin - legendHeightOf(radius))
        : foot + key + (legend === 'line' ? lineDrop : legendDrop),
    },
  };
}

function placedRuns(
  runs: readonly GeneRun[],
  symbols: readonly string[],
  { left, columnPitch, names }: { left: number; columnPitch: number; names: ReturnType<typeof bracketNames> },
): PlacedRun[] {
  let x = left;
  return runs.map((run, i): PlacedRun => {
    const at = x;
    const width = run.count * columnPitch;
    x += width + runGap;
    const shown = symbols.slice(run.first, run.first + run.count);
    return { ...run, x: at, width, lines: names.lines[i]!, symbols: shown };
  });
}

function isOfDots({ marks }: Sized): boolean {
  return marks === undefined;
}

function rowPitchOf(spec: Sized, room: number): number {
  return pitchOf(room, spec.groups.length, [minRow, maxRow(spec)]);
}

function symbolEveryOf({ marks }: Sized, columnPitch: number): number {
  return marks === 'cells' ? Math.max(1, Math.ceil(symbolPitch / columnPitch)) : 1;
}

function pitchOf(room: number, count: number, [minimum, maximum]: readonly [number, number]): number {
  return Math.max(minimum, Math.min(maximum, room / Math.max(1, count)));
}
