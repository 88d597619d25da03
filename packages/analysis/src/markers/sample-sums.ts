import type { CategoricalColumn } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';

/** A gene that is listed as a marker of a group. */
export interface ListedMarker {
  /** Row in var. */
  readonly row: number;
  /** Its place among the names of `CellGroups`. */
  readonly group: number;
}

/** What the samples have of one listed marker: a value for each sample. */
export interface MarkerSamples {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** Sums over all other cells that count. */
  readonly restSums: Float64Array;
}

/**
 * Sums of listed markers in the samples, inside the group that each marks and outside it. Cells without a sample count
 * nowhere. Genes are handed in piece by piece, as `Dataset.useGenes` reads them.
 */
export class SampleSums {
  /** Rows in var of the genes, rising: what `add` calls a place is a place among these. */
  readonly rows: Int32Array;
  /** Cells of each sample, group by group; the last slot is that of the cells in no group. */
  readonly counts: Float64Array;
  readonly sampleCount: number;
  readonly #markers: readonly ListedMarker[];
  readonly #groups: CellGroups;
  readonly #samples: CategoricalColumn['codes'];
  readonly #markersOf: number[][];
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  /** Of each gene over all cells. */
  readonly #totals: Float64Array;
  /** Marker of the gene at hand by group, -1 for none. */
  readonly #markerOf: Int32Array;

  constructor(
    groups: CellGroups,
    { codes, categories }: Pick<CategoricalColumn, 'codes' | 'categories'>,
    markers: readonly ListedMarker[],
  ) {
    const slots = groups.names.length + 1;
    this.#groups = groups;
    this.#samples = codes;
    this.#markers = markers;
    this.sampleCount = categories.length;
    this.rows = Int32Array.from(new Set(markers.map(({ row }) => row))).sort();
    const placeOf = new Map(Array.from(this.rows, (row, place) => [row, place]));
    this.#markersOf = Array.from(this.rows, () => []);
    markers.forEach(({ row }, marker) => this.#markersOf[placeOf.get(row)!]!.push(marker));
    this.#sums = new Float64Array(markers.length * this.sampleCount);
    this.#squares = new Float64Array(markers.length * this.sampleCount);
    this.#totals = new Float64Array(this.rows.length * this.sampleCount);
    this.#markerOf = new Int32Array(slots).fill(-1);
    this.counts = new Float64Array(slots * this.sampleCount);
    for (let cell = 0; cell < codes.length; cell++) {
      const [slot, sample] = [groups.codes[cell]!, codes[cell]!];
      if (slot < slots && sample >= 0) this.counts[slot * this.sampleCount + sample]!++;
    }
  }

  /** Some of the cells that express the gene at this place, with their values. */
  add(place: number, cells: Int32Array, values: Float32Array): void {
    const { sampleCount } = this;
    const slots = this.#markerOf.length;
    const markers = this.#markersOf[place]!;
    for (const marker of markers) this.#markerOf[this.#markers[marker]!.group] = marker;
    for (let i = 0; i < cells.length; i++) {
      const slot = this.#groups.codes[cells[i]!]!;
      const sample = this.#samples[cells[i]!]!;
      if (slot >= slots || sample < 0) continue;
      const value = values[i]!;
      this.#totals[place * sampleCount + sample]! += value;
      const marker = this.#markerOf[slot]!;
      if (marker < 0) continue;
      this.#sums[marker * sampleCount + sample]! += value;
      this.#squares[marker * sampleCount + sample]! += value * value;
    }
    for (const marker of markers) this.#markerOf[this.#markers[marker]!.group] = -1;
  }

  /** The sums of each marker, in the order in which they were listed. */
  markers(): MarkerSamples[] {
    const found = new Array<MarkerSamples>(this.#markers.length);
    const part = (values: Float64Array, at: number) =>
      values.slice(at * this.sampleCount, (at + 1) * this.sampleCount);
    this.#markersOf.forEach((markers, place) => {
      const totals = part(this.#totals, place);
      for (const marker of markers) {
        const sums = part(this.#sums, marker);
        const restSums = totals.map((total, sample) => total - sums[sample]!);
        found[marker] = { sums, squares: part(this.#squares, marker), restSums };
      }
    });
    return found;
  }
}
