import {
  addGene,
  type ClassifiedCells,
  type ClassifiedGroups,
  type LogisticModel,
  logisticStart,
  type LogisticSums,
  logisticVotes,
} from '@cellfolio/analysis';
import { type CellMask, sharedCopy, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type CellTask, type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { readModelTask } from './model-files.ts';

export interface StartTask extends CellTask<StartedCells> {
  kind: 'classify-start';
  isLong: true;
  model: LogisticModel;
  groupby: string;
  modelGenes: Int32Array;
}

export interface StartedCells {
  cells: ClassifiedCells;
  sums: LogisticSums;
  names: readonly string[];
}

/** Adds some of the genes, in the memory that all of these tasks share; hence they run one after the other. */
export interface AddGenesTask extends Task<void> {
  kind: 'classify-genes';
  dataset: DatasetRef;
  model: LogisticModel;
  started: Pick<StartedCells, 'cells' | 'sums'>;
  /** Rows in var, ascending, with the index in the model and among the genes found. */
  rows: Int32Array;
  genes: Int32Array;
  first: number;
}

export interface VotesTask extends Task<VotedCells> {
  kind: 'classify-votes';
  isLong: true;
  dataset: DatasetRef;
  model: LogisticModel;
  started: StartedCells;
}

interface VotedCells extends Pick<ClassifiedGroups, 'groups'> {
  /** CSV lines without header and without the group's suggestion: barcode, group, type, probability. */
  rows: string;
}

async function start(
  { model, groupby, modelGenes, mask }: StartTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<StartedCells> {
  const column = await categoricalColumn(dataset, groupby, signal);
  const cells = cellsOf(column.codes, mask);
  // Groups without a cell do not vote.
  const present = new Set(cells.groups);
  const presentCodes = column.categories.flatMap((_, code) => (present.has(code) ? [code] : []));
  const placeOf = new Map(presentCodes.map((code, place) => [code, place]));
  const classified = {
    places: sharedCopy(cells.places),
    groups: sharedCopy(cells.groups.map((code) => placeOf.get(code) ?? -1)),
    groupCount: presentCodes.length,
  };
  return {
    cells: classified,
    sums: logisticStart(model, modelGenes, classified),
    names: presentCodes.map((code) => column.categories[code]!),
  };
}

function cellsOf(codes: ArrayLike<number>, mask: CellMask | undefined) {
  const places = new Int32Array(codes.length).fill(-1);
  const groups = new Int32Array(mask?.count ?? codes.length);
  let place = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    groups[place] = codes[cell]!;
    places[cell] = place++;
  }
  return { places, groups };
}

async function votesOf(
  { model, started: { cells, sums, names } }: VotesTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<VotedCells> {
  const { best, probability, groups } = logisticVotes(sums, model.types.length, cells);
  const range = { from: 0, to: dataset.manifest.cellCount };
  const { names: barcodes } = await dataset.cellRows(range, { columns: [], embeddings: [] }, signal);
  const lines: string[] = [];
  cells.places.forEach((place, cell) => {
    if (place < 0) return;
    const group = cells.groups[place]!;
    const type = model.types[best[place]!]!;
    lines.push(csvLine([stringAt(barcodes, cell), names[group] ?? '', type, probability[place]!]));
  });
  return { groups, rows: lines.join('') };
}

export const cellModelTasks = [
  readModelTask,
  taskKind<StartTask>('classify-start', (task, { dataset, signal }) => start(task, dataset, signal)),
  taskKind<AddGenesTask>('classify-genes', ({ model, started, rows, genes, first }, { dataset, signal }) =>
    dataset.useGenes(
      rows,
      (place, cells, values) =>
        addGene(model, started.sums, started.cells, {
          gene: genes[place]!,
          at: first + place,
          cells,
          values,
        }),
      signal,
    ),
  ),
  taskKind<VotesTask>('classify-votes', (task, { dataset, signal }) => votesOf(task, dataset, signal)),
];
