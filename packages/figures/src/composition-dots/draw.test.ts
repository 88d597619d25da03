import { expect, test } from 'vitest';
import { simulatedComposition } from '../composition.test-data.ts';
import type { Figure } from '../drawing/figure.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import { box, overlap } from '../drawing/scene/text-box.test-data.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { plotFigure } from '../all-plots.ts';
import type { InputValues } from '../plot.ts';
import type { Spec } from './draw.ts';

function figureOf(composition: InputValues['composition']): Figure<Spec> {
  return plotFigure(
    { kind: 'composition-dots' },
    { composition },
    { datasetName: 'Lung' },
  ) as unknown as Figure<Spec>;
}

const plain = simulatedComposition(4, 8);
const cases: Readonly<Record<string, InputValues['composition']>> = {
  plain,
  paired: simulatedComposition(3, 4, true),
  many: simulatedComposition(100, 60),
  hostile: {
    ...plain,
    a: '</title><x>',
    b: '<i>&"\u0000',
    groupTitle: hostileNames[0]!,
    categories: plain.categories.map((category, at) => ({ ...category, name: hostileNames[at]! })),
  },
};

test.each(Object.keys(cases))('the dots of %s have texts that neither touch nor leave the figure', (name) => {
  const { spec, drawing } = figureOf(cases[name]!);
  const fitted = drawing.fit(spec, { width: 340, height: 260 }).spec;
  for (const one of [spec, fitted] as const) {
    const { marks, width, height } = drawing.scene(one);
    const texts = marks.filter((mark) => mark.kind === 'text');
    const boxes = texts.map(box);
    const outside = texts.filter((_, i) => {
      const { x, y, width: across, height: up } = boxes[i]!;
      return x < 2 || y < 2 || x + across > width - 2 || y + up > height - 2;
    });
    const touching = texts.flatMap((text, i) =>
      texts.filter((_, j) => j < i && overlap(boxes[i]!, boxes[j]!)).map((other) => [text.text, other.text]),
    );
    expect({ outside, touching }).toEqual({ outside: [], touching: [] });
  }
});

test('hostile names make sound SVG without markup of their own', async () => {
  const svg = await renderSvg(figureOf(cases['hostile']!));
  expect(svg).not.toMatch(/NaN|<script|<i>|<x>/);
});

test('each sample is a dot at its share, each side has its mean, and pairs are joined', () => {
  const { spec, drawing } = figureOf(cases['paired']!);
  const { marks } = drawing.scene(spec);
  expect(marks.filter(({ kind }) => kind === 'dot')).toHaveLength(4 * 6 + 2);
  expect(spec.pairs).toEqual([
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
  for (const { shares, means } of spec.groups) {
    expect(means.a).toBeCloseTo((shares[0]! + shares[1]! + shares[2]!) / 3, 12);
    expect(means.b).toBeCloseTo((shares[3]! + shares[4]! + shares[5]!) / 3, 12);
  }
});

test('its words say which categories differ, by how much, and of many the first are drawn', () => {
  const { spec } = figureOf(plain);
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(words).toContain(`the shares of 8 categories of Cell type in`);
  expect(words).toMatch(/By p-value: .+ \([\d.]+ % against [\d.]+ %, log odds −?[\d.]+, adjusted p/);
  const many = figureOf(cases['many']!).spec;
  expect([many.groups.length, many.groupCount]).toEqual([40, 60]);
  expect(many.summary).toContain('the 40 of the smallest p-values');
});

test('a quarter of a page says how many categories fit, in type that can be read, dark as well', async () => {
  const figure = figureOf(cases['many']!);
  const view = { width: 340, height: 260, ratio: 1, theme: 'dark' } as const;
  expect(figure.drawing.fit(figure.spec, view).spec.fitted?.leftOut).toMatch(/^\d+ of 40 categories$/);
  const svg = await renderSvg(figure, view);
  const sizes = Array.from(svg.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  const { width, height } = await renderPng(figure, { view });
  expect([width, height]).toEqual([340, 260]);
});

test.each([
  ['samples', { samples: plain.samples.slice(0, 1) }],
  ['categories', { categories: [{ name: 'x', shares: [2, 0], effect: 0, adjustedP: 1 }] }],
])('wrong %s are named in the error', (field, wrong) => {
  const make = () => figureOf({ ...plain, ...wrong } as InputValues['composition']);
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ field }));
});

test('a caution of the result with a name that reorders text is plain in the words', () => {
  const cautions = [{ code: 'rare-categories', message: 'Few cells of \u202eB\u0000 cells.' }] as const;
  const { words } = figureOf({ ...plain, cautions } as InputValues['composition']).spec;
  expect(words!.cautions[0]).toBe('Few cells of B cells.');
});
