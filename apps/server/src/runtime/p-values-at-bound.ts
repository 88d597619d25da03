import { type Caution, countText, minPValue } from '@cellfolio/model';

/** @param zeros p-values that are 0, as they are too small for a number */
export function pValuesAtBound(zeros: number): Caution[] {
  if (zeros === 0) return [];
  return [
    {
      code: 'p-values-at-bound',
      message: `${zeros === 1 ? '1 p-value is' : `${countText(zeros)} p-values are`} below ${minPValue.toPrecision(2)}, too small for a number: written as 0 in the file, and in no order among themselves but that of their scores.`,
      numbers: { genes: zeros, bound: minPValue },
    },
  ];
}

export function zerosIn(pValues: Float64Array): number {
  return pValues.reduce((count, p) => (p === 0 ? count + 1 : count), 0);
}
