import { createHash } from 'node:crypto';
import type { ExportContents, exportContentsRequest, CategoryDisplay } from '@cellfolio/contract';
import { elementBytes, recordKey, TooLongForHdf5, type UnsValue } from '@cellfolio/ingest/parts-of-h5ad';
import { type Dataset, proteinsPath } from '@cellfolio/store';
import type { z } from 'zod';
import {
  countText,
  expressionUnit,
  isCategorical,
  listedNames,
  listedFieldsOf,
  proteinUnit,
  proteinUnsKeys,
  noCountsReason,
  plural,
} from '@cellfolio/model';
import { columnPalette } from '@cellfolio/figures';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import type { CallContext } from '../../../runtime/compute/analysis-work.ts';
import { columnNames } from '../../../runtime/column-names.ts';
import type { UserColumn } from '../../../runtime/compute/own-columns.ts';
import {
  datasetOf,
  type Definition,
  definitionOf,
  keyOfSelection,
  type Selection,
} from '../../selection/index.ts';
import {
  distinct,
  type ExportDeps,
  type ExportedCells,
  exportedCells,
  fileNameOf,
  cellsText,
  type Score,
} from '../exported-cells.ts';
import { withTermColumns } from '../term-columns.ts';
import { displayedColours, displayOrder, namesNote } from '../../../runtime/compute/category-display.ts';
import { type ReturnedElements, returnedElements } from './carried-pieces.ts';
import type { PlannedFile } from './file-pieces.ts';
import { notReturned, returnedBytes, returnedNames, returnedRecord } from './returned-content.ts';
import { planH5ad } from './plan-h5ad.ts';

type ExportRequest = z.output<typeof exportContentsRequest>;

/** Increase when equal requests would give other bytes than before. */
const layoutVersion = 5;

export interface DatasetFile extends PlannedFile {
  fileName: string;
  /** Equal for equal bytes, in any process and at any time. */
  etag: string;
}

interface LookedUp extends ExportedCells {
  selection: Selection;
  dataset: Dataset;
  shown: readonly ShownColumn[];
  counts: boolean;
  definition: Definition;
}

/**
 * Whole datasets, or some of their cells, as AnnData files. Nothing is written to disk: the offset of every byte is
 * determined before the first one is made, so that a file is sent while it is made, and any process can resume an
 * interrupted download.
 */
