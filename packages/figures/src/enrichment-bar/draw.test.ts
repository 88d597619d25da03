import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { RectangleMark, TextMark } from '../drawing/scene/scene.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { adjustedScores } from '../drawing/adjusted-scores.ts';
import { bestTerms, figure as enrichmentBar, maxTerms, type PathwayInput, type Spec } from './draw.ts';
import type { PathwayTerm } from '@cellfolio/analyses';
import { notSignificant, significant } from '../drawing/scene/style.ts';

const common = {
  title: 'Gene set enrichment',
  subtitle: 'Hallmark (starter, abridged)',
};

const figureOf = (input: PathwayInput, datasetName = 'Lung') =>
  enrichmentBar.draw(bestTerms(input), { datasetName });
const { drawing } = figureOf({ ...common, terms: [] });

function termOf(term: string, adjustedP: number, rest: Partial<PathwayTerm> = {}): PathwayTerm {
  return { term, adjustedP, overlap: '3/40', ...rest };
}

const specOf = (terms: readonly PathwayTerm[], rest: Partial<PathwayInput> = {}) =>
  figureOf({ ...common, terms, ...rest }).spec;

const barsOf = (spec: Spec): RectangleMark[] =>
  drawing
    .scene(spec)
    .marks.filter(
      (mark): mark is RectangleMark =>
        mark.kind === 'rectangle' && (mark.colour === significant || mark.colour === notSignificant),
    );

const textsOf = (spec: Spec): TextMark[] =>
  drawing.scene(spec).marks.filter((mark): mark is TextMark => mark.kind === 'text');

test('the ten terms of the smallest adjusted p are drawn, the best on top', () => {
  const terms = Array.from({ length: 40 }, (_, i) => termOf(`t${i}`, ((i * 7) % 40) / 40 + 0.001));
  const spec = specOf(terms);
  expect(spec.terms).toHaveLength(10);
  const ps = spec.terms.map((term) => term.adjustedP);
  expect(ps).toEqual(
    terms
      .map((term) => term.adjustedP)
      .sort((a, b) => a - b)
      .slice(0, 10),
  );
  expect(spec.summary).toBe('2 of 40 terms have an adjusted p ≤ 0.05');
  const names = textsOf(spec).filter((mark) => /^t\d+$/.test(mark.text));
  expect(names.map((mark) => mark.text)).toEqual(spec.terms.map((term) => term.term));
  expect(names.map((mark) => mark.y)).toEqual(names.map((mark) => mark.y).sort((a, b) => a - b));
});

test('equal p are in the order of their combined score, an infinite one first', () => {
  const spec = specOf([
    termOf('none', 0.01),
    termOf('low', 0.01, { combinedScore: 3 }),
    termOf('infinite', 0.01, { combinedScore: Infinity }),
    termOf('high', 0.01, { combinedScore: 300 }),
  ]);
  expect(spec.terms.map((term) => term.term)).toEqual(['infinite', 'high', 'low', 'none']);
  expect(spec.terms.map((term) => term.combinedScore)).toEqual([null, 300, 3, null]);
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
});

test('bars are as long as their scores, and those up to the threshold have its colour', () => {
  const spec = specOf([
    termOf('a', 1e-8),
    termOf('b', 1e-4),
    termOf('c', 0.05),
    termOf('d', 0.0501),
    termOf('e', 1),
  ]);
  const bars = barsOf(spec);
  // A p of 1 has no bar.
  expect(bars.map((bar) => bar.colour)).toEqual([significant, significant, significant, notSignificant]);
  expect(bars[1]!.width).toBeCloseTo(bars[0]!.width / 2, 6);
});

test('p of 0 and of 1 are drawn together within the figure', () => {
  const spec = specOf([termOf('zero', 0), termOf('far', 0, { logP: -3000 }), termOf('one', 1)]);
  expect(spec.terms.map((term) => term.term)).toEqual(['far', 'zero', 'one']);
  const { panel } = drawing.scene(spec);
  for (const bar of barsOf(spec)) {
    expect(bar.x + bar.width).toBeLessThanOrEqual(panel.x + panel.width + 1e-9);
  }
});

