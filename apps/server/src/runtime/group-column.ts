import type { Grouping } from '@cellfolio/analysis/parameters';
import { isCategorical, quotedHead, listedNames, withoutTermColumns } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from './api-failure.ts';
import { columnNames, quotedColumn } from './column-names.ts';

const cellTypeWords = new Set(['cell_type', 'celltype', 'cell type', 'cell_types', 'cell types']);
const clusterWords = new Set([
  'leiden',
  'louvain',
  'cluster',
  'clusters',
  'leiden_cluster',
  'leiden_clusters',
]);

/**
 * The obs column that a user means: by its name, its display name, or its role (`cell_type`, `cluster`, `leiden`).
 * `field` is the position of the column in the request. Throws ApiFailure 400 that lists the choices.
 */
export async function groupColumn(
  dataset: Dataset,
  requestedName: string,
  field = 'groupby',
): Promise<string> {
  const column = await namedColumn(dataset, requestedName, field);
  const obsColumn = await dataset.obs(column);
  const kind = obsColumn.kind === 'wide-integer' ? 'numeric' : obsColumn.kind;
  if (kind !== 'categorical' && kind !== 'boolean') {
    throw new ApiFailure(
      400,
      'not_categorical',
      `The column ${quotedColumn(column)} holds ${kind === 'numeric' ? 'numbers' : 'free text'}, not groups of cells. ${await choices(dataset)}`,
      { details: [{ field, problem: `is a ${kind} column` }] },
    );
  }
  return column;
}

/** As `groupColumn`, also for binned numbers: cells by categories or bins. Throws ApiFailure 400. */
export async function groupingColumn(dataset: Dataset, grouping: Grouping, field: string): Promise<Grouping> {
  const column = await namedColumn(dataset, grouping.column, field);
  const { kind } = await dataset.obs(column);
  if (kind === 'numeric') return { ...grouping, column };
  return { column: await groupColumn(dataset, column, field) };
}

/** As `groupColumn`, for a column of any kind. Throws ApiFailure 400. */
export async function namedColumn(dataset: Dataset, requestedName: string, field: string): Promise<string> {
  const { roles } = dataset.manifest;
  const names = columnNames(dataset);
  // Blanks at the ends may be part of a column's name, so the name as it was asked for comes first.
  const trimmed = requestedName.trim();
  const folded = trimmed.toLowerCase();
  const shown = Object.entries(roles.metadata);
  const column =
    names.find((name) => name === requestedName) ??
    shown.find(([name]) => name === requestedName)?.[1] ??
    names.find((name) => name === trimmed) ??
    shown.find(([name]) => name === trimmed)?.[1] ??
    (cellTypeWords.has(folded) ? roles.cellType : undefined) ??
    (clusterWords.has(folded) ? roles.cluster : undefined) ??
    names.find((name) => name.trim().toLowerCase() === folded) ??
    shown.find(([name]) => name.trim().toLowerCase() === folded)?.[1];
  if (column === undefined) {
    throw new ApiFailure(
      400,
      'unknown_column',
      `The dataset has no column ${quotedHead(requestedName, 80)}. ${await choices(dataset)}`,
      { details: [{ field, problem: 'is not a column of the dataset' }] },
    );
  }
  return column;
}

const maxColumnsRead = 200;
const maxColumnsListed = 40;

async function choices(dataset: Dataset): Promise<string> {
  const columns = await Promise.all(
    withoutTermColumns(dataset.obsColumnNames)
      .slice(0, maxColumnsRead)
      .map(async (name) => ({ name, column: await dataset.obs(name) })),
  );
  const names = columns.filter(({ column }) => isCategorical(column)).map(({ name }) => name);
  return names.length === 0
    ? 'It has no categorical column to group by.'
    : `Group by one of: ${listedNames(names, maxColumnsListed)}.`;
}
