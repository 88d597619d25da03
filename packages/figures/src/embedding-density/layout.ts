import type { CommonSpec } from '../drawing/figure.ts';
import { arrowGutter, isTiny, panelTop } from '../drawing/scene/panel.ts';
import { aboveBar, belowBar } from '../drawing/scene/bar-scatter-scene.ts';
import type { Rectangle } from '../drawing/scene/scene.ts';
import { figureWidth, margin, panelTopEdge } from '../drawing/scene/style.ts';

export const headLine = 19;
/** Below it the count of a map stands under its name, which has the whole width then. */
const oneLineFrom = 250;
export const nameDrop = 6;
const gap = 24;
const barRoom = 104;
export const aroundBar = aboveBar + belowBar;
const minBar = 96;
const sideOfOne = 400;
const sideOfSeveral = 230;
const minSide = 84;

interface Grid {
  columns: number;
  width: number;
  height: number;
  nameLines: 1 | 2;
}

function headHeight(lines: number): number {
  return lines * headLine + nameDrop;
}

function defaultColumns(maps: number): number {
  return maps === 4 ? 2 : maps <= 9 ? Math.min(3, maps) : 4;
}

export function densitySize(maps: number): CommonSpec['size'] {
  const columns = defaultColumns(Math.max(1, maps));
  const rows = Math.ceil(Math.max(1, maps) / columns);
  const side = maps <= 1 ? sideOfOne : sideOfSeveral;
  const wide = columns * side + (columns - 1) * gap;
  return {
    width: Math.max(figureWidth, 2 * margin + arrowGutter + wide + barRoom),
    height:
      panelTopEdge +
      rows * (headHeight(side < oneLineFrom ? 2 : 1) + side) +
      (rows - 1) * gap +
      arrowGutter +
      margin,
  };
}

type Sized = Pick<CommonSpec, 'size' | 'fitted' | 'noteLines'>;

function roomOf(spec: Sized): Rectangle & { hasBar: boolean } {
  const { width, height } = spec.size;
  if (isTiny(spec)) return { x: 6, y: 2, width: width - 12, height: height - 8, hasBar: false };
  const top = panelTop(spec);
  const room = height - top - arrowGutter - margin;
  const hasBar = room >= minBar + aroundBar;
  return {
    x: margin + arrowGutter,
    y: top,
    width: width - 2 * margin - arrowGutter - (hasBar ? barRoom : 0),
    height: room,
    hasBar,
  };
}

function gridOf(room: Rectangle, maps: number): Grid {
  let best: Grid | undefined;
  for (let columns = 1; columns <= Math.max(1, maps); columns++) {
    const rows = Math.ceil(maps / columns);
    const width = (room.width - (columns - 1) * gap) / columns;
    const nameLines = width < oneLineFrom ? 2 : 1;
    const height = (room.height - (rows - 1) * gap) / rows - headHeight(nameLines);
    if (best === undefined || Math.min(width, height) > Math.min(best.width, best.height))
      best = { columns, width, height, nameLines };
  }
  return best!;
}

export function mapsThatFit(spec: Sized, maps: number): number {
  const room = roomOf(spec);
  for (let some = maps; some > 1; some--) {
    const { width, height } = gridOf(room, some);
    if (Math.min(width, height) >= minSide) return some;
  }
  return Math.min(1, maps);
}

export function densityLayout(spec: Sized, maps: number) {
  const { hasBar, ...box } = roomOf(spec);
  const { columns, width, height, nameLines } = gridOf(box, Math.max(1, maps));
  const head = headHeight(nameLines);
  return {
    box,
    nameLines,
    hasBar,
    hasArrows: !isTiny(spec) && Math.min(width, height) >= minSide,
    panels: Array.from({ length: maps }, (_, i) => ({
      x: box.x + (i % columns) * (width + gap),
      y: box.y + head + Math.floor(i / columns) * (height + head + gap),
      width,
      height,
    })),
  };
}
