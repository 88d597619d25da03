import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { checkSamples, sampleHead, sampleLabels, samplesText } from '../drawing/samples/sample-figure.ts';
import { figureWidth } from '../drawing/scene/style.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { sampleHeatmapContent } from '../pseudobulk-content.ts';
import {
  defaultRow,
  heightAround,
  minRow,
  type SampleHeatmapGene,
  sampleHeatmapScene,
  type SampleHeatmapSpec,
} from './scene.ts';

const ramp: readonly string[] = ['#3567b0', '#93add6', '#f3f4f6', '#dfa498', '#c2553f'];
const darkRamp: readonly string[] = ['#6f9de0', '#42577a', '#262a32', '#7d5049', '#e88a74'];

/**
 * Log counts per million of genes in each sample, each gene relative to its mean. Throws FigureInputError without
 * genes.
 */
export function sampleHeatmapFigure(
  input: PseudobulkInput & Pick<FigureSetting, 'datasetName'>,
): Figure<SampleHeatmapSpec> {
  checkSamples(input);
  const { samples, surest = [] } = input;
  if (surest.length === 0) throw new FigureInputError('surest', 'a figure of genes by sample needs genes');
  const labels = sampleLabels(samples);
  const order = (['a', 'b'] as const).flatMap((side) =>
    [...samples.keys()].filter((at) => samples[at]!.side === side),
  );
  const genes = surest.map(({ symbol, logCpm, logFoldChange, adjustedP }): SampleHeatmapGene => {
    if (logCpm.length !== samples.length) {
      throw new FigureInputError(
        'surest',
        `${logCpm.length} values of ${symbol} do not fit ${samples.length} samples`,
      );
    }
    return {
      gene: cleanLabel(symbol),
      logFoldChange,
      adjustedP,
      scores: scoresOf(order.map((at) => logCpm[at]!)),
    };
  });
  const head = sampleHead(input, input.datasetName);
  const spec: SampleHeatmapSpec = {
    version: 1,
    kind: 'sample-heatmap',
    ...head,
    summary: `${genes.length === 1 ? 'the gene of the smallest p-value' : `the ${countText(genes.length)} genes of the smallest p-values`} · ${samplesText(samples, head.sides)}`,
    size: { width: figureWidth, height: 0 },
    samples: order.map((at) => ({ label: labels[at]!, side: samples[at]!.side })),
    genes: [
      ...genes.filter(({ logFoldChange }) => logFoldChange > 0),
      ...genes.filter(({ logFoldChange }) => !(logFoldChange > 0)),
    ],
    ramp,
  };
  const height = heightAround(spec) + Math.max(3, genes.length) * defaultRow;
  return {
    spec: { ...spec, size: { width: figureWidth, height } },
    columns: {},
    drawing: sampleHeatmapDrawing,
  };
}

/** Deviations from the mean in standard deviations, all 0 if nothing varies. */
function scoresOf(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return values.map((value) => (deviation > 0 ? Number(((value - mean) / deviation).toFixed(3)) : 0));
}

const sampleHeatmapDrawing = withMinimumSize<SampleHeatmapSpec>(
  {
    scene: sampleHeatmapScene,
    fit: (spec, size) => {
      const fitted = { ...spec, size, fitted: { leftOut: '' } };
      const maxGenes = Math.max(1, Math.floor((size.height - heightAround(fitted)) / minRow));
      const limit = spec.genes.map(({ adjustedP }) => adjustedP).toSorted((one, other) => one - other)[
        maxGenes - 1
      ];
      const genes = spec.genes.filter(({ adjustedP }) => adjustedP <= (limit ?? 1)).slice(0, maxGenes);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...fitted, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
    dark: () => ({ ramp: darkRamp }),
  },
  {
    size: { width: 280, height: 220 },
    sentence: ({ genes }) => `Enlarge to see ${genes.length} genes by sample.`,
  },
);

export const sampleHeatmap = plot<typeof sampleHeatmapContent>(
  'sample-heatmap',
  ({ tested }, { datasetName }) => sampleHeatmapFigure({ ...tested, datasetName }),
);
