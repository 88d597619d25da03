import type { CellSetsAnswer, FilterRequest, MapColumnList } from '@cellfolio/contract';
import { cellSetsAnswer, filterRequest } from '@cellfolio/contract';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import type { Combination } from './set-words.ts';

const chosenSet = z.object({ name: z.string(), filter: filterRequest, words: z.string().default('') });
const chosenSets = z.array(chosenSet);

export interface ChosenSet {
  name: string;
  filter: FilterRequest;
  words: string;
}

/** Colours of the sets, by index; distinct from those of known cell types and of clusters. */
export const setColours = ['#008778', '#b45ad2', '#c3875a', '#5ab4ff', '#784b69', '#7878a5'] as const;

export function readChosenSets(stored: unknown): ChosenSet[] | undefined {
  return chosenSets.safeParse(stored).data;
}

/** Parses a set stored as text in a form; undefined for none. */
export function readChosenSet(text: string): ChosenSet | undefined {
  try {
    return chosenSet.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type ObsColumn = MapColumnList['obs'][number];
/** Maximum length of a name accepted by the server. */
const maxName = 200;

/** Cells in any of the given groups of an obs column; `names` are the user's labels. */
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

/** Overlap and composition of sets. `opened` identifies the open dataset and its version. */
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

export async function cellsOf(
  api: ApiClient,
  sets: readonly ChosenSet[],
  keep: readonly Combination[],
): Promise<NonNullable<CellSetsAnswer['kept']>> {
  const filters = sets.map(({ filter }) => filter);
  const { kept: keptCells } = await compareSets(api, { sets: filters, keep });
  if (keptCells === undefined) throw new TypeError('The answer names no cells.');
  return keptCells;
}

function compareSets(
  api: ApiClient,
  request: {
    sets: readonly FilterRequest[];
    keep?: readonly Combination[];
    by?: string | undefined;
  },
  signal?: AbortSignal,
): Promise<CellSetsAnswer> {
  return api({
    path: '/api/cell-sets',
    body: request,
    answer: cellSetsAnswer,
    signal,
  });
}
