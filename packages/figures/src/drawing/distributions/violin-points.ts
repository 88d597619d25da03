import type { Mark } from '../scene/scene.ts';
import { inkColour, paperColour } from '../scene/style.ts';
import { xorshift } from '../xorshift.ts';
import { densityPoints, swarmOffsets } from './density.ts';
import type { ViolinRowGroup } from './violin-groups.ts';

interface ViolinSides {
  above: { y: number; reach: number };
  below: { y: number; reach: number };
}

interface PointAxis {
  xOf: (value: number) => number;
  isInside: (value: number) => boolean;
}

const pointRadius = 1.1;
const lowRow = { height: 24, pointRadius: 0.7 } as const;

/** Cells as points, placed deterministically within the violin's thickness at their value. */
export function cellPoints(
  { sampled, density, range }: ViolinRowGroup,
  { above, below }: ViolinSides,
  rowHeight: number,
  { xOf, isInside }: PointAxis,
): Mark[] {
  if (sampled === undefined || density === null || range === null) return [];
  const random = xorshift(88_675_123);
  const radius = rowHeight < lowRow.height ? lowRow.pointRadius : pointRadius;
  const perValue = (densityPoints - 1) / (range[1] - range[0]);
  return sampled.flatMap((value): Mark[] => {
    const part = random();
    if (!isInside(value)) return [];
    const at = Math.min(densityPoints - 1, Math.max(0, Math.round((value - range[0]) * perValue)));
    const thickness = density[at]!;
    const [top, bottom] = [above.y - above.reach * thickness, below.y + below.reach * thickness];
    const y = top + part * (bottom - top);
    return [{ kind: 'dot', x: xOf(value), y, radius, colour: inkColour }];
  });
}

export function sampleDots(
  { samples = [], half }: ViolinRowGroup,
  { middle, rowHeight }: { middle: number; rowHeight: number },
  { xOf, isInside }: PointAxis,
): Mark[] {
  const radius = rowHeight >= 26 ? 3.5 : 2.5;
  // Half a violin lies between its row's far edge and the line that it shares with the other half.
  const y =
    half === undefined ? middle + 0.27 * rowHeight : middle + (half === 'upper' ? -0.1 : 0.1) * rowHeight;
  const places = samples
    .filter(({ mean }) => isInside(mean))
    .map(({ mean }) => xOf(mean))
    .sort((a, b) => a - b);
  const offsets = swarmOffsets(places, radius, Math.max(0, 0.24 * rowHeight - radius));
  return places.map((x, i): Mark => ({
    kind: 'dot',
    x,
    y: y + offsets[i]!,
    radius,
    colour: inkColour,
    edge: { width: 1, colour: paperColour },
  }));
}
