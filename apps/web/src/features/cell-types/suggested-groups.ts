import type { NothingFound } from '@/features/analyses/index.ts';
import { counted, formatCount } from '@/lib/format.ts';

/** Groups with what is suggested for each; null for Unclear. */
type Suggestions = readonly { readonly suggestion: string | null }[];

/** For how many groups a type is suggested: `8 of 12 groups`. */
export function suggestedWords(suggestions: Suggestions): string {
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).length;
  return `${formatCount(suggested)} of ${counted(suggestions.length, 'group')}`;
}

/** @param advice what the table has, and what to do instead */
export function allUnclear(suggestions: Suggestions, advice: string): NothingFound | null {
  if (suggestions.some(({ suggestion }) => suggestion !== null)) return null;
  return { title: 'All Groups Are Unclear', text: `No type is suggested for any group. ${advice}` };
}
