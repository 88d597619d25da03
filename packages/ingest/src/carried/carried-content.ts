import type { StoredType, MemberType } from '../write-h5ad/h5-messages.ts';

/** Group of the modalities in a MuData file. */
export const modalities = 'mod';
/** Name of the parts of a MuData file that are of all its modalities together. */
export const jointParts = 'mudata';

/**
 * Elements of an AnnData file that are not interpreted and returned on export, as JSON. Their values are one sequence of
 * bytes beside it, where each array has its place.
 */
export interface CarriedContent {
  bytes: number;
  /** Cells and genes (rows of `var`) of the file. */
  cellCount: number;
  geneCount: number;
  /** Rows of the file that are the dataset's, as int32; absent if all are. */
  cells?: CarriedRows;
  genes?: CarriedRows;
  elements: readonly CarriedElement[];
  /** Elements of the file that are not here, each with its size and the reason. */
  leftOut: readonly string[];
  /** Paths of what was computed for the dataset beside its file. */
  added: readonly string[];
}

interface CarriedRows {
  at: number;
  count: number;
}

export interface CarriedElement {
  /** In the file, such as `obsp/distances`. */
  path: string;
  bytes: number;
  /** Things along the first and the second axis. */
  axes: readonly ('cells' | 'genes' | null)[];
  /** Belongs to genes that are not the dataset's: returned under `uns/cellfolio_file`. */
  foreign?: true;
  node: CarriedNode;
}

export type CarriedNode = CarriedGroup | CarriedArray;

export interface CarriedGroup {
  attributes: CarriedAttributes;
  members: readonly (readonly [name: string, node: CarriedNode])[];
}

export interface CarriedArray {
  attributes: CarriedAttributes;
  type: StoredType;
  /** Absent: it is null, as `None` of Python. */
  shape?: readonly number[];
  /** First byte of its elements, row-major and little-endian. Arrays of text have none. */
  at: number;
  /** Texts of any length: `count` + 1 offsets as uint32, then their bytes. */
  texts?: CarriedTexts;
}

export interface CarriedTexts {
  at: number;
  count: number;
  /** Places of the texts in each record; of an array of text one. */
  slots: readonly number[];
}

export type CarriedAttributes = Readonly<Record<string, CarriedAttribute>>;

type CarriedAttribute =
  | string
  | readonly string[]
  | { readonly type: MemberType; readonly shape?: readonly number[]; readonly base64: string };

export const isCarriedArray = (node: CarriedNode): node is CarriedArray => 'type' in node;

/** Attribute of a group in place of what a conversion could not copy; its text says why. */
export const skippedAttribute = 'cellfolio-skipped';

/** Dict of `uns` in which an export says what it is. */
export const recordKey = 'cellfolio';

/** Dict of `uns` for what cannot be returned in its own place. */
export const displacedKey = 'cellfolio_file';

export function encodingOf({ attributes }: CarriedNode): string {
  const encoding = attributes['encoding-type'];
  return typeof encoding === 'string' ? encoding : '';
}
