import type { CellTypeMarkers, PairedCells, ResolvedMarkers } from '@cellfolio/analysis';
import type { CellTypeParameters } from '@cellfolio/contract';
import type { ResultCaution } from '@cellfolio/model';
import type { ListHead, MappedSymbols } from '../reference-lists/index.ts';
import type { FoundTypes } from './tasks.ts';

/** The types of a list, resolved to the genes of a dataset. */
export interface DatasetMarkers extends ResolvedMarkers, MappedSymbols {
  set: ListHead;
  /** Every type of the list; resolved types refer to it by index. */
  listed: readonly CellTypeMarkers[];
}

export interface ComparedGroups {
  names: readonly string[];
  sizes: readonly number[];
  leftOut: readonly { name: string; cells: number }[];
  empty: readonly string[];
  unlabelled: number;
}

export interface CellTypeResult {
  /** The column name is the dataset's own. */
  parameters: CellTypeParameters;
  markers: DatasetMarkers;
  groups: ComparedGroups;
  suggestedTypes: FoundTypes;
  /** Groups that look like two types, keyed by group index. */
  paired: ReadonlyMap<number, PairedCells>;
  cautions: readonly ResultCaution[];
}

/** The type suggested for a group; undefined when unclear. */
export function suggestedType(
  { suggestedTypes, markers }: Pick<CellTypeResult, 'suggestedTypes' | 'markers'>,
  group: number,
) {
  const { order, reasons } = suggestedTypes.groups[group]!;
  const [best] = order;
  return best === undefined || reasons.length > 0 ? undefined : typeAt(markers, best);
}

export function typeAt({ types, listed }: DatasetMarkers, place: number): CellTypeMarkers {
  return listed[types[place]!.type]!;
}
