import { type PackedStrings, proteinScaleAttribute, type ProteinScale } from '@cellfolio/model';
import { encodeFrame, type PlannedNode } from './encode-column.ts';
import type { Attributes } from './zarr-metadata.ts';

/** Path of the proteins, as scvi-tools stores them in AnnData: a data frame of cells x proteins. */
export const proteinsPath = 'obsm/protein_expression';

/** Proteins measured beside the genes: a second modality, with one number per cell and protein. */
export interface Proteins {
  readonly scale: ProteinScale;
  readonly columns: readonly ProteinColumn[];
}

export interface ProteinColumn {
  name: string;
  /** Column name in `Dataset.obs` and `Dataset.cellRows`, and its title: `CD3 (protein)`. */
  column: string;
}

export interface ProteinTable {
  readonly scale: ProteinScale;
  /** Unique. */
  readonly names: readonly string[];
  readonly cells: PackedStrings;
}

export function encodeProteins({ scale, names, cells }: ProteinTable): {
  nodes: readonly PlannedNode[];
  paths: readonly string[];
} {
  const frame = { indexName: '_index', index: cells, names };
  const { nodes, pathOf } = encodeFrame(proteinsPath, frame, { [proteinScaleAttribute]: scale });
  return { nodes, paths: names.map(pathOf) };
}

/** `names`: those of the proteins. `usedColumns`: columns of obs, which take precedence by name. */
export function readProteins(
  attributes: Attributes,
  names: readonly string[],
  usedColumns: { has(column: string): boolean },
): Proteins {
  return {
    scale: attributes[proteinScaleAttribute] === 'clr' ? 'clr' : 'stored',
    columns: names.map((name) => {
      const title = `${name} (${isControl(name) ? 'protein, isotype control' : 'protein'})`;
      let column = title;
      for (let n = 2; usedColumns.has(column); n++) column = `${title} (${n})`;
      return { name, column };
    }),
  };
}

/** Isotype control antibodies, as their makers and panels name them: `IgG1_control_TotalSeqB`, `Isotype_MOPC-21`. */
function isControl(name: string): boolean {
  return /isotype|(?:^|[^a-z])ig[agm]\d?[a-z]?(?:[^a-z].*)?(?:control|ctrl|ctl)/i.test(name);
}
