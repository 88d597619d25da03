/** Colours of everything in a figure but its data. Each has its like in the dark theme (`theme/themed-ink.ts`). */
export const PAPER = '#ffffff';
export const INK = '#1b1f24';
export const SOFT_INK = '#57606a';

/** Lines of an axis of values through the figure. */
export const GRID = '#e6e8ec';
/** Where zero lies inside the range. */
export const ZERO_LINE = '#8c959f';
/** Lines that lead the eye along rows and columns of dots. */
export const HAIRLINE = '#eceef1';
/** Rim of a dot, which keeps the palest visible. */
export const DOT_EDGE = '#6b4a45';
/** Dots of a legend of sizes. */
export const LEGEND_GREY = '#b4b9c1';
/** Bars of an enrichment. */
export const SIGNIFICANT = '#3567b0';
export const NOT_SIGNIFICANT = '#c2c8d1';
/** Groups that a legend does not name: darker than cells without a group, in no hue. */
export const REST_GREY = '#5f6670';
