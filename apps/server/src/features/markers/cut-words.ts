import type { Bins } from '@cellfolio/analysis/parameters';
import { binsWords } from '@cellfolio/plots';

const edgesShown = 5;

/** How the numbers of a column are cut, behind its title: with edges of one's own by these. Empty for categories. */
export function cutWords(bins: Bins | undefined): string {
  if (bins === undefined) return '';
  if (bins.by !== 'edges') return ` (${binsWords(bins)})`;
  const more = bins.edges.length > edgesShown ? ' and more' : '';
  return ` (cut at ${bins.edges.slice(0, edgesShown).join(', ')}${more})`;
}
