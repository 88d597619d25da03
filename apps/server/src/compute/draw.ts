import { partTitles } from '@cellfolio/contract';
import {
  categoryUmapFigure,
  dotPlotFigure,
  enrichmentBarFigure,
  type Figure,
  geneUmapFigure,
  geneViolinFigure,
  highlightUmapFigure,
  renderPng,
  renderSvg,
  scoreUmapFigure,
  scoreViolinFigure,
} from '@cellfolio/plots';
import { type CategoricalColumn, expressionUnit, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { DrawnFigure, DrawTask } from './task.ts';

/** A figure that cannot be drawn from this dataset, with the reason for its user. */
export class NotDrawable extends Error {
  override readonly name = 'NotDrawable';
}

/** Draws the figure of a task. Reads stop when the signal aborts. Throws NotDrawable. */
export async function draw(task: DrawTask, dataset: Dataset, signal: AbortSignal): Promise<DrawnFigure> {
  const figure = await figureOf(task, dataset, signal);
  signal.throwIfAborted();
  const spec = { ...figure.spec };
  if (task.format === 'svg' || task.format === 'json') {
    const { width, height } = figure.spec.size;
    const isSvg = task.format === 'svg';
    return {
      bytes: new TextEncoder().encode(isSvg ? await renderSvg(figure) : JSON.stringify(spec)),
      mediaType: isSvg ? 'image/svg+xml' : 'application/json',
      width,
      height,
      spec,
    };
  }
  const resolution = task.format === 'png' ? 'screen' : 'print';
  const { view } = task;
  const { png, width, height } = await renderPng(figure, { resolution, ...(view && { view }) });
  return { bytes: png, mediaType: 'image/png', width, height, spec };
}

async function figureOf(
  { drawing, mask: chosen, subset, range }: DrawTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Figure> {
  const { catalogue, cellCount } = dataset.manifest;
  // A figure of some of the cells must say so wherever it is shown.
  const part =
    chosen && subset !== undefined
      ? ` · ${subset}: ${chosen.count.toLocaleString('en')} of ${cellCount.toLocaleString('en')} cells`
      : '';
  const common = { datasetName: `${catalogue.name}${part}`, ...(chosen && { mask: chosen }) };
  const scaled = { ...common, ...(range && { range }) };
  switch (drawing.kind) {
    case 'default-umap': {
      const [embedding, { column, title, palette }] = await Promise.all([
        embeddingOf(dataset, signal),
        groupsOf(dataset, signal),
      ]);
      return categoryUmapFigure({ ...common, embedding, column, title, palette });
    }
    case 'gene-umap': {
      const [embedding, gene] = await Promise.all([
        embeddingOf(dataset, signal),
        dataset.gene(drawing.row, signal),
      ]);
      return geneUmapFigure({
        ...scaled,
        embedding,
        gene,
        symbol: symbolOf(dataset, drawing.row),
        unit: expressionUnit(dataset.manifest.expression),
      });
    }
    case 'gene-violin': {
      const [{ column, title, palette }, gene] = await Promise.all([
        groupsOf(dataset, signal),
        dataset.gene(drawing.row, signal),
      ]);
      return geneViolinFigure({
        ...scaled,
        gene,
        groups: column,
        symbol: symbolOf(dataset, drawing.row),
        groupTitle: title,
        palette,
        unit: expressionUnit(dataset.manifest.expression),
      });
    }
    case 'score-umap': {
      const { title, subtitle, scores, cautions } = drawing;
      const embedding = await embeddingOf(dataset, signal);
      return scoreUmapFigure({
        ...scaled,
        embedding,
        scores,
        title,
        ...(subtitle && { subtitle }),
        ...(cautions && { cautions }),
      });
    }
    case 'score-violin': {
      const { column, title: groupTitle, palette } = await groupsOf(dataset, signal);
      const { title, subtitle, scores, cautions } = drawing;
      // Violins have no subtitle: what the score is made of stands at its axis.
      const unit = subtitle === undefined ? 'signature score' : `signature score · ${subtitle}`;
      return scoreViolinFigure({
        ...scaled,
        scores,
        groups: column,
        title,
        groupTitle,
        palette,
        unit,
        ...(cautions && { cautions }),
      });
    }
    case 'highlight-umap': {
      const [embedding, column] = await Promise.all([
        embeddingOf(dataset, signal),
        roleColumn(dataset, drawing.role, signal),
      ]);
      return highlightUmapFigure({
        ...common,
        embedding,
        column,
        highlighted: drawing.values,
        title: drawing.title,
        palette: drawing.role === 'cellType' ? 'cell-type' : 'cluster',
      });
    }
    case 'dot-plot':
      return dotPlotFigure({ ...drawing.input, datasetName: common.datasetName });
    case 'enrichment-bars':
      return enrichmentBarFigure({ ...drawing.input, datasetName: common.datasetName });
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

async function roleColumn(
  dataset: Dataset,
  role: 'cellType' | 'cluster',
  signal: AbortSignal,
): Promise<CategoricalColumn> {
  const name = dataset.manifest.roles[role];
  const column = name === undefined ? undefined : await dataset.obs(name, signal);
  if (!isCategorical(column)) {
    throw new NotDrawable(
      `The dataset ${dataset.manifest.catalogue.name} has no ${role === 'cellType' ? 'cell types' : 'clusters'}.`,
    );
  }
  return column;
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
        ? { column, title: partTitles.cluster, palette: 'cluster' }
        : { column, title: partTitles.cellType, palette: 'cell-type' };
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