test.each([
  ['all significant', [1e-9, 1e-7, 0.001]],
  ['some around the threshold', [1e-4, 0.049, 0.06, 0.2, 0.9, 1]],
  ['none significant', [0.06, 0.5, 1]],
])('the threshold is named above its line, and overlaps have a column of their own: %s', (_, ps) => {
  const spec = specOf(ps.map((p, i) => termOf(`t${i}`, p, { overlap: `${i}1/200` })));
  const { panel, width } = drawing.scene(spec);
  const end = panel.x + panel.width;
  const name = textsOf(spec).find((mark) => mark.text === 'adjusted p = 0.05')!;
  const half = textWidth(name.text, name.size) / 2;
  expect(name.x - half).toBeGreaterThanOrEqual(panel.x);
  expect(name.x + half).toBeLessThanOrEqual(end);
  const overlaps = textsOf(spec).filter((text) => /^\d1\/200$/.test(text.text));
  expect(overlaps).toHaveLength(ps.length);
  for (const { x, text, size } of overlaps) {
    expect(x - textWidth(text, size)).toBeGreaterThan(end);
    expect(x).toBeLessThanOrEqual(width - 10);
  }
});

test('in a page names are without the beginning that all of them share', () => {
  const spec = specOf(
    ['HALLMARK_HYPOXIA', 'HALLMARK_APOPTOSIS'].map((term, i) => termOf(term, 0.01 * (i + 1))),
  );
  const names = (of: Spec) => textsOf(of).flatMap(({ text }) => (/HYP|APO/.test(text) ? [text] : []));
  expect(names(spec)).toEqual(['HALLMARK_HYPOXIA', 'HALLMARK_APOPTOSIS']);
  expect(names(drawing.fit(spec, { width: 500, height: 300 }).spec)).toEqual(['…HYPOXIA', '…APOPTOSIS']);
});

test('no term makes a sentence, and no empty axes', async () => {
  const figure = figureOf({ ...common, terms: [], termCount: 50 });
  const svg = await renderSvg(figure);
  expect(svg).toContain('No gene set of this library shares a gene');
  expect(svg).not.toContain('adjusted p =');
  expect(figure.spec.summary).toBe('0 of 50 terms have an adjusted p ≤ 0.05');
});

test('a long term is on as many lines as it needs, and one without a break is whole in the title of its SVG element', async () => {
  const long =
    'Positive regulation of transcription by polymerase II in response to stress of the reticulum (GO:1)';
  const figure = figureOf({
    ...common,
    terms: [termOf(long, 0.01), termOf('y'.repeat(200), 0.02)],
  });
  const svg = await renderSvg(figure);
  const lines = textsOf(figure.spec).filter(({ anchor }) => anchor === 'end');
  expect(lines.map(({ text }) => text).join(' ')).toContain(long);
  expect(svg).toContain(`<title>${'y'.repeat(200)}</title>`);
  for (const mark of textsOf(figure.spec)) {
    const width = textWidth(mark.text, mark.size, mark.style);
    expect(
      mark.x - (mark.anchor === 'end' ? width : mark.anchor === 'middle' ? width / 2 : 0),
    ).toBeGreaterThan(8);
  }
});

test('hostile names make sound SVG without markup of their own', async () => {
  const figure = figureOf(
    {
      terms: hostileNames.map((name, i) => termOf(name, 0.001 * (i + 1), { overlap: name })),
      title: '</title><x>',
      subtitle: '<i>&"\u0000',
      top: 50,
    },
    "<b>'",
  );
  const svg = await renderSvg(figure);
  expect(svg).not.toMatch(/<script|<i>|<x>|<b>/);
  // eslint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
  expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(600);
});

