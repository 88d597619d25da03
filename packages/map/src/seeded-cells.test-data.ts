import { fit } from './camera.ts';
import type { MapView } from './map-view.ts';

/** Reproducible numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function clusteredPositions(cells: number, { morton = true, seed = 1 } = {}): Uint16Array {
  const random = seeded(seed);
  const positions = Array.from({ length: cells }, (_, cell) => {
    const middle = [0.2 + 0.3 * (cell % 3), 0.3 + 0.4 * (cell % 2)] as const;
    const spread = () => (random() + random() + random() - 1.5) * 0.3;
    const near = middle.map((value) => Math.min(1, Math.max(0, value + spread())));
    return cell % 50 === 0
      ? [cell % 100 === 0 ? 0 : 65_535, 32_768]
      : near.map((value) => Math.round(value * 65_535));
  });
  if (morton) positions.sort((a, b) => (mortonCode(a) < mortonCode(b) ? -1 : 1));
  return Uint16Array.from(positions.flat());
}

function mortonCode([x, y]: readonly number[]): number {
  let code = 0;
  for (let bit = 15; bit >= 0; bit--) code = code * 4 + 2 * ((y! >> bit) & 1) + ((x! >> bit) & 1);
  return code;
}

export function randomLayer(cells: number, seed = 2): { slots: Uint8Array; palette: Uint8Array } {
  const random = seeded(seed);
  const slots = Uint8Array.from({ length: cells }, () => Math.floor(random() * 256));
  const palette = Uint8Array.from({ length: 1024 }, () => Math.floor(random() * 256));
  for (let slot = 0; slot < 256; slot++) palette[4 * slot + 3] = slot % 7 === 0 ? 0 : 255;
  return { slots, palette };
}

export function randomBits(cells: number, share: number, seed = 3): Uint8Array {
  const random = seeded(seed);
  const bits = new Uint8Array(Math.ceil(cells / 8));
  for (let cell = 0; cell < cells; cell++) if (random() < share) bits[cell >> 3]! |= 1 << (cell & 7);
  return bits;
}

export function crossingPolygon(corners: number, seed = 4): Float32Array {
  const random = seeded(seed);
  return Float32Array.from({ length: 2 * corners }, (_, at) => {
    const angle = ((at >> 1) / corners) * 4 * Math.PI;
    const radius = 0.15 + 0.45 * random();
    return 0.5 + radius * (at % 2 ? Math.sin(angle) : Math.cos(angle));
  });
}

export function viewOf(layer: MapView['layer'], changes: Partial<MapView> = {}): MapView {
  return {
    camera: fit(),
    layer,
    width: 120,
    height: 90,
    density: false,
    background: [250, 250, 245],
    ...changes,
  };
}
