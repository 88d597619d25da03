import { boundedNames, cutText, type PackedStrings, type ProteinScale, stringAt } from '@cellfolio/model';
import type { Candidate } from '../expression/candidates.ts';
import type { ExpressionChoice } from '../expression/choose-expression.ts';
import type { DatasetFile } from '../dataset-file.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import { uniqueNames } from '../matrix-market/tenx-tables.ts';

export interface ProteinMatrix {
  part: string;
  parts: readonly string[];
  scale?: ProteinScale | undefined;
  amongFeatures: boolean;
  /** Unique. */
  names: readonly string[];
  /** Rows of var of a matrix, or one numeric column per protein. */
  values: Candidate | readonly DatasetInfo[];
}

/** Maximum number of proteins kept, so that lists of columns stay short enough to browse. */
export const maxProteins = 500;
/** Leaves room for the suffix of a title within the maximum length of a column name. */
const maxProteinName = 450;

/**
 * Proteins of a separate table, else those among the features of a matrix, from raw counts if the file has any. Parts
 * of a table that are left out are reported by path.
 */
export function findProteins(
  file: DatasetFile,
  matrices: readonly Candidate[],
  { taken, counts }: ExpressionChoice,
  cells: PackedStrings,
): { proteins?: ProteinMatrix; leftOut: readonly string[] } {
  const place = file.proteins?.(cells);
  const leftOut =
    place?.skipped.map(({ name, reason }) => `${cutText(name, 85)} was left out: ${reason}.`) ?? [];
  if (place !== undefined && place.names.length > 0) {
    const { path, parts, names, values, scale } = place;
    const proteinPart = { part: path, parts, scale, amongFeatures: false, names: ownNames(names) };
    return {
      proteins: { ...proteinPart, values: isColumns(values) ? values : candidateOf(values, taken) },
      leftOut,
    };
  }
  const matrix = [counts, taken, ...matrices].find(
    (one) => (one?.features?.proteins.length ?? 0) > 0 && one!.layout.cellCount === taken.layout.cellCount,
  );
  return { ...(matrix && { proteins: amongFeatures(file, matrix) }), leftOut };
}

export function isColumns(values: object): values is readonly DatasetInfo[] {
  return Array.isArray(values);
}

function candidateOf(layout: Candidate['layout'], like: Candidate): Candidate {
  return { ...like, layout, varPath: layout.path, features: undefined };
}

function amongFeatures(file: DatasetFile, matrix: Candidate): ProteinMatrix {
  const { layout, varPath } = matrix;
  const features = matrix.features!;
  const { proteins, column } = features;
  const dropped = new Uint8Array(layout.geneCount).fill(1);
  for (const row of proteins) dropped[row] = 0;
  const { index } = file.table(varPath, 'var').table;
  const genes = new Set(Array.from(features.geneRows, (row) => stringAt(index, row)));
  const names = Array.from(proteins, (row) => ownName(stringAt(index, row), genes));
  return {
    part: `${layout.path} (by ${varPath}/${column})`,
    parts: [],
    amongFeatures: true,
    names: ownNames(names),
    values: {
      ...matrix,
      layout: { ...layout, dropped },
      features: { ...features, geneRows: proteins, dropped },
    },
  };
}

/** Removes the number that a protein named like its gene got when all feature names were made unique. */
function ownName(name: string, genes: ReadonlySet<string>): string {
  const plain = /^(.+)-\d+$/.exec(name)?.[1];
  return plain !== undefined && genes.has(plain) ? plain : name;
}

function ownNames(names: readonly string[]): string[] {
  const named = names.map((name, at) => name.trim() || `Protein ${at + 1}`);
  return uniqueNames(boundedNames(named, maxProteinName));
}
