import { comparisonParameters } from '@cellfolio/analysis/parameters';
import { dataName } from '@cellfolio/model/names';
import type { z } from 'zod';

/** What every figure of a pseudobulk test is of. */
export const pseudobulkFields = {
  ...comparisonParameters.shape,
  part: dataName
    .optional()
    .describe('The category of `within` that is drawn; absent for that with most differing genes.'),
};

type PseudobulkContent = z.output<typeof comparisonParameters> & {
  readonly part?: string | undefined;
  readonly gene?: string;
};

export function pseudobulkInputs(content: PseudobulkContent) {
  const { part, gene } = content;
  return { tested: { from: 'pseudobulk', parameters: content, part, gene } } as const;
}

export function comparedTitle({ a, b }: Pick<PseudobulkContent, 'a' | 'b'>): string {
  return `${a.name} against ${b?.name ?? 'the rest'}`;
}
