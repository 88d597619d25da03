import { plural } from '@cellfolio/model';
import { cells, fewCells, percent, value, whole } from '../plot-words.ts';

export interface GeneByDatasetInput {
  readonly gene: string;
  readonly cellTypes: readonly string[];
  readonly datasets: readonly {
    readonly name: string;
    /** By cell type; undefined if the dataset has no such cells. */
    readonly types: readonly (TypeInDataset | undefined)[];
  }[];
}

interface TypeInDataset {
  cells: number;
  /** Cells with a value above zero. */
  expressing: number;
  /** Over all cells of the type, zeros included; null if a value is missing. */
  mean: number | null;
}

interface Place {
  dataset: string;
  cellType: number;
  type: TypeInDataset;
}

/**
 * Two sentences on a gene over datasets, with numbers: where most cells express it, and which cell type is the
 * strongest in most datasets. Leaves out types with fewer than 20 cells, whose share may be chance.
 */
export function geneByDatasetReading({ gene, cellTypes, datasets }: GeneByDatasetInput): string {
  const places = datasets.flatMap(({ name, types }) =>
    types.flatMap((type, cellType): Place[] => (type ? [{ dataset: name, cellType, type }] : [])),
  );
  if (places.length === 0) return '';
  const expressing = places.reduce((sum, { type }) => sum + type.expressing, 0);
  const all = places.reduce((sum, { type }) => sum + type.cells, 0);
  const over = plural(datasets.length, 'dataset');
  if (expressing === 0) return `None of the ${cells(all)} of ${over} with a cell type express ${gene}.`;
  const enough = places.filter(({ type }) => type.cells >= fewCells);
  const subject = enough.length === 0 ? gene : 'it';
  const total = `Over all cell types, ${percent(expressing, all)} of ${cells(all)} in ${over} express ${subject}`;
  if (enough.length === 0) return `${total}. No cell type has ${fewCells} cells in any of them.`;
  const widest = enough.reduce((best, place) => (share(place) > share(best) ? place : best));
  const { type } = widest;
  const first = `${gene} is expressed most widely in “${cellTypes[widest.cellType]!}” of “${widest.dataset}”: in ${percent(type.expressing, type.cells)} of ${cells(type.cells)}, with a mean of ${value(type.mean)}.`;
  return `${first} ${total}${strongest(cellTypes, enough)}.`;
}

function share({ type }: Place): number {
  return type.expressing / type.cells;
}

function strongest(cellTypes: readonly string[], enough: readonly Place[]): string {
  const best = new Map<string, Place>();
  for (const place of enough) {
    const { mean } = place.type;
    if (mean === null || mean <= 0) continue;
    const current = best.get(place.dataset);
    if (current === undefined || mean > current.type.mean!) best.set(place.dataset, place);
  }
  const wins = new Map<number, number>();
  for (const { cellType } of best.values()) wins.set(cellType, (wins.get(cellType) ?? 0) + 1);
  if (best.size < 2) return '';
  const [cellType, count] = [...wins].reduce((leading, one) => (one[1] > leading[1] ? one : leading));
  return `, and “${cellTypes[cellType]!}” has the highest mean in ${whole(count)} of the ${whole(best.size)} datasets that express it`;
}
