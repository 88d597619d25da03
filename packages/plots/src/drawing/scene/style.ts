/** Colours of everything in a figure but its data. Each has its like in the dark theme (`theme/themed-ink.ts`). */
export const paperColour = '#ffffff';
export const inkColour = '#1b1f24';
export const softInk = '#57606a';

/** Lines of an axis of values through the figure. */
export const gridColour = '#e6e8ec';
/** Where zero is within the range. */
export const zeroLineColour = '#8c959f';
/** Lines that lead the eye along rows and columns of dots. */
export const hairlineColour = '#eceef1';
/** Rim of a dot, which keeps the palest visible. */
export const dotEdge = '#6b4a45';
/** Dots of a legend of sizes. */
export const legendGrey = '#b4b9c1';
/** Bars of an enrichment. */
export const significant = '#3567b0';
/** Genes that are higher on the first side of a comparison; those that are lower are `significant`. */
export const raised = '#c2553f';
export const notSignificant = '#c2c8d1';
/** Band of standard errors about a line of `significant`. */
export const errorBand = '#c3d3ea';
/** Groups that a legend does not name: darker than cells without a group, in no hue. */
export const restGrey = '#5f6670';

/**
 * Sizes in CSS pixels. A figure of 600 px set at 89 mm, one column of a journal, is reduced to 0.42 pt a
 * pixel: 14.5 px is then 6.1 pt, the minimum for print, and so the minimum here.
 */
export const titleSize = 23;
export const textSize = 15;
export const smallSize = 14.5;

/** From the middle of a line of small type down to its baseline. */
export const toBaseline = smallSize * 0.36;

/** Space kept clear on every side. */
export const margin = 16;
/** Baselines of the title, the dataset and the count of cells. */
export const titleLines = [35, 58, 78] as const;
/** Where the panel begins. */
export const panelTopEdge = 92;
/** Width of every figure. */
export const figureWidth = 600;
