import { filterCells, modelGeneVariances, normalizeCounts, runPca, type ScranMatrix } from 'scran.js';
import { ProcessError, type ProcessSettings } from './process-input.ts';
import {
  type ProcessPart,
  type ProcessProgress,
  type QualityReport,
  stepBegins,
  type Step,
} from './process-result.ts';
import { geneKinds, measuresOf } from './quality/cell-measures.ts';
import type { GeneFacts } from './quality/gene-kinds.ts';
import { planQuality, type QualityGroup, type Samples } from './quality/plan-quality.ts';
import { removedText } from './quality/quality-cautions.ts';
import { variableGenesOf, type GeneMoments } from './variable-genes.ts';

/** As scanpy's `normalize_total(target_sum=1e4)`, and as expression is shown. */
const targetSum = 10_000;
/** Fewer cells than this have no neighbourhoods to speak of. */
const minCells = 20;
interface ComputeJob {
  readonly genes: GeneFacts;
  readonly samples?: Samples;
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
}

/** What all that follows is made of. */
export interface Components {
  readonly quality: QualityReport;
  readonly keptCells: Int32Array;
  readonly variableGenes: Uint8Array;
  /** `components` for each cell that was kept, cell after cell. */
  readonly coordinates: Float64Array;
  readonly components: number;
}

/** Runs the steps from counts of genes x cells to principal components. Throws ProcessError. */
export function componentsOf(
  counts: ScranMatrix,
  { genes, samples, settings, parts }: ComputeJob,
  report: (progress: ProcessProgress) => void,
): Components {
  const begins = stepBegins(parts);
  const step = (name: Step) => report({ step: name, fraction: begins.get(name)! });

  step('Quality control');
  const measures = measuresOf(counts, geneKinds(genes));
  const quality = { ...measures, ...planQuality(measures, settings.quality, samples) };
  const { keep } = quality;
  const keptCells = Int32Array.from(positionsOf(keep));
  const cells = keptCells.length;
  if (cells < minCells) throw tooFewCells(cells, quality);

  step('Normalisation');
  const sizeFactors = Float64Array.from(keptCells, (cell) => quality.counts[cell]! / targetSum);
  const kept = filterCells(counts, keep);
  const normalised = normalizeCounts(kept, { sizeFactors });

  step('Variable genes');
  const variableGenes = variableGenesOf(momentsOf(kept, sizeFactors), settings.variableGenes);
  const chosen = variableGenes.reduce((sum, is) => sum + is, 0);
  if (chosen < 2) {
    throw new ProcessError(
      'no-variable-genes',
      'No genes vary more between the cells than chance would have them, so no map can be drawn. Is this the whole matrix of counts?',
    );
  }

  step('Principal components');
  const pca = runPca(normalised, {
    features: variableGenes,
    numberOfPCs: Math.min(settings.components, chosen - 1, cells - 1),
    realizeMatrix: true,
  });

  return {
    quality,
    keptCells,
    variableGenes,
    coordinates: pca.principalComponents(),
    components: pca.numberOfPCs(),
  };
}

function* positionsOf(marks: Uint8Array): Iterable<number> {
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) yield at;
}

function momentsOf(counts: ScranMatrix, sizeFactors: Float64Array): GeneMoments {
  const linear = normalizeCounts(counts, { sizeFactors, log: false });
  const model = modelGeneVariances(linear);
  const moments = { means: model.means(), variances: model.variances() };
  model.free();
  linear.free();
  return moments;
}

function tooFewCells(kept: number, { keep, groups, removed }: QualityReport): ProcessError {
  const [{ thresholds }] = groups as [QualityGroup];
  const { minimumCounts, minimumGenes, maximumMitochondrial } = thresholds;
  const mitochondrial =
    maximumMitochondrial === undefined
      ? ''
      : `, at most ${(maximumMitochondrial * 100).toFixed(1)} % mitochondrial`;
  const need =
    groups.length > 1
      ? `by the thresholds of ${groups.length} samples`
      : `at least ${minimumCounts} counts and ${minimumGenes} genes${mitochondrial}`;
  return new ProcessError(
    'too-few-cells',
    `${kept} of ${keep.length} cells pass quality control (${need}; ${removedText(removed)}), and at least ${minCells} are needed. Loosen the filters, or check that the matrix is the right way round.`,
  );
}
