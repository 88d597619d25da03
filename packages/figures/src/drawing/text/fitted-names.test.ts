import { expect, test } from 'vitest';
import { fittedLines, fittedNames } from './fitted-names.ts';
import { textWidth } from './text-width.ts';

const size = 14.5;

test('names that differ in their middle alone still differ when cut, and each fits', () => {
  const names = ['treated', 'untreated', 'relapsed'].map(
    (state) => `Exhausted CD8 T cells of tumours of ${state} patients, right breast, sample of the margin`,
  );
  for (const width of [90, 120, 180, 260]) {
    const cut = fittedNames(names, width, size);
    expect(new Set(cut).size, cut.join(' | ')).toBe(3);
    for (const text of cut) expect(textWidth(text, size), text).toBeLessThanOrEqual(width);
  }
  expect(fittedNames(names, 180, size)[0]).toContain('…treated');
});

test('names that differ at several places stay distinct from each other', () => {
  const names = [1, 2].flatMap((patient) =>
    [1, 2].map(
      (region) =>
        `Neoadjuvant chemotherapy of patient ${patient} in the region ${region} of the tumour margin`,
    ),
  );
  const cut = fittedNames(names, 150, size);
  expect(new Set(cut).size, cut.join(' | ')).toBe(4);
});

test('names that fit, and names that are equal, stay as they are', () => {
  expect(fittedNames(['B cell', 'T cell', 'B cell'], 100, size)).toEqual(['B cell', 'T cell', 'B cell']);
  const [one, other] = fittedNames(['x'.repeat(80), 'x'.repeat(80)], 100, size);
  expect(one).toBe(other);
  expect(one).toMatch(/^x+…x+$/);
});

test('a name that another begins with stays distinct from it', () => {
  const long = 'Regulatory T cells of the lymph node and of the blood of the patient';
  const cut = fittedNames([long, `${long} patient`], 120, size);
  expect(new Set(cut).size, cut.join(' | ')).toBe(2);
});

test('names have widths of their own, and on two lines too no two look alike', () => {
  const names = ['A', 'B'].map(
    (which) =>
      `Fibroblasts ${'of the very long tissue name '.repeat(3)}${which} and of all the others that follow`,
  );
  const cut = fittedNames(names, [100, 140], size);
  expect(textWidth(cut[0]!, size)).toBeLessThanOrEqual(100);
  expect(cut[0]).not.toBe(cut[1]);
  const lines = fittedLines(names, 140, size);
  expect(lines[0]!.join()).not.toBe(lines[1]!.join());
});
