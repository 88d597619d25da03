/** The cell types with a colour of their own. */
export type CellType =
  | 'b-cell'
  | 'endothelial'
  | 'epithelial'
  | 'fibroblast'
  | 'macrophage'
  | 'mast'
  | 'monocyte'
  | 'nk'
  | 'plasma'
  | 't-cell';

/**
 * Tried in this order, because names nest: a plasmacytoid dendritic cell is no plasma cell, and an NK T
 * cell is a T cell. Labels come in lower case, with single spaces for all but letters and digits.
 */
const patterns: readonly (readonly [CellType | undefined, RegExp])[] = [
  [undefined, /dendritic|plasmacytoid|\bp?dcs?\b|progenitor|precursor|\bstem\b|unknown|doublet|unassigned/],
  ['t-cell', /\bt$|\bt ?(cells?|lymphocytes?|reg|regs|regulatory|helper|memory|naive|cytotoxic)\b/],
  ['t-cell', /\b(mait|th\d+|tem|tcm|nkt)\b|\b(naive|cytotoxic|regulatory|helper|memory) t\b/],
  ['nk', /\bnks?\b|\bnatural killers?\b/],
  ['plasma', /\bplasma ?(cells?|blasts?|cytes?)?\b/],
  ['b-cell', /\bb$|\bb ?(cells?|lymphocytes?|naive|memory)\b|\b(naive|memory|germinal|follicular) b\b/],
  ['macrophage', /macrophages?\b|\bmacs?\b|\bkupffer\b|\bmicroglia/],
  ['monocyte', /\bmonocyt|\bmonos?\b/],
  ['mast', /\bmast ?(cells?|ocytes?)?\b/],
  ['fibroblast', /fibroblasts?\b|\bfibros?\b|\bm?cafs?\b/],
  ['endothelial', /endotheli|\bendo\b/],
  ['epithelial', /epitheli|\bepi\b|\bkeratinocytes?\b/],
];

/**
 * Which of the ten cell types a label names: "CD19+ B", "B cells", "T-cell", "Natural_killer", "NK".
 * Undefined for everything else.
 */
export function recognisedCellType(label: string): CellType | undefined {
  const words = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return patterns.find(([, pattern]) => pattern.test(words))?.[0];
}
