import type { AreaColumn, GridSquare, PositionColumn } from '@cellfolio/columns';

const largest = 65_535;

/** Positions with the rows of the grid counted from the top; the Morton order of the cells is lost. */
export function flippedPositions(column: PositionColumn): PositionColumn {
  const positions = column.positions.slice();
  for (let at = 1; at < positions.length; at += 2) positions[at] = largest - positions[at]!;
  return { ...column, positions, morton: false };
}

export function flippedSquare({ left, bottom, side }: GridSquare): GridSquare {
  return { left, bottom: Math.max(0, largest - bottom - side), side };
}

export function flippedArea(area: AreaColumn): AreaColumn {
  const positions = area.positions.slice();
  for (let at = 1; at < positions.length; at += 2) positions[at] = area.side - positions[at]!;
  return { ...area, ...flippedSquare(area), positions };
}
