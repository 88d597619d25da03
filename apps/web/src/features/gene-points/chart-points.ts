/** Genes as points of a chart: columns of equal length. */
export interface ChartPoints {
  /** Row indices in the table, in order of importance, the most important first. */
  rows: Int32Array;
  x: Float64Array;
  y: Float64Array;
}

/** Drawing class of a point: 0 when it passes no threshold; 1 to 3 for the colours of the chart. */
export type Tones = Uint8Array;

export interface ChartAxis {
  title: string;
  range: readonly [low: number, high: number];
}

/** In drawing units; the drawing fills the width of its container. */
const size = { width: 860, height: 520 } as const;
const panel = { left: 62, top: 26, right: 844, bottom: 452 } as const;

export interface ChartScales {
  width: number;
  height: number;
  panel: typeof panel;
  axes: { x: ChartAxis; y: ChartAxis };
  /** Position of a value; values beyond an axis are placed at its ends. */
  x(value: number): number;
  y(value: number): number;
  valueAt(place: { x: number; y: number }): { x: number; y: number };
}

export function chartScales(x: ChartAxis, y: ChartAxis): ChartScales {
  const { left, right, top, bottom } = panel;
  const part = (value: number, [low, high]: ChartAxis['range']): number =>
    Math.max(0, Math.min(1, (value - low) / (high - low)));
  const at = (share: number, [low, high]: ChartAxis['range']): number =>
    low + Math.max(0, Math.min(1, share)) * (high - low);
  return {
    ...size,
    panel,
    axes: { x, y },
    x: (value) => left + part(value, x.range) * (right - left),
    y: (value) => bottom - part(value, y.range) * (bottom - top),
    valueAt: (place) => ({
      x: at((place.x - left) / (right - left), x.range),
      y: at((bottom - place.y) / (bottom - top), y.range),
    }),
  };
}

/** Index of the nearest point within reach; the first on a tie. Undefined if there is none. */
export function nearestPoint(
  points: ChartPoints,
  scales: ChartScales,
  { x, y, reach }: { x: number; y: number; reach: number },
): number | undefined {
  let nearest: number | undefined;
  let minDistance = reach ** 2;
  for (let at = 0; at < points.rows.length; at++) {
    const distance = (scales.x(points.x[at]!) - x) ** 2 + (scales.y(points.y[at]!) - y) ** 2;
    if (distance >= minDistance) continue;
    minDistance = distance;
    nearest = at;
  }
  return nearest;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boxOf(from: { x: number; y: number }, to: { x: number; y: number }): Box {
  return {
    left: Math.min(from.x, to.x),
    right: Math.max(from.x, to.x),
    top: Math.min(from.y, to.y),
    bottom: Math.max(from.y, to.y),
  };
}

export function rowsInBox(points: ChartPoints, scales: ChartScales, box: Box): number[] {
  const rows: number[] = [];
  for (let at = 0; at < points.rows.length; at++) {
    const [x, y] = [scales.x(points.x[at]!), scales.y(points.y[at]!)];
    if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) rows.push(points.rows[at]!);
  }
  return rows;
}

/** About `targetCount` round numbers within a range. */
export function roundSteps([low, high]: ChartAxis['range'], targetCount: number): number[] {
  const rough = (high - low) / targetCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((unit) => unit * power).find((unit) => unit >= 0.75 * rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}
