/**
 * Colours of everything in a figure but its data. Each has a counterpart in the dark theme (`drawing/themed-ink.ts`).
 */
export const paperColour = '#ffffff';
export const inkColour = '#1b1f24';
export const softInk = '#57606a';

export const gridColour = '#e6e8ec';
export const zeroLineColour = '#8c959f';
export const hairlineColour = '#eceef1';
/** Rim of a dot, which keeps the palest visible. */
export const dotEdge = '#6b4a45';
export const legendGrey = '#b4b9c1';
export const significant = '#3567b0';
/** Genes that are higher on the first side of a comparison; lower ones are `significant`. */
export const raised = '#c2553f';
export const notSignificant = '#c2c8d1';
export const errorBand = '#c3d3ea';
/** Groups without a name in the legend: darker than cells without a group, and neutral. */
export const restGrey = '#5f6670';

/**
 * Sizes in CSS pixels. A figure of 600 px set at 89 mm, one journal column, is reduced to 0.42 pt per pixel: 14.5 px is
 * then 6.1 pt, the minimum for print, and so the minimum here.
 */
export const titleSize = 23;
export const textSize = 15;
export const smallSize = 14.5;

export const toBaseline = smallSize * 0.36;

export const margin = 16;
export const titleLines = [35, 58, 78] as const;
export const panelTopEdge = 92;
export const figureWidth = 600;
