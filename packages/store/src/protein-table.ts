import { type PackedStrings, proteinScaleAttribute, type ProteinScale } from '@cellfolio/model';
import { encodeFrame, type PlannedNode } from './encode-column.ts';
import type { Attributes } from './zarr-metadata.ts';

/** Where the proteins lie, as scvi-tools keeps them in AnnData: a data frame of cells x proteins. */
export const proteinsPath = 'obsm/protein_expression';

/** Proteins that were measured beside the genes: a second modality, with one number a cell for each. */
export interface Proteins {
  readonly scale: ProteinScale;
  readonly columns: readonly ProteinColumn[];
}

export interface ProteinColumn {
  /** As the file calls it. */
  readonly name: string;
  /** The column that `Dataset.obs` and `Dataset.cellRows` answer it as, which is its title too: `CD3 (protein)`. */
  readonly column: string;
}

/** A table of proteins whose values are written one protein after the other. */
export interface ProteinTable {
  readonly scale: ProteinScale;
  /** Each its own. */
  readonly names: readonly string[];
  /** Names of the cells. */
  readonly cells: PackedStrings;
}

export function encodeProteins({ scale, names, cells }: ProteinTable): {
  readonly nodes: readonly PlannedNode[];
  readonly paths: readonly string[];
} {
  const frame = { indexName: '_index', index: cells, names };
  const { nodes, pathOf } = encodeFrame(proteinsPath, frame, { [proteinScaleAttribute]: scale });
  return { nodes, paths: names.map(pathOf) };
}

/** @param names of the proteins; @param taken columns of obs, which go by their names first */
export function readProteins(
  attributes: Attributes,
  names: readonly string[],
  taken: { has(column: string): boolean },
): Proteins {
  return {
    scale: attributes[proteinScaleAttribute] === 'clr' ? 'clr' : 'stored',
    columns: names.map((name) => {
      const title = `${name} (${isControl(name) ? 'protein, isotype control' : 'protein'})`;
      let column = title;
      for (let n = 2; taken.has(column); n++) column = `${title} (${n})`;
      return { name, column };
    }),
  };
}

/** Antibodies against nothing in the sample, as their makers and panels name them: `IgG1_control_TotalSeqB`, `Isotype_MOPC-21`. */
function isControl(name: string): boolean {
  return /isotype|(?:^|[^a-z])ig[agm]\d?[a-z]?(?:[^a-z].*)?(?:control|ctrl|ctl)/i.test(name);
}
