import {
  categoryUmapFigure,
  type Figure,
  geneUmapFigure,
  geneViolinFigure,
  renderPng,
} from '@cellfolio/figures';
import { type CategoricalColumn, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { DrawnFigure, Task } from './task.ts';

/** A figure that cannot be drawn from this dataset, with the reason for its user. */
export class NotDrawable extends Error {
  override readonly name = 'NotDrawable';
}

/** Draws the figure of a task. Reads stop when the signal aborts. Throws NotDrawable. */
export async function draw(task: Task, dataset: Dataset, signal: AbortSignal): Promise<DrawnFigure> {
  const figure = await figureOf(task, dataset, signal);
  signal.throwIfAborted();
  const { png, width, height } = await renderPng(figure);
  return { png, width, height, spec: { ...figure.spec } };
}

async function figureOf(task: Task, dataset: Dataset, signal: AbortSignal): Promise<Figure> {
  const datasetName = dataset.manifest.catalogue.name;
  switch (task.kind) {
    case 'gene-umap': {
      const [embedding, gene] = await Promise.all([
        embeddingOf(dataset, signal),
        dataset.gene(task.row, signal),
      ]);
      return geneUmapFigure({
        embedding,
        gene,
        symbol: symbolOf(dataset, task.row),
        datasetName,
        unit: unitOf(dataset),
      });
    }
    case 'gene-violin': {
      const [{ column, title, palette }, gene] = await Promise.all([
        groupsOf(dataset, signal),
        dataset.gene(task.row, signal),
      ]);
      return geneViolinFigure({
        gene,
        groups: column,
        symbol: symbolOf(dataset, task.row),
        groupTitle: title,
        palette,
        datasetName,
        unit: unitOf(dataset),
      });
    }
    case 'default-umap': {
      const [embedding, { column, title, palette }] = await Promise.all([
        embeddingOf(dataset, signal),
        groupsOf(dataset, signal),
      ]);
      return categoryUmapFigure({ embedding, column, title, datasetName, palette });
    }
  }
}

async function embeddingOf(dataset: Dataset, signal: AbortSignal) {
  const name = dataset.manifest.roles.embedding;
  if (!name) {
    throw new NotDrawable(
      `The dataset ${dataset.manifest.catalogue.name} has no embedding, so it has no UMAP to draw on.`,
    );
  }
  return dataset.embedding(name, signal);
}

interface Groups {
  readonly column: CategoricalColumn;
  readonly title: string;
  readonly palette: 'cell-type' | 'cluster';
}

/** Cell types, else clusters, else one group of all cells. */
async function groupsOf(dataset: Dataset, signal: AbortSignal): Promise<Groups> {
  const { cellType, cluster } = dataset.manifest.roles;
  const name = cellType ?? cluster;
  if (name !== undefined) {
    const column = await dataset.obs(name, signal);
    if (isCategorical(column)) {
      return cellType === undefined
        ? { column, title: 'Cluster', palette: 'cluster' }
        : { column, title: 'Cell type', palette: 'cell-type' };
    }
  }
  const column: CategoricalColumn = {
    kind: 'categorical',
    codes: new Int8Array(dataset.manifest.cellCount),
    categories: ['All cells'],
    categoryType: 'string',
    ordered: false,
  };
  return { column, title: 'Cells', palette: 'cluster' };
}

function symbolOf(dataset: Dataset, row: number): string {
  return dataset.genes.symbols[row] ?? String(row);
}

function unitOf(dataset: Dataset): string {
  switch (dataset.manifest.expression.state) {
    case 'log-normalised':
    case 'normalised-here':
      return 'log-normalised expression';
    case 'scaled':
      return 'scaled expression';
    case 'unknown':
      return 'expression as stored';
  }
}
