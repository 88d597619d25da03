import type { CellTypeMarkers, PairedCells, ResolvedMarkers } from '@cellfolio/analysis';
import type { CellTypeParameters } from '@cellfolio/contract';
import type { ResultCaution } from '@cellfolio/model';
import type { ListHead, MappedSymbols } from '../reference-lists/index.ts';
import type { FoundTypes } from './tasks.ts';

/** The types of a list among the genes of a dataset. */
export interface DatasetMarkers extends ResolvedMarkers, Pick<MappedSymbols, 'mapping' | 'renamed'> {
  readonly set: ListHead;
  /** Every type of the list; resolved ones name their place in it. */
  readonly listed: readonly CellTypeMarkers[];
}

export interface ComparedGroups {
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  /** Groups with too few cells. */
  readonly leftOut: readonly { readonly name: string; readonly cells: number }[];
  /** Chosen groups that no active cell is in. */
  readonly empty: readonly string[];
  /** Active cells without a group. */
  readonly unlabelled: number;
}

export interface CellTypeResult {
  /** With the name of the column as the dataset has it. */
  readonly parameters: CellTypeParameters;
  readonly markers: DatasetMarkers;
  readonly groups: ComparedGroups;
  readonly found: FoundTypes;
  /** Of groups that look like two types, by the place of the group. */
  readonly paired: ReadonlyMap<number, PairedCells>;
  /** What limits the result. */
  readonly cautions: readonly ResultCaution[];
}

/** The type that is suggested for a group; undefined where that is unclear. */
export function suggestedType({ found, markers }: Pick<CellTypeResult, 'found' | 'markers'>, group: number) {
  const { order, reasons } = found.groups[group]!;
  const [best] = order;
  return best === undefined || reasons.length > 0 ? undefined : typeAt(markers, best);
}

/** A resolved type by its place among these. */
export function typeAt({ types, listed }: DatasetMarkers, place: number): CellTypeMarkers {
  return listed[types[place]!.type]!;
}
