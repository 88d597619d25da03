import type { VolcanoAxes, VolcanoPoint } from './volcano-points.ts';

/** In units of the drawing, which is as wide as its place. */
const size = { width: 860, height: 520 } as const;
const panel = { left: 62, top: 26, right: 844, bottom: 452 } as const;

export interface VolcanoScales {
  readonly width: number;
  readonly height: number;
  readonly panel: typeof panel;
  readonly axes: VolcanoAxes;
  x(change: number): number;
  y(score: number): number;
}

export function volcanoScales(axes: VolcanoAxes): VolcanoScales {
  const { left, right, top, bottom } = panel;
  return {
    ...size,
    panel,
    axes,
    x: (change) => {
      const part = Math.max(-1, Math.min(1, change / axes.change));
      return left + ((part + 1) / 2) * (right - left);
    },
    y: (score) => bottom - Math.min(1, score / axes.score) * (bottom - top),
  };
}

/** The nearest point within reach; of two equally near ones the surer. */
export function nearestPoint(
  points: readonly VolcanoPoint[],
  scales: VolcanoScales,
  { x, y, reach }: { x: number; y: number; reach: number },
): VolcanoPoint | undefined {
  let nearest: VolcanoPoint | undefined;
  let least = reach ** 2;
  for (const point of points) {
    const distance = (scales.x(point.change) - x) ** 2 + (scales.y(point.score) - y) ** 2;
    if (distance >= least) continue;
    least = distance;
    nearest = point;
  }
  return nearest;
}
