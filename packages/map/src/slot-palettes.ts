/** 0 to 255 each. */
export type Rgb = readonly [number, number, number];

/**
 * Slot of cells that a layer does not show, whatever their value: drawn below all others or not at all, and not found
 * under the pointer.
 */
export const outsideSlot = 255;

/** Returns 256 × RGBA; slots without a colour are not drawn. */
export function slotPalette(colours: Iterable<readonly [slot: number, colour: Rgb]>): Uint8Array {
  const palette = new Uint8Array(1024);
  for (const [slot, [red, green, blue]] of colours) palette.set([red, green, blue, 255], 4 * slot);
  return palette;
}

/**
 * Returns 256 × RGBA. `stops`: colours at equal distances over the range, interpolated linearly in sRGB. `values`: the
 * value of each of the 256 slots; NaN is missing. `range`: values at the ends; those beyond get the end colours. `log`:
 * colours by log(1 + value), for counts. `zero`: colour of slot 0, such as for an unexpressed gene; if absent, slot 0
 * is coloured by its value. `missing`: colour of NaN; if absent, such cells are not drawn. `outside`: colour of
 * `outsideSlot`.
 */
export function rangePalette(
  stops: readonly Rgb[],
  values: Float64Array,
  {
    range,
    log = false,
    zero,
    missing,
    outside,
  }: { range: readonly [number, number]; log?: boolean; zero?: Rgb; missing?: Rgb; outside?: Rgb },
): Uint8Array {
  const colours: [number, Rgb][] = outside === undefined ? [] : [[outsideSlot, outside]];
  const scaled = (value: number) => (log ? Math.log1p(Math.max(0, value)) : value);
  const [low, high] = [scaled(range[0]), scaled(range[1])];
  for (let slot = 0; slot < outsideSlot; slot++) {
    const value = scaled(values[slot] ?? NaN);
    // A range without extent: what reaches it has the upper colour.
    const share = high > low ? (value - low) / (high - low) : value >= high ? 1 : 0;
    const colour =
      slot === 0 && zero !== undefined ? zero : Number.isNaN(value) ? missing : colourAt(stops, share);
    if (colour !== undefined) colours.push([slot, colour]);
  }
  return slotPalette(colours);
}

function colourAt(stops: readonly Rgb[], share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const before = Math.min(stops.length - 1, Math.floor(place));
  const [from, to] = [stops[before]!, stops[Math.min(stops.length - 1, before + 1)]!];
  const mixed = (channel: 0 | 1 | 2) =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (place - before));
  return [mixed(0), mixed(1), mixed(2)];
}
