import type { CellSetsAnswer, FilterRequest, MapColumnList } from '@cellfolio/contract';
import { cellSetsAnswer, filterRequest } from '@cellfolio/contract';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import type { Combination } from './set-words.ts';

const chosenSet = z.object({ name: z.string(), filter: filterRequest, words: z.string().default('') });
const chosenSets = z.array(chosenSet);

/** A set of cells to compare. */
export interface ChosenSet {
  readonly name: string;
  readonly filter: FilterRequest;
  /** What the cells are, where the name does not say it. */
  readonly words: string;
}

/** Of the sets, by their places; none is that of a known cell type or of a cluster. */
export const setColours = ['#008778', '#b45ad2', '#c3875a', '#5ab4ff', '#784b69', '#7878a5'] as const;

/** Reads what a page kept. */
export function readChosenSets(stored: unknown): ChosenSet[] | undefined {
  return chosenSets.safeParse(stored).data;
}

/** Reads what a form kept as text; undefined for none. */
export function readChosenSet(text: string): ChosenSet | undefined {
  try {
    return chosenSet.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type ObsColumn = MapColumnList['obs'][number];
/** Of what the server takes as a name. */
const maxName = 200;

/** Cells of any of some groups of a column of obs; `names` are what its user calls them. */
export function groupsSet(
  { name, title, role }: ObsColumn,
  values: readonly string[],
  names: CategoryNames,
): ChosenSet {
  const filter = { patient_metadata_filter: true, patient_metadata: { [name]: [...values] } };
  // A cluster, or a patient, is often a number.
  const joined = values.map((value) => names.ofColumn(name, value)).join(' or ');
  const shown = `${role === 'cellType' ? '' : `${title} `}${joined}`;
  const cut = shown.length > maxName ? `${shown.slice(0, maxName - 3)}...` : shown;
  return {
    name: cut.trim() || title,
    filter: { subset_group_name: 'Group', ...filter },
    words: role === 'cellType' ? `${title} is ${joined}` : '',
  };
}

/** How sets overlap, and what they are made of. @param opened names the open dataset and its version */
export function overlapQuery(
  api: ApiClient,
  opened: string,
  sets: readonly ChosenSet[],
  by: string | undefined,
) {
  const filters = sets.map(({ filter }) => filter);
  return queryOptions({
    queryKey: ['cell-sets', opened, filters, by],
    queryFn: ({ signal }) => compareSets(api, { sets: filters, by }, signal),
    // The counts stay while another column is counted.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[2]) === JSON.stringify(filters) ? before : undefined,
    enabled: sets.length >= 2,
    staleTime: 5 * 60_000,
  });
}

/** The cells of some combinations of sets, for a filter. */
export async function cellsOf(
  api: ApiClient,
  sets: readonly ChosenSet[],
  keep: readonly Combination[],
): Promise<NonNullable<CellSetsAnswer['kept']>> {
  const filters = sets.map(({ filter }) => filter);
  const { kept } = await compareSets(api, { sets: filters, keep });
  if (kept === undefined) throw new TypeError('The answer names no cells.');
  return kept;
}

function compareSets(
  api: ApiClient,
  asked: {
    sets: readonly FilterRequest[];
    keep?: readonly Combination[];
    by?: string | undefined;
  },
  signal?: AbortSignal,
): Promise<CellSetsAnswer> {
  return api({
    path: '/api/cell-sets',
    body: asked,
    answer: cellSetsAnswer,
    signal,
  });
}
