import type { MapFigure } from '@cellfolio/contract';
import { type Layer, rangePalette, type Rgb, slotPalette } from '@cellfolio/map';
import type { LoadedPoints } from './load-points.ts';

/** Slot of all groups beyond those that a figure names; the named ones have the slots from 1 on. */
const restSlot = 253;

export interface LegendEntry {
  readonly slot: number;
  readonly label: string;
  readonly colour: string;
  readonly cells: number;
}

/** Entries of the legend; none for a range of numbers. */
export function legendOf(figure: MapFigure): readonly LegendEntry[] {
  if (!('groups' in figure)) return [];
  const { groups, rest, missing, colours } = figure;
  const entries: LegendEntry[] = groups.map(({ label, colour, cells }, at) => ({
    slot: at + 1,
    label,
    colour,
    cells,
  }));
  if (rest)
    entries.push({
      slot: restSlot,
      label: `${rest.groups} more groups`,
      colour: rest.colour,
      cells: rest.cells,
    });
  if (missing > 0 && colours.missing !== undefined)
    entries.push({ slot: 0, label: 'Not assigned', colour: colours.missing, cells: missing });
  return entries.filter(({ cells }) => cells > 0);
}

/** A slot for each point, which does not depend on the theme. */
export function slotsOf({ figures: { light: figure }, values, places }: LoadedPoints): Uint8Array {
  if (values === undefined) return new Uint8Array(places.length).fill(1);
  if (!('groups' in figure)) return Uint8Array.from(values.codes);
  const slotOf = new Map(figure.groups.map(({ code }, at) => [code + 1, at + 1]));
  return Uint8Array.from(values.codes, (code) => (code === 0 ? 0 : (slotOf.get(code) ?? restSlot)));
}

/** `hidden`: slots that are not drawn. */
export function layerOf(
  slots: Uint8Array,
  figure: MapFigure,
  { values }: LoadedPoints,
  hidden: ReadonlySet<number>,
): Layer {
  if ('domain' in figure) {
    const { ramp, zero, outside } = figure.colours;
    const palette = rangePalette(ramp.map(rgbOf), values?.levelValues ?? new Float64Array(256), {
      range: [figure.domain.low, figure.domain.high],
      missing: rgbOf(outside),
      ...(zero !== undefined && { zero: rgbOf(zero) }),
    });
    return { slots, palette, ...(figure.order === 'expressing-on-top' && { onTopFrom: 1 }) };
  }
  const shown = legendOf(figure).filter(({ slot }) => !hidden.has(slot));
  return { slots, palette: slotPalette(shown.map(({ slot, colour }) => [slot, rgbOf(colour)] as const)) };
}

/** `#rrggbb` as three bytes. */
function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
