import type { CategoryDisplay, ExportContents } from '@cellfolio/contract';
import type { UnsValue } from '@cellfolio/ingest/parts-of-h5ad';
import {
  type Column,
  countText,
  expressionUnit,
  isCategorical,
  listedFieldsOf,
  proteinUnit,
  proteinUnsKeys,
  noCountsReason,
  plural,
} from '@cellfolio/model';
import { columnPalette } from '@cellfolio/plots';
import { type Dataset, proteinsPath } from '@cellfolio/store';
import { displayedColours, displayOrder, namesNote } from '../../../runtime/compute/category-display.ts';
import { datasetOf, type Definition, type Selection } from '../../selection/index.ts';
import { cellsText, type Score } from '../exported-cells.ts';

export interface ShownColumn {
  readonly name: string;
  readonly display: CategoryDisplay;
  readonly order: readonly number[];
  /** In that order. */
  readonly colours: readonly string[];
}

/** Columns with an order, colours or names from the user, and the user's own columns, which have colours. */
export async function shownColumns(
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
  for (const [name, display] of described) {
    if (!dataset.obsColumnNames.includes(name)) continue;
    const column = await emptyColumn(dataset, name, signal);
    if (!isCategorical(column)) continue;
    const order = displayOrder(column.categories, display);
    const colours = displayedColours(column, display, columnPalette(name, manifest.roles));
    shown.push({ name, display, order, colours: order.map((code) => colours[code]!) });
  }
  return shown;
}

async function emptyColumn(dataset: Dataset, name: string, signal: AbortSignal): Promise<Column> {
  const { columns } = await dataset.cellRows({ from: 0, to: 0 }, { columns: [name], embeddings: [] }, signal);
  return columns[0]!;
}

interface Exported {
  readonly dataset: Dataset;
  readonly selection: Selection;
  readonly cellCount: number;
  readonly shown: readonly ShownColumn[];
  readonly scores: readonly Score[];
  readonly definition: Definition;
}

/** Metadata of the file where scanpy looks for it: colours, that X holds logarithms, and the origin. */
export function unsOf({ selection, dataset, cellCount, shown, scores, definition }: Exported): {
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
    cellfolio: {
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

/** Content of the file, and what it leaves out; shown before a download. */
export function contentsOf(
  { selection, dataset, cellCount, shown, scores }: Omit<Exported, 'definition'>,
  counts: boolean,
): Pick<ExportContents, 'contents' | 'left_out'> {
  const { manifest } = selection;
  const own = datasetOf(selection).own?.length ?? 0;
  const of = [
    ...(own > 0 ? [`${countText(own)} of your own`] : []),
    ...(scores.length > 0 ? [`scores: ${scores.map(({ name }) => name).join(', ')}`] : []),
  ];
  const columns = dataset.obsColumnNames.length;
  const shape = `${countText(cellCount)} cells × ${countText(manifest.geneCount)} genes`;
  const names = dataset.embeddings.map(({ name }) => name);
  const { proteins } = dataset;
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
      ...(names.length > 0 ? [{ part: 'obsm', text: names.join(', ') }] : []),
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
        text: `${shown.length > 0 ? `colours of ${shown.map(({ name }) => name).join(', ')}; ` : ''}dataset, version, cells, software, definition, warnings`,
      },
    ],
    left_out: [
      ...(manifest.expression.hasCounts
        ? []
        : [`The dataset has no raw counts.${noCountsReason(manifest.warnings)}`]),
      ...(manifest.otherFeatures ?? []).map(
        ({ type, count }) => `${countText(count)} features of type ${type} stayed in the uploaded file.`,
      ),
      'Graphs of neighbours and loadings of components are not stored with datasets.',
      'Download tables of results separately; numbers you added as a column are in obs.',
    ],
  };
}
