import type { GridSquare } from '@cellfolio/columns';
import type { Camera, Size } from '@cellfolio/map';
import { gridPlace } from '@cellfolio/map';

const steps = 65_536;
const minSide = 64;

/**
 * Square of the position grid whose cells a map needs exactly: all that is visible, and about as much on each side so
 * that the map can be moved a little. `pixels`: device pixels per CSS pixel. Undefined if a step of the grid is no
 * wider than a pixel.
 */
export function squareOfCamera(camera: Camera, size: Size, pixels: number): GridSquare | undefined {
  const from = gridPlace({ x: 0, y: size.height }, camera, size);
  const to = gridPlace({ x: size.width, y: 0 }, camera, size);
  const pixelsOfStep = (size.width * pixels) / ((to.x - from.x) * steps);
  if (!(pixelsOfStep > 1)) return undefined;
  const visibleSteps = Math.max(to.x - from.x, to.y - from.y) * steps;
  const side = Math.max(minSide, 2 ** Math.ceil(Math.log2(2 * visibleSteps)));
  if (side >= steps) return undefined;
  // Among squares half a side apart, the one whose middle is nearest.
  const half = side / 2;
  const start = (centre: number) => {
    const nearest = Math.round((centre * steps - half) / half) * half;
    return Math.min(steps - side, Math.max(0, nearest));
  };
  return { left: start(camera.x), bottom: start(camera.y), side };
}
