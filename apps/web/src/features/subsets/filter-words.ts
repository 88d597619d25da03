import { filterWords as wordsOfFilter } from '@cellfolio/contract';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import type { FilterConfig } from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';
import { selectionText } from './saved-subsets.ts';

/**
 * Which cells the filter of a form keeps, in words.
 * @param names what the user calls categories; those of the dataset if absent
 * @param version of the dataset that is open, where that is to be told from the one of selected cells
 */
export function filterWords(config: FilterConfig, names?: CategoryNames, version?: string): string {
  return wordsOfFilter(filterPayload('', config), { ...names, cells: selectionText(config, version) });
}
