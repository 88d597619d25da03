import { csvComments, type exportCellsRequest } from '@cellfolio/contract';
import { type CellMask, countText, expressionUnit, proteinUnit } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { z } from 'zod';
import type { Compute, TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { columnNames } from '../../runtime/column-names.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { CellLines, CellLinesTask } from './cell-lines.ts';
import { cellsText, chosenScores, distinct, fileNameOf, type Score } from './chosen-scores.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { listedNames } from '../../runtime/listed-names.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/csv.ts';
import { lookUpGenes } from '../catalogue/index.ts';
import type { NamedScores } from '../scores/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';

type ExportCells = z.output<typeof exportCellsRequest>;

/** Values of one task: a tenth to a quarter of a second of work, so that other callers' figures come in between. */
const valuesPerTask = 1 << 19;
const maxCellsPerTask = 1 << 16;

interface Deps {
  readonly compute: Compute;
  readonly datasets: OpenDatasets;
  readonly masks: CellMasks;
  readonly scores: NamedScores;
}

/** The cells of a selection as a CSV file that is made piece by piece. */
export interface CellTable {
  readonly fileName: string;
  /** Comments and names of the columns. */
  readonly head: string;
  readonly cellCount: number;
  /** The lines of the next cells, from the cell of that number; those of no cell at the end of the dataset. */
  readonly linesFrom: (cell: number, caller: TaskCaller) => Promise<CellLines>;
  /** Cells of the whole dataset. */
  readonly end: number;
}

/** Tables of single cells: barcodes, columns of obs, coordinates, expression of chosen genes, scores. */
export class CellExport {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Looks up everything that is asked for and scores the cells; their lines are made when they are asked for. Throws
   * ApiFailure 400 for a gene that the dataset does not have, and what scoring and subsets throw.
   */
  async prepare(selection: Selection, request: ExportCells, waiting: Waiting): Promise<CellTable> {
    const { compute, datasets, masks } = this.#deps;
    const { manifest } = selection;
    const dataset = await datasets.get(datasetOf(selection));
    const genes = knownGenes(dataset, request.genes);
    const mask = await masks.maskOf(selection, waiting);
    const scores = await chosenScores(this.#deps.scores, selection, request, waiting);
    const { embedding } = manifest.roles;
    const embeddings = request.coordinates && embedding !== undefined ? [embedding] : [];
    const task = {
      kind: 'cell-lines',
      dataset: datasetOf(selection),
      mask,
      columns: request.columns
        ? knownColumns(dataset, request.columns)
        : request.metadata
          ? dataset.obsColumnNames
          : [],
      embeddings,
      genes: genes.map(({ row }) => row),
      scores: scores.map(({ values }) => values),
    } as const;
    const dimensions = await dimensionsOf(dataset, embeddings, waiting.signal);
    const columns = distinct([
      'barcode',
      ...task.columns,
      ...dimensions,
      ...genes.map(({ symbol }) => symbol),
      ...scores.map(({ name }) => name),
    ]);
    const cellCount = mask?.count ?? manifest.cellCount;
    const proteins = task.columns.filter((name) => !dataset.obsColumnNames.includes(name)).length;
    const facts = {
      'of obs': task.columns.length - proteins,
      ...(proteins > 0 && { 'of proteins': proteins }),
      'of coordinates': dimensions.length,
      'of genes': genes.length,
      'of scores': scores.length,
    };
    return {
      fileName: fileNameOf(selection, 'cells.csv'),
      head:
        csvComments([
          ...provenance(selection, cellCount, facts),
          ...(proteins > 0 ? [`Values of proteins: ${proteinUnit(dataset.proteins!.scale)}`] : []),
          ...notesOf(scores),
        ]) + csvLine(columns),
      cellCount,
      end: manifest.cellCount,
      linesFrom: (cell, caller) =>
        nextLines(compute, task, { cell, end: manifest.cellCount, columns }, caller),
    };
  }
}

/** Throws ApiFailure 400 that names the columns which the dataset does not have. */
function knownColumns(dataset: Dataset, names: readonly string[]): readonly string[] {
  const known = new Set(columnNames(dataset));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return names;
  throw new ApiFailure(
    400,
    'column_not_found',
    `The dataset has no ${missing.length === 1 ? 'column' : 'columns'} ${listedNames(missing)} of obs. Check the spelling, or leave them out.`,
    { details: [{ field: 'columns', problem: 'names what is no column of the dataset' }] },
  );
}

/** Throws ApiFailure 400 that names the genes which the dataset does not have. */
function knownGenes({ genes }: Dataset, names: readonly string[]): { symbol: string; row: number }[] {
  const { found, missing } = lookUpGenes(genes, names);
  if (missing.length === 0) return [...found];
  throw new ApiFailure(
    400,
    'gene_not_found',
    `The dataset has no ${missing.length === 1 ? 'gene' : 'genes'} ${listedNames(missing)}. Check the spelling, or leave them out.`,
    { details: { not_found_genes: missing } },
  );
}

async function dimensionsOf(
  dataset: Dataset,
  embeddings: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const none = await dataset.cellRows({ from: 0, to: 0 }, { columns: [], embeddings }, signal);
  return none.embeddings.flatMap(({ name, dimensions }) =>
    Array.from({ length: dimensions }, (_, dimension) => `${name}_${dimension + 1}`),
  );
}

/** Passes over stretches without a chosen cell; one task a call otherwise. */
async function nextLines(
  compute: Compute,
  task: Omit<CellLinesTask, 'from' | 'to'>,
  { cell, end, columns }: { cell: number; end: number; columns: readonly string[] },
  caller: TaskCaller,
): Promise<CellLines> {
  const most = Math.max(1, Math.min(maxCellsPerTask, Math.floor(valuesPerTask / columns.length)));
  const from = firstChosen(task.mask, cell, end);
  if (from === end) return { bytes: new Uint8Array(0), lines: 0, next: end };
  return compute.run<CellLinesTask>({ ...task, isLong: true, from, to: Math.min(end, from + most) }, caller);
}

function firstChosen(mask: CellMask | undefined, cell: number, end: number): number {
  if (!mask) return cell;
  const found = mask.bits.indexOf(1, cell);
  return found < 0 ? end : found;
}

function provenance(
  selection: Selection,
  cellCount: number,
  columns: Readonly<Record<string, number>>,
): string[] {
  const { manifest } = selection;
  const kinds = Object.entries(columns).map(([kind, count]) => `${countText(count)} ${kind}`);
  return [
    `Dataset: ${manifest.catalogue.name} (${manifest.id}, version ${manifest.version})`,
    `Cells: ${cellsText(selection, cellCount)}`,
    `Columns: barcode, then ${kinds.join(', ')}; what is missing is empty`,
    `Values of genes: ${expressionUnit(manifest.expression)}`,
    ...manifest.warnings.map(({ message }) => message),
  ];
}

function notesOf(scores: readonly Score[]): string[] {
  return scores.flatMap(({ notes }) => notes);
}
