import { filterCells, modelGeneVariances, normalizeCounts, runPca, type ScranMatrix } from 'scran.js';
import { findDoublets, type DoubletReport } from './doublets/find-doublets.ts';
import { type CombineOptions, ProcessError, type ProcessSettings, type Samples } from './process-input.ts';
import {
  type ProcessPart,
  type ProcessProgress,
  type QualityReport,
  stepBegins,
  type Step,
} from './process-result.ts';
import { geneKinds, measuresOf } from './quality/cell-measures.ts';
import type { GeneFacts } from './quality/gene-kinds.ts';
import { planQuality, type QualityGroup } from './quality/plan-quality.ts';
import { removedText } from './quality/quality-cautions.ts';
import { variableGenesByBatch, variableGenesOf, type GeneMoments } from './variable-genes.ts';

/** As scanpy's `normalize_total(target_sum=1e4)`, and as expression is shown. */
const targetSum = 10_000;
/** Fewer cells than this have no neighbourhoods to speak of. */
const minCells = 20;
interface ComputeJob {
  readonly genes: GeneFacts;
  readonly samples?: Samples;
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
  readonly combine: CombineOptions;
  readonly threads: number;
}

/** What all that follows is made of. */
export interface Components {
  readonly quality: QualityReport;
  readonly doublets?: DoubletReport;
  readonly keptCells: Int32Array;
  readonly variableGenes: Uint8Array;
  /** `components` for each cell that was kept, cell after cell. */
  readonly coordinates: Float64Array;
  readonly components: number;
}

/** Runs the steps from counts of genes x cells to principal components. Throws ProcessError. */
export async function componentsOf(
  counts: ScranMatrix,
  { genes, samples, settings, parts, combine, threads }: ComputeJob,
  report: (progress: ProcessProgress) => void,
): Promise<Components> {
  const begins = stepBegins(parts, combine);
  const step = (name: Step) => report({ step: name, fraction: begins.get(name)! });

  step('Quality control');
  const measures = measuresOf(counts, geneKinds(genes));
  const quality = { ...measures, ...planQuality(measures, settings.quality, samples) };
  assertEnough(quality.keep, quality);
  const passed = filterCells(counts, quality.keep);
  let doublets: DoubletReport | undefined;
  if (combine.doublets !== undefined) {
    step('Doublets');
    doublets = await doubletsAmong(passed, quality, combine.samples ?? samples, threads);
  }
  const keep =
    doublets === undefined || combine.doublets === 'mark'
      ? quality.keep
      : quality.keep.map((stays, cell) => (doublets.called[cell] === 1 ? 0 : stays));
  const keptCells = Int32Array.from(positionsOf(keep));
  const cells = assertEnough(keep, quality);

  step('Normalisation');
  const sizeFactors = Float64Array.from(keptCells, (cell) => quality.counts[cell]! / targetSum);
  const kept = keep === quality.keep ? passed : filterCells(counts, keep);
  const normalised = normalizeCounts(kept, { sizeFactors });

  step('Variable genes');
  const batches = combine.batches && keptCells.map((cell) => combine.batches!.codes[cell]!);
  const variableGenes = chosenGenes({ kept, sizeFactors, batches }, settings.variableGenes);
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
    ...(doublets && { doublets }),
    keptCells,
    variableGenes,
    coordinates: pca.principalComponents(),
    components: pca.numberOfPCs(),
  };
}

/** Doublets among the cells that passed the quality control, told of all cells. */
async function doubletsAmong(
  passed: ScranMatrix,
  { keep }: QualityReport,
  samples: Samples | undefined,
  threads: number,
): Promise<DoubletReport> {
  const cells = Int32Array.from(positionsOf(keep));
  const ofPassed = samples && { ...samples, codes: cells.map((cell) => samples.codes[cell]!) };
  const found = await findDoublets(passed, ofPassed, threads);
  const scores = new Float64Array(keep.length).fill(NaN);
  const called = new Uint8Array(keep.length);
  for (const [at, cell] of cells.entries()) {
    scores[cell] = found.scores[at]!;
    called[cell] = found.called[at]!;
  }
  return { ...found, scores, called };
}

/** The genes that vary: between all cells, or within the batches of each cell. */
function chosenGenes(
  {
    kept,
    sizeFactors,
    batches,
  }: { kept: ScranMatrix; sizeFactors: Float64Array; batches: Int32Array | undefined },
  most: number,
): Uint8Array {
  if (batches === undefined) return variableGenesOf(momentsOf(kept, sizeFactors), most);
  const moments = [...new Set(batches)]
    .toSorted((a, b) => a - b)
    .map((batch) => {
      const own = Uint8Array.from(batches, (other) => Number(other === batch));
      const cells = filterCells(kept, own);
      const found = momentsOf(
        cells,
        sizeFactors.filter((_, cell) => own[cell] === 1),
      );
      cells.free();
      return found;
    });
  return variableGenesByBatch(moments, most);
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

/** How many cells stay. Throws ProcessError `too-few-cells`. */
function assertEnough(keep: Uint8Array, { groups, removed }: QualityReport): number {
  const kept = keep.reduce((sum, stays) => sum + stays, 0);
  if (kept >= minCells) return kept;
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
  throw new ProcessError(
    'too-few-cells',
    `${kept} of ${keep.length} cells pass quality control (${need}; ${removedText(removed)}), and at least ${minCells} are needed. Loosen the filters, or check that the matrix is the right way round.`,
  );
}
