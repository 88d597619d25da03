import { countText } from '@cellfolio/model';
import { listed } from '../features/feature-cautions.ts';
import { featureKind } from '../features/feature-types.ts';

/** Says where the third column of a table of features names some that are no genes. */
export function featureNotes(rows: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[2] ?? '', (counts.get(row[2] ?? '') ?? 0) + 1);
  const others = [...counts].filter(([type]) => featureKind(type) === 'other');
  if (others.length === 0) return [];
  const count = others.reduce((sum, [, features]) => sum + features, 0);
  const named = others.slice(0, 10).map(([type, features]) => ({ type, count: features, examples: [] }));
  return [
    `${countText(rows.length - count)} of the ${countText(rows.length)} features are genes; ${listed(named)}. All are in the file, a dataset of it is of the genes.`,
  ];
}
