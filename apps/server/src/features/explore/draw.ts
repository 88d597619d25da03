import type { CategoryDisplay, FigureContent, renderFigureRequest } from '@cellfolio/contract';
import {
  type Figure,
  FigureInputError,
  fileSizes,
  plotFigure,
  renderPdf,
  renderPng,
  renderSvg,
  themedSpec,
} from '@cellfolio/figures';
import type { Dataset } from '@cellfolio/store';
import type { z } from 'zod';
import { type DisplayedDataset, withDisplays } from '../../runtime/compute/category-display.ts';
import { type CellTask, taskKind } from '../../runtime/compute/task.ts';
import { type ResolvedInputs, inputValues, NotDrawable } from './input-values.ts';

export type Rendition = Omit<z.output<typeof renderFigureRequest>, 'source'>;

export interface DrawTask extends CellTask<DrawnFigure>, Rendition {
  kind: 'draw';
  content: FigureContent;
  inputs: ResolvedInputs;
  /** Name of the chosen cells as shown in the figure; absent for all. */
  subset?: string;
  /** Order, colours and names of categories that differ from the dataset's. */
  displays?: readonly CategoryDisplay[];
}

export interface DrawnFigure {
  bytes: Uint8Array;
  mediaType: 'image/png' | 'image/svg+xml' | 'application/pdf' | 'application/json';
  /** Pixels for PNG, CSS pixels for the others. */
  width: number;
  height: number;
  spec: Record<string, unknown>;
}

/** Draws the figure of a task. Reads stop when the signal aborts. Throws NotDrawable. */
async function draw(task: DrawTask, stored: Dataset, signal: AbortSignal): Promise<DrawnFigure> {
  const dataset = withDisplays(stored, task.displays, task.dataset.own);
  const figure = await figureOf(task, dataset, signal);
  signal.throwIfAborted();
  const spec = dataset.inDatasetCodes({ ...themedSpec(figure, task.theme ?? 'light') });
  const { format, view } = task;
  const widthMm = task.file?.width_mm;
  if (format === 'pdf') {
    const { width, height } = figure.spec.size;
    return { bytes: renderPdf(figure, widthMm), mediaType: 'application/pdf', width, height, spec };
  }
  if (format === 'svg' || format === 'json') {
    const { width, height } = view ?? figure.spec.size;
    const isSvg = format === 'svg';
    return {
      bytes: new TextEncoder().encode(
        isSvg
          ? await renderSvg(figure, view, widthMm)
          : JSON.stringify({ ...spec, files: fileSizes(figure, widthMm) }),
      ),
      mediaType: isSvg ? 'image/svg+xml' : 'application/json',
      width,
      height,
      spec,
    };
  }
  const resolution = format === 'png' ? 'screen' : 'print';
  const { png, width, height } = await renderPng(figure, {
    resolution,
    widthMm,
    ...(view && { view }),
  });
  return { bytes: png, mediaType: 'image/png', width, height, spec };
}

async function figureOf(
  { content, inputs, mask, subset, range, order, shown, file }: DrawTask,
  dataset: DisplayedDataset,
  signal: AbortSignal,
): Promise<Figure> {
  const setting = {
    datasetName: dataset.manifest.catalogue.name,
    simulated: dataset.manifest.catalogue.simulated,
    ...(file && { file: { title: file.title, titleBlock: file.title_block } }),
    ...(mask && { mask }),
    ...(subset !== undefined && { subset }),
    ...(range && { range }),
    ...(order && { order }),
    ...(shown && { shown }),
  };
  const values = await inputValues({ content, inputs }, dataset, setting, signal);
  return drawable(() => plotFigure(content, values, setting));
}

/** Request fields that only the data could refuse. */
const requestFields: ReadonlySet<string> = new Set([
  'hidden',
  'log',
  'measure',
  'part',
  'range',
  'samples',
  'shapes',
  'split',
]);

function drawable(make: () => Figure): Figure {
  try {
    return make();
  } catch (error) {
    if (error instanceof FigureInputError && requestFields.has(error.field))
      throw new NotDrawable(error.message);
    throw error;
  }
}

export const figureTasks = [
  taskKind<DrawTask>('draw', (task, { dataset, signal }) => draw(task, dataset, signal)),
];
