import type { Design } from './design.ts';
import { OrthogonalFactor } from './orthogonal-factor.ts';

/** Size of the smallest group of samples, as edgeR takes it from a design: 1 over the largest leverage of a sample. */
export function smallestGroupOf({ columns, sampleCount }: Design): number {
  const factor = new OrthogonalFactor(sampleCount, columns.length);
  columns.forEach((column, at) => factor.columns.set(column, at * sampleCount));
  factor.factor();
  let largest = 0;
  const unit = new Float64Array(sampleCount);
  for (let sample = 0; sample < sampleCount; sample++) {
    unit.fill(0);
    unit[sample] = 1;
    factor.rotate(unit);
    const leverage = unit.subarray(0, columns.length).reduce((sum, value) => sum + value * value, 0);
    largest = Math.max(largest, leverage);
  }
  return 1 / largest;
}
