import type { RootChoice } from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { quotedHead } from '@cellfolio/model';
import { quotedColumn } from '../../runtime/column-names.ts';

/** Fewer cells in one connected part have no order worth computing. */
export const minCells = 30;

export interface OrderRefusal {
  code: 'cell_not_found' | 'cell_not_active' | 'unknown_group' | 'too_few_cells';
  message: string;
}

export function chosenRoot(
  { root, groupby }: Pick<TrajectoryParameters, 'root' | 'groupby'>,
  context: {
    codes: Int32Array;
    categories: readonly string[];
    barcodeOf: (place: number) => string;
  },
): RootChoice | { refusal: OrderRefusal } {
  const { codes, categories, barcodeOf } = context;
  if (root.by === 'suggestion') return root;
  if (root.by === 'cell') {
    const barcode = root.barcode.trim();
    const cell = codes.findIndex((_, place) => barcodeOf(place) === barcode);
    if (cell >= 0) return { by: 'cell', cell };
    const message = `No active cell with principal components has the barcode ${quotedHead(barcode, 80)}. The table of cells of an earlier result, or a click on a cell of the live map, shows barcodes, such as ${quotedHead(barcodeOf(0), 80)}.`;
    return { refusal: { code: 'cell_not_found', message } };
  }
  const code = categories.indexOf(root.group);
  if (code < 0) {
    const message = `The column ${quotedColumn(groupby)} has no group ${quotedHead(root.group, 80)}. Choose one of its groups as the root.`;
    return { refusal: { code: 'unknown_group', message } };
  }
  if (!codes.includes(code)) {
    const message = `No active cell with principal components is in the group ${quotedHead(root.group, 80)}. Choose another root, or a subset that has its cells.`;
    return { refusal: { code: 'cell_not_active', message } };
  }
  return { by: 'group', isInside: (place) => codes[place] === code };
}

export function tooFew(sizes: Int32Array): { refusal: OrderRefusal } {
  const [largest = 0] = sizes;
  const message = `Fewer than ${minCells} cells are connected with the root, too few to order: the graph of nearest cells has ${sizes.length} parts, the largest with ${largest} cells. Choose another root, a larger subset, or more neighbours.`;
  return { refusal: { code: 'too_few_cells', message } };
}