export class DatasetExport {
  readonly #deps: ExportDeps;

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /** Plans the file. Throws ApiFailure 422 when HDF5 cannot hold it, and what scoring and subsets throw. */
  async prepare(selection: Selection, request: ExportRequest, call: CallContext): Promise<DatasetFile> {
    const lookup = await this.#lookUp(selection, request, call);
    const { dataset, mask, counts, shown } = lookup;
    const orders = new Map(shown.map(({ name, order }) => [name, order]));
    const ref = datasetOf(lookup.selection);
    const returned = await returnedTo(lookup, call.signal);
    const own = unsOf(lookup);
    const record = {
      ...(own[recordKey] as Record<string, UnsValue>),
      added: addedTexts(lookup, returned),
      ...returnedRecord(returned),
    };
    const uns = { ...own, [recordKey]: record };
    const wish = { dataset, ref, mask, counts, orders, returned, uns };
    try {
      return {
        ...(await planH5ad(this.#deps.compute, wish, call)),
        fileName: fileNameOf(selection, 'cells.h5ad'),
        etag: etagOf(lookup),
      };
    } catch (error) {
      if (!(error instanceof TooLongForHdf5)) throw error;
      throw new ApiFailure(
        422,
        'too_long_for_hdf5',
        `No .h5ad file can hold this dataset: ${error.message}. Export the cells as CSV instead.`,
        { cause: error },
      );
    }
  }

  /** Content of the file, without reading expression. Throws what scoring and subsets throw. */
  async contents(selection: Selection, request: ExportRequest, call: CallContext): Promise<ExportContents> {
    const lookup = await this.#lookUp(selection, request, call);
    const { cellCount } = lookup;
    const returned = await returnedTo(lookup, call.signal);
    return {
      file_name: fileNameOf(selection, 'cells.h5ad'),
      cell_count: cellCount,
      gene_count: selection.manifest.geneCount,
      bytes: (await roughBytes(lookup, call.signal)) + returnedBytes(returned),
      ...contentsOf(lookup, returned),
    };
  }

  async #lookUp(selection: Selection, request: ExportRequest, call: CallContext): Promise<LookedUp> {
    const { datasets } = this.#deps;
    const cells = await exportedCells(this.#deps, selection, request, call);
    const { scores } = cells;
    const { signature, cell_state, counts, annotations } = request;
    const parameters = { signature, cell_state, counts, annotations };
    const stored = await datasets.get(datasetOf(selection));
    const usedNames = columnNames(stored);
    const names = distinct([...usedNames, ...scores.map(({ name }) => name)]);
    const columns = scores.map(({ values }, at): UserColumn => ({
      id: `score-${at}`,
      revision: 0,
      name: names[usedNames.length + at]!,
      column: { kind: 'numeric', dtype: 'float64', values },
    }));
    const own = [...withTermColumns(selection.own ?? [], usedNames), ...columns];
    const dataset = await datasets.get({ ...datasetOf(selection), own });
    return {
      selection: { ...selection, own },
      dataset,
      ...cells,
      shown: await shownColumns(selection, dataset, call.signal),
      counts: counts && selection.manifest.expression.hasCounts,
      definition: definitionOf(selection, { call: 'export-dataset', parameters }),
    };
  }
}

function etagOf({ selection, shown, scores, counts, definition }: LookedUp): string {
  const hash = createHash('sha256');
  const columns = shown.map(({ name, order, colours }) => [name, order, colours]);
  const { subset } = selection;
  const named = [subset?.subset_group_name, selection.displays, definition];
  hash.update(JSON.stringify([layoutVersion, keyOfSelection(selection), counts, columns, named]));
  for (const { name, values, notes } of scores) {
    hash.update(JSON.stringify([name, notes]));
    hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }
  return `"${hash.digest('base64url')}"`;
}

/** Bytes of a barcode or another string, with its reference. */
const stringBytes = 48;

/** Estimated bytes of the entries, assuming these cells have as many as others, and of the columns of obs. */
async function roughBytes({ dataset, cellCount, counts }: LookedUp, signal: AbortSignal): Promise<number> {
  const { cellCount: all } = dataset.manifest;
  let bytes = 0;
  for (const path of counts ? (['X', 'layers/counts'] as const) : (['X'] as const)) {
    const matrix = await dataset.storedMatrix(path, signal);
    if (!matrix) continue;
    const entries = matrix.starts[matrix.starts.length - 1]! * (all === 0 ? 0 : cellCount / all);
    bytes += entries * (elementBytes[matrix.valueType] + elementBytes.int32);
  }
  const rowRequest = { columns: dataset.obsColumnNames, embeddings: [] };
  const { columns } = await dataset.cellRows({ from: 0, to: 0 }, rowRequest, signal);
  const perCell = [
    stringBytes,
    ...columns.map((column) => {
      if (column.kind === 'string') return stringBytes;
      return column.kind === 'categorical' ? column.codes.BYTES_PER_ELEMENT : column.values.BYTES_PER_ELEMENT;
    }),
    ...dataset.embeddings.map(({ dimensions }) => dimensions * elementBytes.float32),
    ...(dataset.proteins ? [stringBytes, dataset.proteins.columns.length * elementBytes.float32] : []),
  ];
  for (const { size } of dataset.assets) bytes += size;
  return Math.round(bytes + cellCount * perCell.reduce((sum, one) => sum + one, 0));
}

interface ShownColumn {
  name: string;
  display: CategoryDisplay;
  /** The user chose nothing: order and colours are those of the file. */
  asInFile: boolean;
  order: readonly number[];
  /** In that order. */
  colours: readonly string[];
}

/** Columns with an order, colours or names from the user, and the user's own columns, which have colours. */
async function shownColumns(
  { manifest, own = [], displays = [] }: Selection,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<ShownColumn[]> {
  const shown: ShownColumn[] = [];
  const described = new Map(displays.map((display) => [display.column, display]));
  for (const { name, column } of own) {
    if (column.kind === 'categorical' && column.colours && !described.has(name)) {
      described.set(name, { column: name, revision: 0, categories: [] });
    }
  }
  const chosen = new Set(described.keys());
  const { columns } = await dataset.cellRows(
    { from: 0, to: 0 },
    { columns: dataset.obsColumnNames, embeddings: [] },
    signal,
  );
  for (const [at, name] of dataset.obsColumnNames.entries()) {
    const column = columns[at];
    if (isCategorical(column) && column.colours && !chosen.has(name))
      described.set(name, { column: name, revision: 0, categories: [] });
  }
  for (const [name, display] of described) {
    if (!dataset.obsColumnNames.includes(name)) continue;
    const column = columns[dataset.obsColumnNames.indexOf(name)];
    if (!isCategorical(column)) continue;
    const order = displayOrder(column.categories, display);
    const colours = displayedColours(column, display, columnPalette(name, manifest.roles));
    const asInFile = !chosen.has(name);
    shown.push({ name, display, asInFile, order, colours: order.map((code) => colours[code]!) });
  }
  return shown;
}

interface Exported {
  dataset: Dataset;
  selection: Selection;
  cellCount: number;
  shown: readonly ShownColumn[];
  scores: readonly Score[];
  definition: Definition;
}

/** Metadata of the file where scanpy looks for it: colours, that X holds logarithms, and the origin. */
function unsOf({ selection, dataset, cellCount, shown, scores, definition }: Exported): {
  [key: string]: UnsValue;
} {
  const { manifest } = selection;
  const { proteins } = dataset;
  const { catalogue, expression, warnings, processing } = manifest;
  const isLog = expression.state === 'log-normalised' || expression.state === 'normalised-here';
  const fields = { name: catalogue.name, disease: catalogue.disease, ...listedFieldsOf(catalogue) };
  return {
    ...Object.fromEntries(shown.map(({ name, colours }) => [`${name}_colors`, colours])),
    ...(isLog && { log1p: {} }),
    ...(proteins && {
      [proteinUnsKeys.unit]: proteinUnit(proteins.scale),
      [proteinUnsKeys.names]: proteins.columns.map(({ name }) => name),
    }),
    [recordKey]: {
      software: definition.software,
      definition: JSON.stringify(definition),
      dataset: manifest.id,
      version: manifest.version,
      cells: cellsText(selection, cellCount),
      expression: expressionUnit(expression),
      simulated: catalogue.simulated ? 'yes' : 'no',
      catalogue: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
      ...(processing && { processing: JSON.stringify(processing) }),
      warnings: [...(selection.cautions ?? []), ...warnings].map(({ message }) => message),
      notes: [...scores.flatMap(({ notes }) => notes), ...shown.flatMap(({ display }) => namesNote(display))],
    },
  };
}

/** Elements of the dataset's file beside what the dataset holds, cut to the exported cells. */
function returnedTo(lookup: LookedUp, signal: AbortSignal): Promise<ReturnedElements> {
  const { dataset, selection, mask, counts, shown } = lookup;
  const own = new Set(Object.keys(unsOf(lookup)).map((name) => `uns/${name}`));
  const colours = coloursOf(shown.filter(({ asInFile }) => asInFile));
  for (const path of ['uns/log1p', ...colours]) own.delete(path);
  const added = new Set(selection.own?.map(({ name }) => name));
  return returnedElements(
    {
      dataset,
      mask,
      taken: new Set([...(counts ? ['layers/counts'] : []), ...own]),
      superseded: coloursOf(shown.filter(({ asInFile, name }) => !asInFile && !added.has(name))),
      colours,
    },
    signal,
  );
}

function coloursOf(shown: readonly ShownColumn[]): Set<string> {
  return new Set(shown.map(({ name }) => `uns/${name}_colors`));
}

/** Parts of the export that its file did not have; the numbers behind them are in `processing` and in `definition`. */
function addedTexts({ selection, scores, shown }: LookedUp, { computed }: ReturnedElements): string[] {
  const own = selection.own ?? [];
  const columns = own.slice(0, own.length - scores.length);
  return [
    ...computed.map((path) => `${path}: computed at the import`),
    ...columns.map(({ name, id, revision }) => `obs/${name}: annotation ${id}, revision ${revision}`),
    ...own.slice(columns.length).map(({ name }) => `obs/${name}: score`),
    ...[...coloursOf(shown.filter(({ asInFile }) => !asInFile))].map((path) => `${path}: colors shown here`),
  ];
}

const maxListed = 12;

function unsText(ofFile: readonly string[] = []): string {
  return ofFile.length > 0 ? `of the file: ${listedNames(ofFile, maxListed)}; ` : '';
}

/** Content of the file, and what it leaves out; shown before a download. */
function contentsOf(
  { selection, dataset, cellCount, shown, scores, counts }: LookedUp,
  returned: ReturnedElements,
): Pick<ExportContents, 'contents' | 'left_out'> {
  const { manifest } = selection;
  const own = datasetOf(selection).own?.length ?? 0;
  const of = [
    ...(own > 0 ? [`${countText(own)} of your own`] : []),
    ...(scores.length > 0 ? [`scores: ${scores.map(({ name }) => name).join(', ')}`] : []),
  ];
  const columns = dataset.obsColumnNames.length;
  const shape = `${countText(cellCount)} cells × ${countText(manifest.geneCount)} genes`;
  const ofFile = returnedNames(returned);
  const names = dataset.embeddings.map(({ name }) => name);
  const tables = [...names, ...(ofFile.get('obsm') ?? []).filter((name) => !names.includes(name))];
  const groups = [...ofFile].filter(([group]) => group !== 'obsm' && group !== 'uns');
  const { proteins, assets } = dataset;
  return {
    contents: [
      { part: 'X', text: `${shape}, ${expressionUnit(manifest.expression)}` },
      ...(counts
        ? [
            {
              part: 'layers/counts',
              text:
                manifest.expression.fractionalCounts === true ? 'counts, some with fractions' : 'raw counts',
            },
          ]
        : []),
      {
        part: 'obs',
        text: `${plural(columns, 'column')} of the cells${of.length > 0 ? `, among them ${of.join('; ')}` : ''}`,
      },
      { part: 'var', text: 'names of the genes and all that is known of them' },
      ...(tables.length > 0 ? [{ part: 'obsm', text: listedNames(tables, maxListed) }] : []),
      ...groups.map(([part, inside]) => ({ part, text: `${listedNames(inside, maxListed)}, of the file` })),
      ...(proteins
        ? [
            {
              part: proteinsPath,
              text: `${countText(proteins.columns.length)} proteins, ${proteinUnit(proteins.scale)}`,
            },
          ]
        : []),
      {
        part: 'uns',
        text: `${unsText(ofFile.get('uns'))}${assets.length > 0 ? `${plural(assets.length, 'file')} of the dataset; ` : ''}${shown.length > 0 ? `colors of ${shown.map(({ name }) => name).join(', ')}; ` : ''}dataset, version, cells, software, definition, warnings`,
      },
    ],
    left_out: [
      ...(manifest.expression.hasCounts
        ? []
        : [`The dataset has no raw counts.${noCountsReason(manifest.warnings)}`]),
      ...(manifest.otherFeatures ?? []).map(
        ({ type, count }) => `${countText(count)} features of type ${type} stayed in the uploaded file.`,
      ),
      ...notReturned(returned),
      'Download tables of results separately; numbers you added as a column are in obs.',
    ],
  };
}