test('bars drawn from their spec as JSON are the same to the byte, at both resolutions', async () => {
  const figure = figureOf({ ...common, terms: [termOf('a', 1e-6), termOf('b', 0.3)] });
  const again = { ...figure, spec: JSON.parse(JSON.stringify(figure.spec)) } as typeof figure;
  for (const [resolution, width] of [
    ['screen', 1200],
    ['print', 2160],
  ] as const) {
    const [one, two] = [await renderPng(figure, { resolution }), await renderPng(again, { resolution })];
    expect(Buffer.compare(one.png, two.png)).toBe(0);
    expect(PNG.sync.read(Buffer.from(one.png)).width).toBe(width);
  }
});

test('more bars than a figure holds are cut', () => {
  const terms = Array.from({ length: 80 }, (_, i) => termOf(`t${i}`, 0.01));
  expect(specOf(terms, { top: 80 }).terms).toHaveLength(maxTerms);
});

test.each([
  ['terms', { terms: [termOf('x', 1.5)] }],
  ['terms', { terms: [termOf('x', NaN)] }],
  ['terms', { terms: [termOf('x', 0, { logP: 2 })] }],
  ['terms', { terms: [termOf('x', 0, { logP: NaN })] }],
  ['top', { top: 0 }],
  ['threshold', { threshold: 0 }],
  ['termCount', { termCount: 1 }],
])('a wrong %s is named in the error', (field, wrong) => {
  const make = () => figureOf({ ...common, terms: [termOf('a', 0.1), termOf('b', 0.2)], ...wrong });
  expect(make).toThrow(FigureInputError);
  expect(make).toThrow(expect.objectContaining({ tag: 'figure-input', field }));
});

test('a score is minus the decimal logarithm of the adjusted p', () => {
  const [ten, one, tiny] = adjustedScores([{ adjustedP: 0.1 }, { adjustedP: 1 }, { adjustedP: 1e-300 }], 3);
  expect(ten).toBeCloseTo(1, 12);
  expect(Object.is(one, 0)).toBe(true);
  expect(tiny).toBeCloseTo(300, 9);
});

test('p that underflow are adjusted as Benjamini and Hochberg have it, in logarithms', () => {
  const terms = [-400, -390, -389.9].map((exponent) => ({ adjustedP: 0, logP: exponent * Math.LN10 }));
  const scores = adjustedScores(terms, 300);
  // Rank 1: 1e-400 * 300; rank 2: 1e-390 * 150, but no more than rank 3: 10 ** -389.9 * 100.
  expect(scores[0]).toBeCloseTo(400 - Math.log10(300), 9);
  expect(scores[1]).toBeCloseTo(Math.max(390 - Math.log10(150), 389.9 - 2), 9);
  expect(scores[2]).toBeCloseTo(387.9, 9);
});

test('of two p the greater never scores more, however close', () => {
  const terms = Array.from({ length: 40 }, (_, i) => ({ adjustedP: 0, logP: -900 + 0.01 * i }));
  const scores = adjustedScores(terms.toReversed(), 40).toReversed();
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('the same rule on p that do not underflow gives the adjusted p themselves', () => {
  const p = [1e-20, 3e-19, 4e-19, 1e-5, 0.2];
  const adjusted = p.map((_, i) =>
    Math.min(1, ...p.slice(i).map((value, k) => (value * p.length) / (i + k + 1))),
  );
  const baseScores = adjustedScores(
    adjusted.map((adjustedP) => ({ adjustedP })),
    p.length,
  );
  // All p a 1e-300th of these: the first three underflow, and lie 300 higher.
  const shifted = p.slice(0, 3).map((value) => ({ adjustedP: 0, logP: Math.log(value) - 300 * Math.LN10 }));
  const scores = adjustedScores(shifted, p.length);
  scores.forEach((score, i) => expect(score).toBeCloseTo(baseScores[i]! + 300, 9));
});

test('an adjusted p of 0 without its logarithm scores what is left of it', () => {
  expect(adjustedScores([{ adjustedP: 0 }], 1)[0]).toBeCloseTo(307.65, 2);
  expect(adjustedScores([{ adjustedP: 0, logP: -Infinity }], 1)[0]).toBeCloseTo(307.65, 2);
});
