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
 * Tried in this order, because names nest: a plasmacytoid dendritic cell is no plasma cell, a mastocyte
 * no T cell, and 'NK T' is a T cell.
 */
const patterns: readonly (readonly [CellType | undefined, RegExp])[] = [
  [undefined, /dendritic|plasmacytoid|\bp?dcs?\b|progenitor|precursor|stem|unknown|doublet/],
  [
    't-cell',
    /\bnk ?t\b|\bt( (reg|helper|killer|cell|lymphocyte)s?)?$|\bt( cell| lymphocyte)s?\b|\btregs?\b|\bth\d+\b|\bt ?reg\b|\btcells?\b|\bt memory|\bt naive|\bt cytotoxic|\bcytotoxic t\b|\bmait\b|\bcd[48] ?t\b/,
  ],
  ['nk', /\bnk\b|\bnk ?cells?\b|\bnatural killers?\b/],
  ['plasma', /\bplasma(blasts?| cells?)?$|\bplasma( cells?)?\b|\bplasmablasts?\b|\bplasmacytes?\b/],
  ['b-cell', /\bb( cells?| lymphocytes?)\b|\bb$|\bbcells?\b|^b\b/],
  ['macrophage', /\bmacrophages?\b|\bmacs?\b|\bkupffer\b|\bmicroglia/],
  ['monocyte', /\bmonocytes?\b|\bmonocytic\b|\bmonos?\b/],
  ['mast', /\bmast( cells?)?\b|\bmastocytes?\b|\bmastcells?\b/],
  ['fibroblast', /fibroblasts?\b|\bfibro\b|\bcafs?\b/],
  ['endothelial', /endotheli|\bendo\b/],
  ['epithelial', /epitheli|\bepi\b|\bkeratinocytes?\b/],
];

/**
 * Which of the ten cell types a label names: "CD19+ B", "B cells", "T-cell", "Natural_killer", "NK".
 * Undefined for everything else, and for labels that name more than one of them.
 */
export function recognisedCellType(label: string): CellType | undefined {
  const words = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  for (const [type, pattern] of patterns) if (pattern.test(words)) return type;
  return undefined;
}
