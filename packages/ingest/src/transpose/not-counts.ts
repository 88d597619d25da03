import type { ValueStatistics } from './value-statistics.ts';

/** A sampled belief about the values that reading all of them refuted. */
export class NotCounts extends Error {
  readonly statistics: ValueStatistics;

  constructor(statistics: ValueStatistics) {
    super('the values are not raw counts after all');
    this.name = 'NotCounts';
    this.statistics = statistics;
  }
}
