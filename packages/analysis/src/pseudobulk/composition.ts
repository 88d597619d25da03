import type { Design } from './design.ts';
import { type GeneSampleMatrix, librarySizes } from './gene-sample-matrix.ts';
import { linearFit } from './linear-fit.ts';
import { moderatedTests, type ModeratedTests } from './moderated-tests.ts';

/**
 * Transform of shares for a linear model. `logit`: log odds of counts raised by 0.5, more power; `asin`: arcsine of the
 * square root, stable if a type is rare or absent in many samples.
 */
export type ShareTransform = 'logit' | 'asin';

interface CompositionTest {
  /** Types × samples: share (0 to 1) of each type among the sample's cells. NaN for a sample without cells. */
  shares: GeneSampleMatrix;
  /** One test per requested contrast, with a value per type; effects are on the transformed scale. */
  tests: ModeratedTests;
}

/**
 * Minimum number of types: with fewer, the spread of variances cannot be estimated, and each would be tested by its
 * own; propeller requires the same.
 */
export const minTypes = 3;

/**
 * Tests whether the composition of samples differs: propeller (Phipson and others 2022) with one prior variance for all
 * types, without its robust option. `cells`: cells of each type (row) in each sample (column). One contrast is a
 * moderated t-test; `tests.joint` is the F test of all. Shares of a sample add up to 1: if a type grows, others must
 * shrink. Throws RangeError for a sample without cells and for fewer than three types.
 */
export function compositionTest(
  cells: GeneSampleMatrix,
  design: Design,
  contrasts: readonly Float64Array[],
  transform: ShareTransform = 'logit',
): CompositionTest {
  const { geneCount: typeCount, sampleCount } = cells;
  if (typeCount < minTypes) throw new RangeError(`${typeCount} cell types are fewer than ${minTypes}`);
  const totals = librarySizes(cells);
  const empty = totals.indexOf(0);
  if (empty >= 0) throw new RangeError(`sample ${empty} has no cells`);
  const shares = new Float64Array(cells.values.length);
  const transformed = new Float64Array(cells.values.length);
  for (let type = 0, at = 0; type < typeCount; type++) {
    for (let sample = 0; sample < sampleCount; sample++, at++) {
      const [count, total] = [cells.values[at]!, totals[sample]!];
      shares[at] = count / total;
      // Raised, all types of a sample have half a cell more.
      const others = total - count + (typeCount - 1) / 2;
      transformed[at] =
        transform === 'logit' ? Math.log((count + 0.5) / others) : Math.asin(Math.sqrt(shares[at]!));
    }
  }
  const size = { geneCount: typeCount, sampleCount };
  const fit = linearFit({ ...size, values: transformed }, design, { contrasts });
  return { shares: { ...size, values: shares }, tests: moderatedTests(fit) };
}
