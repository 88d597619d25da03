import { QUARTERS } from './pixel-palette.ts';

/** Points are placed to a quarter of a pixel each way: 16 stamps. */
export const PHASES = 4;

/** Pixels of one disc as offsets from its pixel in a row-major image. */
export interface Stamp {
  /** Covered whole. */
  readonly full: Int32Array;
  /** Covered in part, and by how many quarters. */
  readonly edge: Int32Array;
  readonly edgeQuarters: Uint8Array;
}

/** Discs of `radius` pixels for each phase `(y * 4 + x)`, in an image of `stride` pixels a row. */
export function discStamps(radius: number, stride: number): Stamp[] {
  const stamps: Stamp[] = [];
  for (let phase = 0; phase < PHASES * PHASES; phase++) {
    const centreX = ((phase % PHASES) + 0.5) / PHASES;
    const centreY = (Math.floor(phase / PHASES) + 0.5) / PHASES;
    const full: number[] = [];
    const edge: number[] = [];
    const edgeQuarters: number[] = [];
    const reach = Math.ceil(radius + 1);
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        const quarters = Math.round(coverage(x - centreX, y - centreY, radius) * QUARTERS);
        if (quarters === QUARTERS) full.push(y * stride + x);
        else if (quarters > 0) {
          edge.push(y * stride + x);
          edgeQuarters.push(quarters);
        }
      }
    }
    stamps.push({
      full: Int32Array.from(full),
      edge: Int32Array.from(edge),
      edgeQuarters: Uint8Array.from(edgeQuarters),
    });
  }
  return stamps;
}

/** Part of the unit square with its corner at (left, top) that lies in the disc around 0, from 8 x 8 samples. */
export function coverage(left: number, top: number, radius: number): number {
  let inside = 0;
  for (let y = 0.5; y < 8; y++) {
    for (let x = 0.5; x < 8; x++) if ((left + x / 8) ** 2 + (top + y / 8) ** 2 <= radius * radius) inside++;
  }
  return inside / 64;
}
