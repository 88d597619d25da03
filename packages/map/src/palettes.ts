/** Red, green and blue of 0 to 255. */
export type Rgb = readonly [number, number, number];

/**
 * Of a layer, the slot of cells that are not among those that it shows, whatever their value is: below all others, or not
 * drawn at all, and not found under the pointer.
 */
export const outsideSlot = 255;
/** Categories beyond the 253 that have a slot of their own. */
export const otherSlot = 254;

/**
 * One slot for each category, as one byte a cell allows. Slot 0 is a missing value. Where there are more than 254
 * categories, the 253 with the most cells have slots of their own and the others share `otherSlot`.
 * @param counts cells of each category
 * @returns the slot of each category
 */
export function slotsOfCategories(counts: readonly number[]): Uint8Array {
  if (counts.length <= otherSlot) return Uint8Array.from(counts, (_, category) => category + 1);
  const largest = counts.map((_, category) => category).sort((a, b) => counts[b]! - counts[a]! || a - b);
  const slots = new Uint8Array(counts.length).fill(otherSlot);
  largest.slice(0, otherSlot - 1).forEach((category, place) => (slots[category] = place + 1));
  return slots;
}

/**
 * @param codes 0 = missing, k + 1 = category k
 * @param slots as `slotsOfCategories` returns them
 * @returns the slots of the cells: the codes themselves where they are the slots already
 */
export function slotsOfCodes(codes: Uint8Array | Uint16Array, slots: Uint8Array): Uint8Array {
  if (codes instanceof Uint8Array && slots.length <= otherSlot) return codes;
  const bytes = new Uint8Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++)
    bytes[cell] = codes[cell] === 0 ? 0 : slots[codes[cell]! - 1]!;
  return bytes;
}

/**
 * @param slots the slot of each category
 * @param colours the colour of each category
 * @param options.missing colour of cells without a value; absent, they are not drawn
 * @param options.other colour of categories that share a slot
 * @param options.hidden categories that are not drawn; those that share a slot are hidden when all of them are
 * @returns 256 × RGBA; slots that nothing uses are not drawn
 */
export function categoryPalette(
  slots: Uint8Array,
  colours: readonly Rgb[],
  { missing, other, hidden }: { missing?: Rgb; other?: Rgb; hidden?: ReadonlySet<number> } = {},
): Uint8Array {
  const palette = new Uint8Array(1024);
  if (missing !== undefined) setColour(palette, 0, missing);
  const sharing = slots.length > otherSlot;
  slots.forEach((slot, category) => {
    if (hidden?.has(category)) return;
    const colour = sharing && slot === otherSlot ? other : colours[category];
    setColour(palette, slot, colour ?? [128, 128, 128]);
  });
  return palette;
}

/**
 * @param stops colours at equal distances from the lower end of the range to the upper one; between them, linear in sRGB
 * @param values what each of the 256 slots stands for; NaN is missing
 * @param options.range values at the ends; those beyond have the colours of the ends
 * @param options.log colours by log(1 + value), for counts
 * @param options.zero colour of slot 0, such as that of a gene that is not seen; absent, slot 0 is coloured by its value
 * @param options.missing colour of NaN; absent, such cells are not drawn
 * @returns 256 × RGBA
 */
export function rangePalette(
  stops: readonly Rgb[],
  values: Float64Array,
  {
    range,
    log = false,
    zero,
    missing,
  }: { range: readonly [number, number]; log?: boolean; zero?: Rgb; missing?: Rgb },
): Uint8Array {
  const palette = new Uint8Array(1024);
  const scaled = (value: number) => (log ? Math.log1p(Math.max(0, value)) : value);
  const [low, high] = [scaled(range[0]), scaled(range[1])];
  for (let slot = 0; slot < outsideSlot; slot++) {
    const value = scaled(values[slot] ?? NaN);
    // A range without extent: what reaches it has the upper colour.
    const share = high > low ? (value - low) / (high - low) : value >= high ? 1 : 0;
    const colour =
      slot === 0 && zero !== undefined ? zero : Number.isNaN(value) ? missing : colourAt(stops, share);
    if (colour !== undefined) setColour(palette, slot, colour);
  }
  return palette;
}

function colourAt(stops: readonly Rgb[], share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const before = Math.min(stops.length - 1, Math.floor(place));
  const [from, to] = [stops[before]!, stops[Math.min(stops.length - 1, before + 1)]!];
  const mixed = (channel: 0 | 1 | 2) =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (place - before));
  return [mixed(0), mixed(1), mixed(2)];
}

function setColour(palette: Uint8Array, slot: number, [red, green, blue]: Rgb): void {
  palette.set([red, green, blue, 255], 4 * slot);
}
