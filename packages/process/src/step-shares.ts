import type { ProcessPart, ProcessProgress } from './process-result.ts';

/** Steps after the reading. */
export type Step = Exclude<ProcessProgress['step'], 'Reading counts'>;

/** Share of the whole that reading takes. */
export const READING_SHARE = 0.2;
/** How long the steps take beside each other, from runs of 10,000 to 50,000 cells; in their order. */
const weights: Readonly<Record<Step, number>> = {
  'Quality control': 4,
  Normalisation: 2,
  'Variable genes': 4,
  'Principal components': 15,
  Neighbours: 7,
  Clusters: 16,
  UMAP: 32,
};

/** Fraction of the whole, from 0 to 1, at which each step begins; what is not asked for takes no share. */
export function stepBegins(parts: readonly ProcessPart[]): ReadonlyMap<Step, number> {
  const left: Partial<Record<Step, boolean>> = {
    Neighbours: parts.length === 0,
    Clusters: !parts.includes('clusters'),
    UMAP: !parts.includes('umap'),
  };
  const steps = (Object.keys(weights) as Step[]).filter((step) => left[step] !== true);
  const whole = steps.reduce((sum, step) => sum + weights[step], 0);
  const begins = new Map<Step, number>();
  let before = 0;
  for (const step of steps) {
    begins.set(step, READING_SHARE + (1 - READING_SHARE) * (before / whole));
    before += weights[step];
  }
  return begins;
}
