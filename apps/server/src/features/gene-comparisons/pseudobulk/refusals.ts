import { type Caution, countText, listedNames, noCountsReason } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { quotedColumn } from '../../../runtime/column-names.ts';
import type { SampleColumn } from '../../../runtime/sample-column.ts';
import { type RefusedPart, requireSamples } from '../../sample-design/index.ts';

const maxNamesListed = 8;
export const cellTests = ['compare cells by the Wilcoxon test'] as const;
export const wilcoxonTest = ['compare cells by the Wilcoxon test'] as const;

/** Throws ApiFailure 422 for a dataset without raw counts, or without a column of samples. */
export function requireSums(
  { expression, warnings }: Pick<DatasetManifest, 'expression' | 'warnings'>,
  samples: SampleColumn | undefined,
): asserts samples is SampleColumn {
  if (!expression.hasCounts) throw noCounts(warnings);
  requireSamples(samples);
}

export function noCounts(warnings: readonly Caution[]): ApiFailure {
  return new ApiFailure(
    422,
    'no_raw_counts',
    `Pseudobulk needs raw counts, and the dataset has none.${noCountsReason(warnings)} Compare cells by the Wilcoxon test, or upload a file with raw counts in X, raw or a layer.`,
    { details: [{ field: 'method', problem: 'needs raw counts' }] },
  );
}

export function sumsTooLarge(sums: number, genes: number, maximum: number): ApiFailure {
  return new ApiFailure(
    422,
    'sums_too_large',
    `${countText(sums)} sums of ${countText(genes)} genes in one group are more than the ${countText(maximum)} sums that fit. Compare fewer samples, as the active subset.`,
  );
}

export function refusedParts(parts: readonly RefusedPart[], within: string | undefined): ApiFailure {
  const [first] = parts;
  if (within === undefined) return new ApiFailure(422, first!.code, first!.reason);
  return new ApiFailure(
    422,
    'groups_not_testable',
    `No group of ${quotedColumn(within)} can be tested. ${listedReasons(parts)} Compare all cells together, or within another column.`,
    { details: parts.map(({ name, reason }) => ({ field: 'within', problem: `${name}: ${reason}` })) },
  );
}

const maxReasons = 4;

/** Concatenates sentences about groups; groups with the same reason are named together. */
export function listedReasons(parts: readonly Pick<RefusedPart, 'name' | 'reason'>[]): string {
  const namesOf = Map.groupBy(parts, ({ reason }) => reason);
  const words = Array.from(namesOf, ([reason, same]) => {
    const names = same.map(({ name }) => name);
    return `${listedNames(names, maxNamesListed)}: ${reason}`;
  });
  const rest = words.length - maxReasons;
  return `${words.slice(0, maxReasons).join(' ')}${rest > 0 ? ` And ${rest} more.` : ''}`;
}
