import type { SpecOf } from '../plot-words.ts';
import type { geneScatterWords } from './words.ts';

export const scatterBins = 40;

export interface GeneScatterSpec extends SpecOf<typeof geneScatterWords, 'x' | 'y'> {
  x: GeneAxis;
  y: GeneAxis;
  colours: { ramp: readonly string[] };
  /** Non-empty squares: column, row from below, number of cells. */
  squares: readonly (readonly [number, number, number])[];
}

export interface GeneAxis {
  symbol: string;
  unit: string;
  domain: readonly [number, number];
  /** Cells that express a gene; absent for a score or number. */
  expressing?: number;
}
