import type { CategoryUmapFigure, GeneUmapFigure, HighlightUmapFigure, ScoreUmapFigure } from '../figure.ts';

/** No point for this cell. */
export const NOT_DRAWN = 255;

/** One ink a cell, and the order in which cells are painted: later ones lie on top. */
export interface PointLayer {
  readonly inks: readonly string[];
  /** Index into `inks`, or NOT_DRAWN. */
  readonly cellInk: Uint8Array;
  /** Cells in the order of painting. */
  readonly order: Int32Array;
  /** Ink that all cells are painted with first; `order` then holds only those on top of it. */
  readonly ground?: number;
  /** Where it is not that of the spec. */
  readonly pointRadius?: number;
}

const OUTSIDE = 0;
const ZERO = 1;
const FIRST_SHADE = 2;

/** Silhouette, then cells without expression, then the others in ascending order of value. */
export function genePointLayer({ spec, columns }: GeneUmapFigure): PointLayer {
  const { gene, mask } = columns;
  const { low, high } = spec.domain;
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const shadeOf = (value: number): number =>
    FIRST_SHADE + Math.min(shades - 1, Math.max(0, Math.floor((value - low) * scale)));
  const cellInk = new Uint8Array(gene.cellCount).fill(low < 0 ? shadeOf(0) : ZERO);
  const { cells, values } = gene;
  const last = FIRST_SHADE + shades - 1;
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (value - value !== 0) cellInk[cells[i]!] = ZERO;
    else if (value > 0 || low < 0) {
      // The truncation of shadeOf written out: it is called for every entry.
      const shade = FIRST_SHADE + (((value - low) * scale) | 0);
      cellInk[cells[i]!] = shade > last || value > high ? last : value < low ? FIRST_SHADE : shade;
    }
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  const inks = [spec.colours.outside, spec.colours.zero, ...spec.colours.ramp];
  const { order, starts } = orderByInk(cellInk, FIRST_SHADE + shades);
  // With a mask, or negative values, the cells below differ from gene to gene.
  if (mask !== undefined || low < 0) return { inks, cellInk, order };
  return { inks, cellInk, order: order.subarray(starts[FIRST_SHADE]!), ground: ZERO };
}

/** Cells that are not scored or outside, then the others in ascending order of their shade. */
export function scorePointLayer({ spec, columns }: ScoreUmapFigure): PointLayer {
  const { scores, mask } = columns;
  const { low, high } = spec.domain;
  const bits = mask?.bits;
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const cellInk = new Uint8Array(scores.length);
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score - score !== 0 || (bits !== undefined && bits[cell] !== 1)) continue;
    // Compared before the truncation, which would wrap around for scores far beyond the bar.
    const shade = score <= low ? 0 : score >= high ? shades - 1 : ((score - low) * scale) | 0;
    cellInk[cell] = 1 + (shade < shades ? shade : shades - 1);
  }
  return {
    inks: [spec.colours.outside, ...spec.colours.ramp],
    cellInk,
    order: orderByInk(cellInk, 1 + shades).order,
  };
}

/**
 * Silhouette, the other cells, then the chosen ones strewn: these are a layer of their own, as their points may
 * be larger.
 */
export function highlightPointLayers({ spec, columns }: HighlightUmapFigure): PointLayer[] {
  const { column, mask } = columns;
  const inks = [spec.colours.outside, spec.colours.others];
  const inkOfCode = new Uint8Array(column.categories.length).fill(1);
  const placeOf = new Map<string, number>();
  for (const { code, colour } of spec.groups) {
    const place = placeOf.get(colour) ?? inks.push(colour) - 1;
    placeOf.set(colour, place);
    inkOfCode[code] = place;
  }
  if (spec.rest !== undefined) {
    const place = inks.push(spec.rest.colour) - 1;
    for (const code of spec.rest.codes) inkOfCode[code] = place;
  }
  const { codes } = column;
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : 1;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  const order = strewnOrder(cellInk);
  let background = 0;
  for (let cell = 0; cell < cellInk.length; cell++) if (cellInk[cell]! <= 1) background++;
  return [
    { inks, cellInk, order: order.subarray(0, background) },
    { inks, cellInk, order: order.subarray(background), pointRadius: spec.highlightRadius },
  ];
}

/**
 * Silhouette, cells without a category, then all others strewn, so that no category covers another only
 * because its cells come later in the file.
 */
export function categoryPointLayer({ spec, columns }: CategoryUmapFigure): PointLayer {
  const { column, mask } = columns;
  // Colours repeat beyond 64 categories; inks do not.
  const inks = [spec.colours.outside, spec.colours.missing];
  const inkOfCode = new Uint8Array(column.categories.length);
  if (spec.rest !== undefined) inkOfCode.fill(inks.push(spec.rest.colour) - 1);
  const placeOf = new Map<string, number>();
  spec.groups.forEach(({ colour, code }) => {
    let place = placeOf.get(colour);
    if (place === undefined) {
      place = inks.push(colour) - 1;
      placeOf.set(colour, place);
    }
    inkOfCode[code] = place;
  });
  const { codes } = column;
  const cellInk = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    cellInk[cell] = code >= 0 && code < inkOfCode.length ? inkOfCode[code]! : 1;
  }
  if (mask !== undefined) coverOutside(cellInk, mask.bits);
  return { inks, cellInk, order: strewnOrder(cellInk) };
}

function coverOutside(cellInk: Uint8Array, bits: Uint8Array): void {
  for (let cell = 0; cell < cellInk.length; cell++) if (bits[cell] !== 1) cellInk[cell] = OUTSIDE;
}

/** Counting sort: rising ink, rising row within an ink; `starts[ink]` is the first place of an ink. */
function orderByInk(cellInk: Uint8Array, inkCount: number): { order: Int32Array; starts: Uint32Array } {
  const next = new Uint32Array(inkCount + 1);
  for (let cell = 0; cell < cellInk.length; cell++) next[cellInk[cell]! + 1]!++;
  for (let ink = 1; ink <= inkCount; ink++) next[ink]! += next[ink - 1]!;
  const starts = next.slice();
  const order = new Int32Array(cellInk.length);
  for (let cell = 0; cell < cellInk.length; cell++) order[next[cellInk[cell]!]!++] = cell;
  return { order, starts };
}

/** Places in the file from which cells are taken in turn. */
const STREAMS = 48;

/**
 * The two background inks in row order, then the rest: one cell from each of 48 evenly spaced places of
 * the file in turn, which mixes what files keep sorted. A true shuffle reads memory at random and takes
 * twice as long for a million cells.
 */
function strewnOrder(cellInk: Uint8Array): Int32Array {
  const count = cellInk.length;
  const order = new Int32Array(count);
  let at = 0;
  for (let ink = 0; ink < 2; ink++) {
    for (let cell = 0; cell < count; cell++) if (cellInk[cell] === ink) order[at++] = cell;
  }
  const step = Math.max(1, Math.ceil(count / STREAMS));
  for (let first = 0; first < step; first++) {
    for (let cell = first; cell < count; cell += step) if (cellInk[cell]! > 1) order[at++] = cell;
  }
  return order;
}
