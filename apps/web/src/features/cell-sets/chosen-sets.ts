import type { CellSetsAnswer, FilterRequest, MapColumnList } from '@cellfolio/contract';
import { cellSetsAnswer, filterRequest } from '@cellfolio/contract';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import type { ApiClient } from '@/lib/api-client.ts';
import type { Combination } from './set-words.ts';

const chosenSet = z.object({ name: z.string(), filter: filterRequest });
const chosenSets = z.array(chosenSet);

/** A set of cells to compare. */
export interface ChosenSet {
  readonly name: string;
  readonly filter: FilterRequest;
}

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

/** Cells of one group of a column of obs. */
export function groupSet(column: ObsColumn, value: string): ChosenSet {
  return groupsSet(column, [value]);
}

type ObsColumn = MapColumnList['obs'][number];
/** Of what the server takes as a name. */
const maxName = 200;

/** Cells of any of some groups of a column of obs. */
export function groupsSet({ name, title, role }: ObsColumn, values: readonly string[]): ChosenSet {
  const filter = { patient_metadata_filter: true, patient_metadata: { [name]: [...values] } };
  // A cluster, or a patient, is often a number.
  const shown = `${role === 'cellType' ? '' : `${title} `}${values.join(' or ')}`;
  const cut = shown.length > maxName ? `${shown.slice(0, maxName - 3)}...` : shown;
  return { name: cut.trim() || title, filter: { subset_group_name: 'Group', ...filter } };
}

/** How sets overlap. @param opened names the open dataset and its version */
export function overlapQuery(api: ApiClient, opened: string, sets: readonly ChosenSet[]) {
  const filters = sets.map(({ filter }) => filter);
  return queryOptions({
    queryKey: ['cell-sets', opened, filters],
    queryFn: ({ signal }) => compareSets(api, filters, undefined, signal),
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
  const { kept } = await compareSets(api, filters, keep);
  if (kept === undefined) throw new TypeError('The answer names no cells.');
  return kept;
}

function compareSets(
  api: ApiClient,
  sets: readonly FilterRequest[],
  keep?: readonly Combination[],
  signal?: AbortSignal,
): Promise<CellSetsAnswer> {
  return api({
    path: '/api/cell-sets',
    body: { sets, ...(keep && { keep }) },
    answer: cellSetsAnswer,
    signal,
  });
}
