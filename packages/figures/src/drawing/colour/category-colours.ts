import type { CategoricalColumn } from '@cellfolio/model';
import { colourDistance, sights, surelyDistinct } from './colour-vision.ts';

/**
 * Three colour sequences for categories, optimised together by simulated annealing over sRGB beside the ten colours of
 * recognised cell types. Distances are those of OKLab, with ordinary sight and with simulated protanopia, deuteranopia
 * and tritanopia; `colour-vision.test.ts` states the minimum of each. All colours have a contrast of at least 2.1 to 1
 * to white and to the dark surface.
 */

function hexColours(hexes: string): readonly string[] {
  return hexes.split(' ').map((hex) => `#${hex}`);
}

/** Cell types beyond the ten, and new annotation groups. */
const furtherColours: readonly string[] = hexColours(
  '7878a5 5ab4ff 008778 b45ad2 784b69 c3875a 6635a4 6b62ea c9a7bf f0632a f185ff b65050 b40960 709599 fc90a3 ' +
    '605c9d 45c447 d67095 7e9207 ab3099 7c402c c94289 9380c4 3c4b84 5a7748 aa6ef3 1aaae6 9053d2 99154c fc717f ' +
    '8869ba 85570f 5c8b70 8039b4 547ac9 1cab4c bd250a db98d3 9f9e84 92afe2 705abe a78ab3 cc5e60 8990f6 9a42aa ' +
    '349640 a2167d 11a6be 36767f a44f32 3f5358 81688f 357333 2c81e2',
);

/**
 * Muted: none has a chroma above 0.135 in OKLab, where the cell types reach 0.23, and none is within 0.05 of one of the
 * ten. So a map of clusters is not mistaken for one of cell types.
 */
const clusterColours: readonly string[] = hexColours(
  '5a82d2 fa9678 78460a 88487c d3a542 49584c 44bdeb a2b6b5 918d64 a366ad 6dc184 33a9af 92333e 2761a4 c58597 ' +
    'e498e1 c3811d a390e8 7c615e 566b04 6865bb bc6f95 1d7d41 748077 39499a 6a4767 dc80b1 7e9a41 4596c9 905f7d ' +
    '029e74 0b7250 8685aa 67a185 ab496b 644886 8489e3 2881ab a56765 979e62 676491 827119 8e71c1 588d43 c99fc9 ' +
    'a87cc0 9a5201 83831c 1c575a b1b05d 794997 e69c98 7cabff aa9d27 48b9c8 5f8b95 4a5e7d 666330 c16d2b 8a6e95 ' +
    '909ece 505129 db7d80 147c85',
);

/**
 * For all other columns. A column begins anywhere in this cyclic sequence, so any twenty in a row are as far apart as
 * the first twenty of the others.
 */
const columnColours: readonly string[] = hexColours(
  'a274e7 968914 ed9f60 ad729c 559e51 8e5003 5c9ec3 cdb100 6a7803 ca958f 95a917 b0b687 8f6b61 df78d2 1fa9ff ' +
    '017088 51448a 56847f 8ab4f1 5f4dbc 584c4d a652b5 125668 938d8b 8c2e6d 725d34 4d72de e698c2 903001 bc5302 ' +
    '7b85f7 da6d00 86c05b cc66ad ad8948 92545f 12a4d7 807b43 68aa7a 7c609a da920a c0ae9e b06e68 0890a5 c989fa ' +
    '325d88 ad94aa 657581 aaafde 665dcc 7a3d3c 483dab f36f6c 7c80c5 a13079 4e6847 3b75b8 b03b43 624b09 8047a3',
);

/**
 * From simulated annealing over sRGB: the ten are as far apart as possible in OKLab, at once for ordinary sight and for
 * simulated protanopia, deuteranopia and tritanopia, among colours with a contrast of at least 2.1 to 1 to white and to
 * the dark surface. Related cells have related hues.
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

export const distinctColours: number = clusterColours.length;

export type CategoryPalette = 'cell-type' | 'cluster' | `column:${string}`;

export function columnPalette(
  name: string,
  { cellType, cluster }: { readonly cellType?: string; readonly cluster?: string },
): CategoryPalette {
  if (name === cellType) return 'cell-type';
  return name === cluster ? 'cluster' : `column:${name}`;
}

/**
 * One `#rrggbb` per category, the same for the same categories in the same order: those chosen for the column, if any.
 * With `cell-type`, a recognised cell type gets its fixed colour; if several categories are of one type, the first gets
 * it, and all others take the next colours of the sequence. With `column:…` the column's name determines where in a
 * third sequence its colours begin.
 */
