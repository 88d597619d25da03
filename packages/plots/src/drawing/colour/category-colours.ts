import type { CategoricalColumn } from '@cellfolio/model';

/**
 * Found by simulated annealing over sRGB: the ten are as far apart as they can be in OKLab at once for
 * ordinary sight and for simulated protanopia, deuteranopia and tritanopia, among colours with a contrast
 * of at least 2.1 to 1 to white and to the dark surface. Related cells have related hues.
 */
export const cellTypePalette: Readonly<Record<CellType, string>> = {
  't-cell': '#0f5ac3',
  nk: '#4b87ff',
  'b-cell': '#871e87',
  plasma: '#c387d2',
  macrophage: '#a50f0f',
  monocyte: '#ff871e',
  mast: '#e13c78',
  fibroblast: '#a5691e',
  endothelial: '#87b496',
  epithelial: '#1e5a3c',
};

/** Each the farthest, in the same sense, from all before it and from the ten: a prefix is always best. */
const furtherColours: readonly string[] = (
  '7878a5 5ab4ff 008778 b45ad2 784b69 c3875a 5a3ca5 964b96 c3004b ff87c3 3cc33c a58700 8796ff 3c69f0 ' +
  '5a9696 d2a569 c34b5a 785ab4 a54b1e b4a5e1 4b693c c3694b b40f78 961e4b d269e1 a587b4 2d3cc3 694b0f ' +
  '69a578 d24bb4 964b5a a56987 ff6978 d296ff 78b4c3 a569f0 e169b4 873cb4 d24b00 f05a2d 8787e1 695ad2 ' +
  'b4a500 965ac3 695a87 78873c e19696 d26996 5a8769 3c5aa5 873c2d 875ae1 873c96 d28787'
)
  .split(' ')
  .map((hex) => `#${hex}`);

/**
 * Found as the ten were, among muted colours: none has a chroma above 0.13 in OKLab, where the cell types reach
 * 0.23, and none is within 0.05 of one of the ten. So a map of clusters is not mistaken for one of cell types. The
 * first thirty are as far apart as they can be at once, in an order that keeps neighbours in number far apart;
 * each further one is the farthest from all before it.
 */
const clusterColours: readonly string[] = (
  '5a82d2 fa9678 78460a bea0fa 5a4696 aa8c14 a05a96 8caab4 6e8278 506e32 0aa0a0 b4645a 6464b4 e696d2 ' +
  '8c781e a0b450 5a5046 a0500a 6ea050 dc8278 aa8cbe 8c5a64 465a82 8c3c6e 7896e6 1ebed2 1e788c c8aa96 ' +
  'c87896 8c6eb4 508250 0a6e50 285a64 785096 8282b4 465aaa b4968c 828c46 8c3c32 a0a032 6e6478 78be78 ' +
  '0aa0d2 5aaae6 b47864 5a968c 8ca06e be8c5a 826e6e 6e465a a06ea0 d296a0 aaaac8 82b4e6 6e6ea0 466e64 ' +
  '825046 bea064 e68cb4 965a3c aa6e78 dca046 be783c a08282'
)
  .split(' ')
  .map((hex) => `#${hex}`);

/** Colours before the sequence repeats. */
export const distinctColours: number = clusterColours.length;

/**
 * One `#rrggbb` for each category, the same for the same categories in the same order: those that were chosen for the
 * column, if any. With `cell-type`, a recognised cell type gets its fixed colour; if several categories are of one type
 * the first has it, and they and all others take the next colours of the sequence.
 */
export function categoryColours(
  { categories, colours: chosen }: Pick<CategoricalColumn, 'categories' | 'colours'>,
  palette: 'cell-type' | 'cluster' = 'cluster',
): readonly string[] {
  if (chosen) return chosen;
  if (palette === 'cluster') return categories.map((_, code) => clusterColours[code % distinctColours]!);
  const colours = new Array<string | undefined>(categories.length).fill(undefined);
  const used = new Set<string>();
  categories.forEach((category, code) => {
    const type = recognisedCellType(category);
    if (type === undefined || used.has(cellTypePalette[type])) return;
    colours[code] = cellTypePalette[type];
    used.add(cellTypePalette[type]);
  });
  // The fixed colours stay reserved until the others run out: an unknown type never looks like a known one.
  const free = [...furtherColours, ...Object.values(cellTypePalette).filter((colour) => !used.has(colour))];
  let next = 0;
  return colours.map((colour) => colour ?? free[next++ % free.length]!);
}

/**
 * A colour for one more group: that of its cell type if it names one, else the first of the sequence, as far as others
 * have not taken it. Never that of a cluster.
 * @param avoided colours that stand for something else beside it; taken only where no other is left
 */
export function freeColour(
  label: string,
  taken: ReadonlySet<string>,
  avoided: ReadonlySet<string> = new Set(),
): string {
  const type = recognisedCellType(label);
  const own = type && cellTypePalette[type];
  if (own !== undefined && !taken.has(own)) return own;
  return (
    furtherColours.find((colour) => !taken.has(colour) && !avoided.has(colour)) ??
    furtherColours.find((colour) => !taken.has(colour)) ??
    furtherColours[taken.size % furtherColours.length]!
  );
}

/** Cells without a category. */
export const missingGrey = '#c9cdd3';

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
