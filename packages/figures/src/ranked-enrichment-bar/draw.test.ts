import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { renderSvg } from '../drawing/render-figure.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { rankedEnrichment } from '../ranked-enrichment/ranked-sets.test-data.ts';
import type { RankedEnrichmentInput } from '../ranked-enrichment/ranked-sets.ts';
import { bestSets, figure } from './draw.ts';

const input = rankedEnrichment(5000);
const figureOf = (ranked: RankedEnrichmentInput, datasetName = 'Lung') =>
  figure.draw(bestSets(ranked), { datasetName });
const wordsOf = (spec: object) => summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);

test('the most significant sets of each side stand by falling score', () => {
  const { spec } = figureOf(input);
  const scores = spec.sets.map(({ nes }) => nes);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.filter((nes) => nes > 0)).toHaveLength(10);
  expect(scores.filter((nes) => nes < 0)).toHaveLength(10);
  const left = input.sets.filter(({ nes, term }) => nes > 0 && !spec.sets.some((set) => set.term === term));
  const greatest = Math.max(...spec.sets.filter(({ nes }) => nes > 0).map(({ fdr }) => fdr!));
  expect(Math.min(...left.map(({ fdr }) => fdr))).toBeGreaterThanOrEqual(greatest);
  expect(wordsOf(spec)).toContain(`${input.significant.top} are at the top (higher in treated)`);
});

test('without sets it says so', () => {
  const { spec } = figureOf({
    ...input,
    sets: [],
    tested: 0,
    significant: { top: 0, end: 0 },
    curve: null,
  });
  expect(wordsOf(spec)).toContain('No set of the library has the chosen number of ranked genes');
});

test('hostile names stay text in SVG', async () => {
  const sets = hostileNames.map((term, i) => ({ ...input.sets[i % 5]!, term }));
  const svg = await renderSvg(figureOf({ ...input, sets }, hostileNames[0]));
  expect(() => new Resvg(svg)).not.toThrow();
  expect(svg).not.toContain('<script');
});

test('a bar goes from 0 to its score, and the legend names the colours that are drawn', () => {
  const { spec, drawing } = figureOf({ ...input, sets: input.sets.filter(({ nes }) => nes < 0) });
  const { marks, panel } = drawing.scene(spec);
  const bars = marks.filter((mark) => mark.kind === 'rectangle').filter(({ width }) => width > 1);
  const ends = new Set(bars.map(({ x, width }) => Math.round(x + width)));
  expect(ends).toEqual(new Set([Math.round(panel.x + panel.width)]));
  expect(bars).toHaveLength(spec.sets.length);
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts).toContain('higher in control');
  expect(texts).toContain('Colored: FDR q ≤ 0.05');
  expect(texts).not.toContain('higher in treated');
});