export function categoryColours(
  { categories, colours: chosen }: Pick<CategoricalColumn, 'categories' | 'colours'>,
  palette: CategoryPalette = 'cluster',
): readonly string[] {
  if (chosen) return chosen;
  if (palette === 'cluster') return categories.map((_, code) => clusterColours[code % distinctColours]!);
  if (palette !== 'cell-type') {
    const start = columnStart(palette.slice('column:'.length), categories.length);
    if (categories.length <= fewCategories) return farApart(start).slice(0, categories.length);
    return categories.map((_, code) => columnColours[(start + code) % columnColours.length]!);
  }
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
 * Columns with at most this many categories use the second half of the sequence, so that they share no colour with
 * those of up to 20.
 */
const fewCategories = 10;
const half = columnColours.length / 2;

const apart = new Map<number, readonly string[]>();

/** Weight for adjacent colours of a legend, which should differ more from each other than from the rest. */
const besideWeight = 0.6;

/**
 * Colours of the second half for few categories: each is the one farthest from those before it under the sight that
 * separates them least, so that three samples do not have nearly the same hue.
 */
function farApart(start: number): readonly string[] {
  const cached = apart.get(start);
  if (cached !== undefined) return cached;
  const chosen = [columnColours[start]!];
  const free = new Set(columnColours.slice(half));
  while (chosen.length < fewCategories) {
    const last = chosen.at(-1)!;
    free.delete(last);
    let [best, farthest] = ['', -1];
    for (const colour of free) {
      const minDistance = Math.min(
        ...chosen.flatMap((other) =>
          sights.map((sight) => colourDistance(colour, other, sight) * (other === last ? besideWeight : 1)),
        ),
      );
      if (minDistance > farthest) [best, farthest] = [colour, minDistance];
    }
    chosen.push(best);
  }
  apart.set(start, chosen);
  return chosen;
}

/** Depends on the name alone: a column keeps its colours whatever other columns the dataset has. */
function columnStart(name: string, categories: number): number {
  // FNV-1a, whose low bits differ for names that differ in one letter.
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return categories <= fewCategories
    ? half + (hash % (half - fewCategories + 1))
    : hash % (half - surelyDistinct + 1);
}

/**
 * Colour for one more group: that of its cell type if the label names one, else the first free one of the sequence.
 * Never a cluster's. `avoided`: colours used beside it for something else; taken only if no other is left.
 */
export function freeColour(
  label: string,
  used: ReadonlySet<string>,
  avoided: ReadonlySet<string> = new Set(),
): string {
  const type = recognisedCellType(label);
  const own = type && cellTypePalette[type];
  if (own !== undefined && !used.has(own)) return own;
  return (
    furtherColours.find((colour) => !used.has(colour) && !avoided.has(colour)) ??
    furtherColours.find((colour) => !used.has(colour)) ??
    furtherColours[used.size % furtherColours.length]!
  );
}

export const missingGrey = '#c9cdd3';

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
 * Tested in this order, because names nest: a plasmacytoid dendritic cell is not a plasma cell, and an NK T cell is a T
 * cell. Labels are in lower case, with single spaces for all but letters and digits.
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
 * The cell type, of the ten, that a label names: "CD19+ B", "B cells", "T-cell", "Natural_killer", "NK". Undefined for
 * everything else.
 */
export function recognisedCellType(label: string): CellType | undefined {
  const words = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return patterns.find(([, pattern]) => pattern.test(words))?.[0];
}

export function moduleColours(count: number): readonly string[] {
  return categoryColours({ categories: Array.from({ length: count }, (_, at) => String(at)) });
}
