import type { Design } from '../pseudobulk/design.ts';

/** Samples that are replicates of each other: those of one row of the design. */
export interface Replicates {
  /** Of each sample, its set. */
  readonly codes: Int32Array;
  /** Samples of each set. */
  readonly sizes: readonly number[];
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

/** Of each sample whether it is one of at least so many replicates. */
export function replicated({ codes, sizes }: Replicates, least: number): readonly boolean[] {
  return Array.from(codes, (code) => sizes[code]! >= least);
}
