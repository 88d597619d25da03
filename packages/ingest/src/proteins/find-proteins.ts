import { boundedNames, cutText, type PackedStrings, type ProteinScale, stringAt } from '@cellfolio/model';
import type { Candidate } from '../expression/candidates.ts';
import type { ExpressionChoice } from '../expression/choose-expression.ts';
import type { DatasetFile } from '../dataset-file.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import { uniqueNames } from '../matrix-market/tenx-tables.ts';

/** Proteins of a file beside its genes; their values are not read yet. */
export interface FoundProteins {
  /** Where they are in the file, for messages. */
  readonly part: string;
  /** What else of the file is read with them. */
  readonly parts: readonly string[];
  /** What the file says that the values are. */
  readonly scale?: ProteinScale | undefined;
  /** They are rows of var, which is no table of proteins alone. */
  readonly amongFeatures: boolean;
  /** Each its own. */
  readonly names: readonly string[];
  /** Rows of var of a matrix, or a column of numbers for each. */
  readonly values: Candidate | readonly DatasetInfo[];
}

/** Most that are kept: lists of columns stay short enough to be looked through. */
export const maxProteins = 500;
/** Names with what is put behind them for a title fit into what a column may be called. */
const maxProteinName = 450;

/**
 * Proteins of a table of their own, else those among the features of a matrix: raw counts, where the file has any. What
 * of a table was left out is said by its path.
 */
export function findProteins(
  file: DatasetFile,
  matrices: readonly Candidate[],
  { taken, counts }: ExpressionChoice,
  cells: PackedStrings,
): { readonly found?: FoundProteins; readonly leftOut: readonly string[] } {
  const place = file.proteins?.(cells);
  const leftOut =
    place?.skipped.map(({ name, reason }) => `obsm/${cutText(name, 80)} was left out: ${reason}.`) ?? [];
  if (place !== undefined && place.names.length > 0) {
    const { path, parts, names, values, scale } = place;
    const found = { part: path, parts, scale, amongFeatures: false, names: ownNames(names) };
    return { found: { ...found, values: isColumns(values) ? values : candidateOf(values, taken) }, leftOut };
  }
  const matrix = [counts, taken, ...matrices].find(
    (one) => (one?.features?.proteins.length ?? 0) > 0 && one!.layout.cellCount === taken.layout.cellCount,
  );
  return { ...(matrix && { found: amongFeatures(file, matrix) }), leftOut };
}

export function isColumns(values: object): values is readonly DatasetInfo[] {
  return Array.isArray(values);
}

/** A matrix of proteins alone; nothing but its layout is looked at. */
function candidateOf(layout: Candidate['layout'], like: Candidate): Candidate {
  return { ...like, layout, varPath: layout.path, features: undefined };
}

function amongFeatures(file: DatasetFile, matrix: Candidate): FoundProteins {
  const { layout, varPath } = matrix;
  const features = matrix.features!;
  const { proteins, column } = features;
  const dropped = new Uint8Array(layout.geneCount).fill(1);
  for (const row of proteins) dropped[row] = 0;
  const { index } = file.table(varPath, 'var').table;
  const genes = new Set(Array.from(features.kept, (row) => stringAt(index, row)));
  const names = Array.from(proteins, (row) => ownName(stringAt(index, row), genes));
  return {
    part: `${layout.path} (by ${varPath}/${column})`,
    parts: [],
    amongFeatures: true,
    names: ownNames(names),
    values: { ...matrix, layout: { ...layout, dropped }, features: { ...features, kept: proteins, dropped } },
  };
}

/** Where names of all features were made unique, a protein of the name of its gene got a number behind it. */
function ownName(name: string, genes: ReadonlySet<string>): string {
  const plain = /^(.+)-\d+$/.exec(name)?.[1];
  return plain !== undefined && genes.has(plain) ? plain : name;
}

function ownNames(names: readonly string[]): string[] {
  const named = names.map((name, at) => name.trim() || `Protein ${at + 1}`);
  return uniqueNames(boundedNames(named, maxProteinName));
}
