import type { SpecOf } from '../plot-words.ts';
import type { geneScatterWords } from './words.ts';

export const scatterBins = 40;

export interface GeneScatterSpec extends SpecOf<typeof geneScatterWords, 'x' | 'y'> {
  readonly x: GeneAxis;
  readonly y: GeneAxis;
  readonly colours: { readonly ramp: readonly string[] };
  /** Non-empty squares: column, row from below, number of cells. */
  readonly squares: readonly (readonly [number, number, number])[];
}

export interface GeneAxis {
  readonly symbol: string;
  readonly unit: string;
  readonly domain: readonly [number, number];
  /** Cells that express a gene; absent for a score or number. */
  readonly expressing?: number;
}
