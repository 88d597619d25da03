import type { exportCellsRequest } from '@cellfolio/contract';
import {
  type CellMask,
  countText,
  expressionUnit,
  proteinUnit,
  listedNames,
  pluralWord,
  termColumnOf,
} from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { z } from 'zod';
import { columnNames } from '../../runtime/column-names.ts';
import type { TaskCaller } from '../../runtime/compute/compute-pool.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { lookUpGenes } from '../catalogue/index.ts';
import { datasetOf, definitionLine, type Selection } from '../selection/index.ts';
import { cellColumns, type WrittenCells } from './cell-columns.ts';
import { type CellFile, cellFiles } from './cell-files.ts';
import { cellsText, distinct, exportedCells, type ExportDeps, fileNameOf } from './exported-cells.ts';
import { withTermColumns } from './term-columns.ts';

type ExportCells = z.output<typeof exportCellsRequest>;

const maxCellsPerPiece = 1 << 16;

export interface CellTable extends Pick<CellFile, 'contentType' | 'head' | 'foot'> {
  fileName: string;
  cellCount: number;
  pieceFrom: (cell: number, caller: TaskCaller) => Promise<WrittenCells>;
  /** Number of cells in the whole dataset. */
  end: number;
}

export class CellExport {
  readonly #deps: ExportDeps;

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves the request and scores the cells; pieces are made on demand. Throws ApiFailure 400 for a gene that the
   * dataset does not have, and what scoring and subsets throw.
   */
  async prepare(selection: Selection, request: ExportCells, call: CallContext): Promise<CellTable> {
    const { compute, datasets } = this.#deps;
    const { manifest } = selection;
    const { dataset: _dataset, cells: _cells, ...parameters } = request;
    const { obsColumnNames: taken } = await datasets.get(datasetOf(selection));
    const own = withTermColumns(selection.own ?? [], taken);
    const ref = { ...datasetOf(selection), own };
    const dataset = await datasets.get(ref);
    const genes = checkedGenes(dataset, request.genes);
    const { mask, cellCount, scores } = await exportedCells(this.#deps, selection, request, call);
    const { embedding } = manifest.roles;
    const cells = {
      dataset: ref,
      mask,
      columns: request.columns
        ? withIds(checkedColumns(dataset, request.columns), own)
        : request.metadata
          ? dataset.obsColumnNames
          : [],
      embeddings: request.coordinates && embedding !== undefined ? [embedding] : [],
      genes: genes.map(({ row }) => row),
      scores: scores.map(({ values }) => values),
    };
    const dimensions = dimensionsOf(dataset, cells.embeddings);
    const names = distinct([
      'barcode',
      ...cells.columns,
      ...dimensions,
      ...genes.map(({ symbol }) => symbol),
      ...scores.map(({ name }) => name),
    ]);
    const proteins = cells.columns.filter((name) => !dataset.obsColumnNames.includes(name)).length;
    const facts = {
      'of obs': cells.columns.length - proteins,
      ...(proteins > 0 && { 'of proteins': proteins }),
      'of coordinates': dimensions.length,
      'of genes': genes.length,
      'of scores': scores.length,
    };
    const file = cellFiles[request.format](compute, {
      cells,
      names,
      columns: await cellColumns({ ...cells, from: 0, to: 0 }, dataset, call.signal),
      notes: [
        ...provenance(selection, cellCount, facts),
        definitionLine(selection, { call: 'export-cells', parameters }),
        ...[
          ...(selection.cautions ?? []),
          ...otherNameCautions(otherNamesAmong(dataset.genes, request.genes), 'the request'),
        ].map(({ message }) => message),
        ...(proteins > 0 ? [`Values of proteins: ${proteinUnit(dataset.proteins!.scale)}`] : []),
        ...scores.flatMap(({ notes }) => notes),
      ],
    });
    const { cellCount: end } = manifest;
    const cellsPerPiece = Math.max(
      1,
      Math.min(maxCellsPerPiece, Math.floor(file.valuesPerPiece / names.length)),
    );
    return {
      ...file,
      fileName: fileNameOf(selection, `cells.${request.format}`),
      cellCount,
      end,
      pieceFrom: async (cell, caller) => {
        // Passes over stretches without a chosen cell.
        const from = firstChosen(mask, cell, end);
        if (from === end) return { bytes: new Uint8Array(0), lines: 0, next: end };
        return file.write({ from, to: Math.min(end, from + cellsPerPiece) }, caller);
      },
    };
  }
}

/** Throws ApiFailure 400 with the names of missing columns. */
function checkedColumns(dataset: Dataset, names: readonly string[]): readonly string[] {
  const available = new Set(columnNames(dataset));
  const missing = names.filter((name) => !available.has(name));
  if (missing.length === 0) return names;
  throw new ApiFailure(
    400,
    'column_not_found',
    `The dataset has no obs ${pluralWord(missing.length, 'column')} ${listedNames(missing)}. Check the spelling, or leave ${pluralWord(missing.length, 'it', 'them')} out.`,
    { details: [{ field: 'columns', problem: 'names what is no column of the dataset' }] },
  );
}

/** Own labels are followed by their ontology ids. */
function withIds(names: readonly string[], own: readonly { name: string }[]): string[] {
  const ids = new Set(own.map(({ name }) => name));
  const all = names.flatMap((name) => (ids.has(termColumnOf(name)) ? [name, termColumnOf(name)] : [name]));
  return [...new Set(all)];
}

/** Throws ApiFailure 400 with the names of missing genes. */
function checkedGenes({ genes }: Dataset, names: readonly string[]): { symbol: string; row: number }[] {
  const { matches, missing } = lookUpGenes(genes, names);
  if (missing.length === 0) return [...matches];
  throw new ApiFailure(
    400,
    'gene_not_found',
    `The dataset has no ${pluralWord(missing.length, 'gene')} ${listedNames(missing)}. Check the spelling, or leave ${pluralWord(missing.length, 'it', 'them')} out.`,
    { details: { not_found_genes: missing } },
  );
}

function dimensionsOf({ embeddings }: Dataset, names: readonly string[]): string[] {
  return embeddings
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, dimensions }) => Array.from({ length: dimensions }, (_, at) => `${name}_${at + 1}`));
}

function firstChosen(mask: CellMask | undefined, cell: number, end: number): number {
  if (!mask) return cell;
  const firstCell = mask.bits.indexOf(1, cell);
  return firstCell < 0 ? end : firstCell;
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
