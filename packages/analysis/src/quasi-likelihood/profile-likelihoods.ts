import { likelihoodConstant } from '../negative-binomial/gene-model.ts';
import { independentColumns } from '../pseudobulk/design-refusal.ts';
import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import type { Design } from '../pseudobulk/design.ts';
import { CountModel } from './count-model.ts';

/** Samples with their effective sizes: library sizes times their factors. */
export interface SizedSamples {
  design: Design;
  sizes: Float64Array;
}

/** Grid of dispersions for the likelihoods: 0.1 · 2^-10 to 0.1 · 2^10, as in edgeR's `estimateDisp`. */
export const gridDispersions = Float64Array.from({ length: 21 }, (_, at) => 0.1 * 2 ** (at - 10));
/** Dispersion of fits that only determine which means are zero. */
const roughDispersion = 0.05;
/** Counts and fitted means below this count as zero. */
const zeroBelow = 1e-4;

/**
 * Log likelihoods of each gene at the grid's dispersions, gene-major, at the maximum likelihood means with Cox–Reid
 * adjustment (Chen, Lun and Smyth 2014). Samples with a zero mean carry no information on dispersion and are left out;
 * a gene left with no more samples than coefficients gets zeros.
 */
export function profileLikelihoods(counts: GeneSampleMatrix, samples: SizedSamples): Float64Array {
  const { geneCount, sampleCount, values } = counts;
  const offsets = samples.sizes.map(Math.log);
  const whole = new CountModel(samples.design, offsets);
  const parts = new PartialDesigns(samples.design);
  const models = new Map<PartialDesign, CountModel>();
  const profiles = new Float64Array(geneCount * gridDispersions.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const row = values.subarray(gene * sampleCount, (gene + 1) * sampleCount);
    whole.fit(row, roughDispersion);
    const part = parts.of(row, whole.means);
    if (part.degrees === 0) continue;
    let model = models.get(part);
    if (!model) {
      const own = Float64Array.from(part.samples, (sample) => offsets[sample]!);
      models.set(part, (model = new CountModel(part.design, own)));
    }
    const own = part === parts.whole ? row : Float64Array.from(part.samples, (sample) => row[sample]!);
    gridDispersions.forEach((dispersion, at) => {
      model.fit(own, dispersion, at === 0 ? undefined : model.coefficients);
      profiles[gene * gridDispersions.length + at] =
        saturatedLikelihood(own, dispersion) - model.deviance / 2 - model.logInformation(dispersion) / 2;
    });
  }
  return profiles;
}

function saturatedLikelihood(counts: Float64Array, dispersion: number): number {
  let sum = likelihoodConstant(counts, dispersion);
  for (const count of counts) {
    if (count === 0) continue;
    const scaled = dispersion * count;
    sum += count * Math.log(scaled) - (count + 1 / dispersion) * Math.log1p(scaled);
  }
  return sum;
}

export interface PartialDesign {
  samples: readonly number[];
  design: Pick<Design, 'columns' | 'sampleCount'>;
  /** Residual degrees of freedom of these samples (Lun and Smyth 2017). */
  degrees: number;
}

/** Cached designs of genes without counts in some groups of the samples. */
export class PartialDesigns {
  readonly #design: Design;
  readonly whole: PartialDesign;
  readonly #cache = new Map<string, PartialDesign>();

  constructor(design: Design) {
    this.#design = design;
    this.whole = this.#partOf(Array.from({ length: design.sampleCount }, (_, sample) => sample));
  }

  of(counts: Float64Array, means: Float64Array): PartialDesign {
    if (!counts.some((count, sample) => count < zeroBelow && means[sample]! < zeroBelow)) return this.whole;
    const samples = Array.from(counts.keys()).filter(
      (sample) => !(counts[sample]! < zeroBelow && means[sample]! < zeroBelow),
    );
    const key = samples.join();
    let cached = this.#cache.get(key);
    if (!cached) this.#cache.set(key, (cached = this.#partOf(samples)));
    return cached;
  }

  #partOf(samples: readonly number[]): PartialDesign {
    const columns = this.#design.columns.map((column) =>
      Float64Array.from(samples, (sample) => column[sample]!),
    );
    const sampleCount = samples.length;
    const independent = independentColumns({ columns, sampleCount });
    return {
      samples,
      design: { columns: independent.map((at) => columns[at]!), sampleCount },
      degrees: sampleCount - independent.length,
    };
  }
}
