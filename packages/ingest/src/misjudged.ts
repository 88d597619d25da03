import type { Candidate } from './expression/candidates.ts';
import { contentOf } from './expression/content.ts';
import type { ValueStatistics } from './transpose/value-statistics.ts';

/** The values of a matrix are not what their sample said; thrown before any of them was written. */
export class Misjudged extends Error {
  readonly matrices: readonly Candidate[];

  constructor(matrices: readonly Candidate[], path: string, statistics: ValueStatistics) {
    super(`${path} is not what its sample said`);
    this.name = 'Misjudged';
    this.matrices = matrices.map((matrix) =>
      matrix.layout.path === path
        ? { ...matrix, statistics, content: contentOf(statistics, matrix.evidence) }
        : matrix,
    );
  }
}
