import type { Directions } from './analysis-module.ts';
import type { ResultTable } from './result-table.ts';

/** Limits as they are typed; empty for none. */
export interface TypedLimits {
  readonly direction: 'all' | 'higher' | 'lower';
  readonly adjustedP: string;
  readonly foldChange: string;
}

export const noLimits: TypedLimits = { direction: 'all', adjustedP: '', foldChange: '' };

/** What is no number limits nothing. */
function limitOf(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
}

/** Whether a row is within limits; undefined where there are none. */
export function withinLimits(
  { columns }: Pick<ResultTable, 'columns'>,
  { direction, adjustedP, foldChange }: TypedLimits,
): ((row: number) => boolean) | undefined {
  const [maxP, minChange] = [limitOf(adjustedP), limitOf(foldChange)];
  if (direction === 'all' && maxP === undefined && minChange === undefined) return undefined;
  const numbersOf = (heading: string) => columns.find(({ name }) => name === heading)?.numbers;
  const [changes, ps] = [numbersOf('logfoldchanges'), numbersOf('pvals_adj')];
  return (row) => {
    const change = changes?.[row] ?? NaN;
    if (direction !== 'all' && !(direction === 'higher' ? change > 0 : change < 0)) return false;
    if (maxP !== undefined && !(ps !== undefined && ps[row]! < maxP)) return false;
    return minChange === undefined || Math.abs(change) >= minChange;
  };
}

/** As 'higher in A, adjusted p < 0.05'; empty for none. */
export function limitWords(
  { direction, adjustedP, foldChange }: TypedLimits,
  directions: Directions | undefined,
): string {
  if (directions === undefined) return '';
  const [maxP, minChange] = [limitOf(adjustedP), limitOf(foldChange)];
  return [
    ...(direction === 'all' ? [] : [`higher in ${directions[direction]}`]),
    ...(maxP === undefined ? [] : [`adjusted p < ${maxP}`]),
    ...(minChange === undefined ? [] : [`|log2 fold change| ≥ ${minChange}`]),
  ].join(', ');
}
