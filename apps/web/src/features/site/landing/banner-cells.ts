import address from './banner-cells.bin?url';
import description from './banner-cells.json';

/** Cells of the banner: one of the simulated demo datasets, packed by tools/site/make-figures.ts. */
export interface BannerCells {
  count: number;
  /** x and y of each cell, 0 to 65,535, y upwards. */
  places: Uint16Array;
  /** Index of the cell's type in `bannerFacts.cellTypes`. */
  types: Uint8Array;
  /** Expression in each cell for each gene of `bannerFacts.genes`, 0 (none) to 255 (the highest). */
  expression: readonly Uint8Array[];
}

export const bannerFacts = description;

/** Throws if the file cannot be loaded; the banner then stays empty. */
export async function loadBannerCells(signal: AbortSignal): Promise<BannerCells> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`The cells of the banner could not be loaded (${answer.status}).`);
  const bytes = await answer.arrayBuffer();
  const { count } = description;
  const after = 5 * count;
  return {
    count,
    places: new Uint16Array(bytes, 0, 2 * count),
    types: new Uint8Array(bytes, 4 * count, count),
    expression: description.genes.map((_, i) => new Uint8Array(bytes, after + i * count, count)),
  };
}
