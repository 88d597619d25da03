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

/**
 * Sizes in CSS pixels. A figure of 600 px set at 89 mm, one column of a journal, is reduced to 0.42 pt a
 * pixel: 14.5 px is then 6.1 pt, the least that may be printed, and so the least used here.
 */
export const TITLE_SIZE = 23;
export const TEXT_SIZE = 15;
export const SMALL_SIZE = 14.5;

/** Space kept clear on every side. */
export const MARGIN = 16;
/** Baselines of the title, the dataset and the count of cells. */
export const TITLE_LINES = [35, 58, 78] as const;
/** Where the panel begins. */
export const PANEL_TOP = 92;
/** Width of every figure. */
export const FIGURE_WIDTH = 600;
