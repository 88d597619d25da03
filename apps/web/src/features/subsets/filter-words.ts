import { filterWords as wordsOfFilter } from '@cellfolio/contract';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import type { FilterConfig } from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';
import { selectionText } from './saved-subsets.ts';

/**
 * Describes which cells a filter keeps. `names`: the user's names of categories; the dataset's own if absent.
 * `version`: that of the open dataset, given if it is to be distinguished from the version of selected cells.
 */
export function filterWords(config: FilterConfig, names?: CategoryNames, version?: string): string {
  return wordsOfFilter(filterPayload('', config), { ...names, cells: selectionText(config, version) });
}
