import { expect, test } from 'vitest';
import { sampleMap } from './sample-map.ts';
import { matrixOf, mismatches, numbersOf, reference } from './testing/reference.ts';

const [first] = reference.cases;
const logCpm = matrixOf([...numbersOf(first!.logCpm!)], first!.kept.length);
const turned = (values: Float64Array) => values.map((value) => value * Math.sign(values[0]!));

test.each(['top500', 'top20'] as const)('samples lie as in plotMDS: %s', (name) => {
  const expected = reference.scaling[name];
  const projection = sampleMap(logCpm, Number(name.slice(3)));
  const explained = numbersOf(expected.explained);
  expect(
    mismatches({
      explained: [projection.explained, [...explained], 1e-6],
      x: [turned(projection.x), [...turned(numbersOf(expected.x))], 1e-3],
      y: [turned(projection.y), [...turned(numbersOf(expected.y))], 1e-3],
    }),
  ).toEqual([]);
});

test('samples that are all the same lie in one place', () => {
  const same = sampleMap(matrixOf([1, 1, 1, 2, 2, 2], 2));
  expect(Array.from(same.x)).toEqual([0, 0, 0]);
  expect(Array.from(same.explained)).toEqual([0, 0, 0]);
});
