import type { Design } from '../pseudobulk/design.ts';

/** Sets of replicate samples: those with equal rows of the design. */
export interface Replicates {
  codes: Int32Array;
  sizes: readonly number[];
}

export function replicatesOf({ columns, sampleCount }: Design): Replicates {
  const places = new Map<string, number>();
  const sizes: number[] = [];
  const codes = Int32Array.from({ length: sampleCount }, (_, sample) => {
    const row = columns.map((column) => column[sample]).join();
    const place = places.get(row) ?? places.size;
    places.set(row, place);
    sizes[place] = (sizes[place] ?? 0) + 1;
    return place;
  });
  return { codes, sizes };
}

export function replicated({ codes, sizes }: Replicates, minSize: number): readonly boolean[] {
  return Array.from(codes, (code) => sizes[code]! >= minSize);
}
