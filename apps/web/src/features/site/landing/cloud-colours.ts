import { bannerFacts } from './banner-cells.ts';

/** Red, green and blue, 0 to 1. */
export type Colour = readonly [number, number, number];

export interface CloudColours {
  /** In the order of the cell types. */
  types: readonly Colour[];
  /** None, then five steps from little to much. */
  ramp: readonly Colour[];
}

/** The colours of the theme of the moment. Those of the data are made for white, so dark surfaces lift them a little. */
export function cloudColours(): CloudColours {
  const style = getComputedStyle(document.documentElement);
  const dark = document.documentElement.classList.contains('dark');
  const none = parsed(style.getPropertyValue(dark ? '--surface-3' : '--cloud-none'));
  const ramp = dark ? bannerFacts.ramp.toReversed() : bannerFacts.ramp;
  return {
    types: bannerFacts.cellTypes.map((type) => {
      const colour = parsed(style.getPropertyValue(`--cell-${type}`));
      return dark ? lifted(colour, 0.3) : colour;
    }),
    // On a dark surface what is bright is much.
    ramp: [none, ...ramp.map((hex) => (dark ? lifted(parsed(hex), 0.16) : parsed(hex)))],
  };
}

function parsed(hex: string): Colour {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function lifted([r, g, b]: Colour, share: number): Colour {
  return [r + (1 - r) * share, g + (1 - g) * share, b + (1 - b) * share];
}
