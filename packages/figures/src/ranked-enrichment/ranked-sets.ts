import type { RankedEnrichmentFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import { value } from '../plot-words.ts';

export interface RankedEnrichmentInput extends RankedEnrichmentFigure {
  readonly cautions: readonly Caution[];
}

/** A p-value from permutations: 0 is shown as less than the minimum. */
export function boundedP(p: number | null, leastP: number): string {
  return p === 0 ? `< ${value(leastP)}` : value(p);
}

export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
