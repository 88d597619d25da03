import type { CellTypeMarkers, InteractionPair, Species } from '@cellfolio/analysis';
import { plural, type ResultCaution } from '@cellfolio/model';
import { z } from 'zod';

/** Fields of the answer that must accompany a list wherever its results appear. */
const listHead = {
  name: z.string(),
  label: z.string().describe('Note shown beside the name; empty for none.'),
  release: z.string().describe('Version of the resource, as its operator stated it.'),
  licence: z.string(),
  species: z.string().describe('Whose symbols it has.'),
  version: z.string().describe('Changes when the entries change.'),
};
const count = z.number().int();
export const pairSet = z.object({ ...listHead, pair_count: count }).meta({ id: 'PairSet' });
export type PairSet = z.output<typeof pairSet>;
export const markerSet = z.object({ ...listHead, type_count: count }).meta({ id: 'MarkerSet' });
export type MarkerSet = z.output<typeof markerSet>;

type AnsweredHead = z.output<z.ZodObject<typeof listHead>>;

export interface ListHead extends AnsweredHead {
  readonly species: Species;
  /** Number of entries. */
  readonly count: number;
}

/** Entries of the lists that operators add, by kind. */
export interface ListEntries {
  readonly pairs: InteractionPair;
  readonly markers: CellTypeMarkers;
}

/** A list with its names looked up in a dataset. */
export interface DatasetList<Entry> {
  readonly head: ListHead;
  readonly entries: readonly Entry[];
  /** Row in var of a symbol of the list: by orthologues where the list is of another species. */
  find(symbol: string): number | undefined;
  /** Cautions of the symbols that `find` was given; `limit` states what a common ancestor of two genes does not imply. */
  cautions(limit: string): ResultCaution[];
}

/** `starter, abridged, 100 pairs`; a label that holds the name replaces it. */
export function listWords(
  { name, label, release, count }: Pick<ListHead, 'name' | 'label' | 'release' | 'count'>,
  one: string,
): string {
  const title = label.includes(name) ? label : name;
  const details = label || release;
  return `${title}${details === '' || details === title ? '' : ` (${details})`}, ${plural(count, one)}`;
}

export function namedList({ name, label }: AnsweredHead): string {
  return label === '' ? name : `${name} (${label})`;
}

/** Name, release, licence and version. */
export function listText(head: AnsweredHead): string {
  const { release, licence, version } = head;
  return [namedList(head), release, licence === '' ? '' : `license: ${licence}`, `version ${version}`]
    .filter((part) => part !== '')
    .join('; ');
}
