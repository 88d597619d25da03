import type { RowLimits } from '@/features/tables/index.ts';
import type { Directions } from './read-answer.ts';

/** Limits as typed; empty for none. */
export interface TypedLimits {
  direction: 'all' | 'higher' | 'lower';
  adjustedP: string;
  foldChange: string;
}

export const noLimits: TypedLimits = { direction: 'all', adjustedP: '', foldChange: '' };

/** Undefined for text that is not a number. */
function limitOf(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
}

export function rowLimits({ direction, adjustedP, foldChange }: TypedLimits): RowLimits {
  return { direction, adjustedP: limitOf(adjustedP), foldChange: limitOf(foldChange) };
}

/** Such as 'higher in A, adjusted p < 0.05'; empty for none. */
export function limitWords(
  { direction, adjustedP, foldChange }: RowLimits,
  directions: Directions | undefined,
): string {
  if (directions === undefined) return '';
  return [
    ...(direction === 'all' ? [] : [`higher in ${directions[direction]}`]),
    ...(adjustedP === undefined ? [] : [`adjusted p < ${adjustedP}`]),
    ...(foldChange === undefined ? [] : [`|log2 fold change| ≥ ${foldChange}`]),
  ].join(', ');
}
