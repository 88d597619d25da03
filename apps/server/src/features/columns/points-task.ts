import type { CategoryColumn, LevelColumn, MaskColumn, PositionColumn } from '@cellfolio/columns';
import { mapPointsEvery } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import { mapOrderOf } from '../../runtime/compute/map-order.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { type ColumnSource, columnOf } from './tasks.ts';

/** The points of a map; with more cells than points, every so many in map order, which is even over the map. */
export interface SampledPoints {
  readonly cells: number;
  readonly placed: number;
  readonly every: number;
  /** Place of each point in map order. */
  readonly places: Uint32Array;
  /** x0, y0, x1, y1, … with y upwards. */
  readonly positions: Uint16Array;
  readonly values?: {
    readonly kind: 'categories' | 'levels';
    readonly codes: Uint8Array | Uint16Array;
    /** Value of each level; NaN for none. */
    readonly levelValues?: Float64Array;
  };
}

type Source<From> = Extract<ColumnSource, { from: From }>;

export interface PointsTask extends Task<SampledPoints> {
  kind: 'map-points';
  dataset: DatasetRef;
  embedding: Source<'embedding'>;
  color: Source<'obs' | 'gene'> | undefined;
  /** Undefined for all cells. */
  mask: Source<'mask'> | undefined;
}

const largest = 65_535;

async function mapPoints(
  { embedding, color, mask }: PointsTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<SampledPoints> {
  const order = await mapOrderOf(dataset);
  const at = (source: ColumnSource) => columnOf(source, order, dataset, signal);
  const column = (await at(embedding)) as PositionColumn;
  const chosen = mask && ((await at(mask)) as MaskColumn);
  const colors = color && ((await at(color)) as CategoryColumn | LevelColumn);
  signal.throwIfAborted();
  const placed = placedOf(column, chosen?.bits);
  const every = mapPointsEvery(placed.length);
  const places = Uint32Array.from({ length: Math.ceil(placed.length / every) }, (_, i) => placed[i * every]!);
  const positions = new Uint16Array(2 * places.length);
  places.forEach((place, i) => {
    const y = column.positions[2 * place + 1]!;
    positions[2 * i] = column.positions[2 * place]!;
    positions[2 * i + 1] = column.yDown ? largest - y : y;
  });
  return {
    cells: chosen?.count ?? column.cells,
    placed: placed.length,
    every,
    places,
    positions,
    ...(colors && { values: valuesOf(colors, places) }),
  };
}

/** Places of the chosen cells that have a position, rising. */
function placedOf({ cells, unplaced }: PositionColumn, chosen: Uint8Array | undefined): Uint32Array {
  const places = new Uint32Array(cells);
  let count = 0;
  for (let place = 0; place < cells; place++) {
    const [byte, bit] = [place >> 3, place & 7];
    if (unplaced !== undefined && (unplaced[byte]! >> bit) & 1) continue;
    if (chosen !== undefined && !((chosen[byte]! >> bit) & 1)) continue;
    places[count++] = place;
  }
  return places.subarray(0, count);
}

function valuesOf(
  column: CategoryColumn | LevelColumn,
  places: Uint32Array,
): NonNullable<SampledPoints['values']> {
  if (column.kind === 'levels') {
    const codes = Uint8Array.from(places, (place) => column.levels[place]!);
    return { kind: 'levels', codes, levelValues: column.values };
  }
  const { codes: all } = column;
  const pick = (place: number) => all[place]!;
  const codes = all instanceof Uint8Array ? Uint8Array.from(places, pick) : Uint16Array.from(places, pick);
  return { kind: 'categories', codes };
}

export const pointsTasks = [
  taskKind<PointsTask>('map-points', (task, { dataset, signal }) => mapPoints(task, dataset, signal)),
];
