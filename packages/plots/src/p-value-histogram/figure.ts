import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { checkSamples, sampleHead, samplesText } from '../drawing/samples/sample-figure.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { pValueHistogramContent } from '../pseudobulk-content.ts';
import { pValueHistogramDrawing, pValueHistogramSize, type PValueHistogramSpec } from './scene.ts';
import { shapeOf } from './shape.ts';

type PValueHistogramInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/** Genes by unadjusted p-value. Throws FigureInputError for invalid counts. */
export function pValueHistogramFigure(input: PValueHistogramInput): Figure<PValueHistogramSpec> {
  checkSamples(input);
  const counts = Array.from(input.histogram);
  if (counts.length < 4 || counts.some((count) => !Number.isInteger(count) || count < 0)) {
    throw new FigureInputError('histogram', `${counts.join(', ')} are no counts of p-values`);
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  const head = sampleHead(input, input.datasetName);
  const spec: PValueHistogramSpec = {
    version: 1,
    kind: 'p-value-histogram',
    ...head,
    summary: `${countText(input.tested)} genes tested · ${samplesText(input.samples, head.sides)}`,
    size: pValueHistogramSize,
    tested: input.tested,
    counts,
    expected: all / counts.length,
    shape: shapeOf(counts),
  };
  return { spec, columns: {}, drawing: pValueHistogramDrawing };
}

export const pValueHistogram = plot<typeof pValueHistogramContent>(
  'p-value-histogram',
  ({ tested }, { datasetName }) => pValueHistogramFigure({ ...tested, datasetName }),
);
