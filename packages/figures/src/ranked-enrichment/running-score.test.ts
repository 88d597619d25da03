import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import { FigureInputError } from '../drawing/checked-input.ts';
import { renderPng, renderSvg } from '../drawing/render-figure.ts';
import type { VectorMark } from '../drawing/scene/scene.ts';
import { hostileNames } from '../mixture.test-data.ts';
import { rankedEnrichment } from './ranked-sets.test-data.ts';
import { numbersOf, summariseFigure } from '../all-words.ts';
import { runningScoreFigure } from './running-score.ts';
import { runningScoreDrawing } from './running-score-scene.ts';

const datasetName = 'Lung';
const input = rankedEnrichment(5000);
const wordsOf = (spec: object) => summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);

describe('running score', () => {
  test('the line reaches from the lowest to the highest score, and has a mark for each gene of the set', () => {
    for (const isNegative of [false, true]) {
      const { spec } = runningScoreFigure({ ...rankedEnrichment(5000, isNegative), datasetName });
      const { marks, panel } = runningScoreDrawing.scene(spec);
      const line = marks.find((mark) => mark.kind === 'area')!;
      const [top, bottom] = [Math.min(...line.tops), Math.max(...line.bottoms)];
      expect(top).toBeGreaterThanOrEqual(panel.y);
      expect(bottom).toBeLessThanOrEqual(panel.y + panel.height);
      // A twentieth of the panel is left free on both sides.
      expect(bottom - top).toBeGreaterThan(0.88 * panel.height);
      const ticks = marks.filter(
        (mark: VectorMark) =>
          mark.kind === 'rectangle' && mark.width === 1 && mark.height === 26 && mark.y > panel.y,
      );
      expect(ticks).toHaveLength(spec.setSize);
    }
  });

  test('words name scores, a p of 0 as what it is below, and the leading edge', () => {
    const words = wordsOf(runningScoreFigure({ ...input, datasetName }).spec);
    expect(words).toContain('over 5,000 ranked genes');
    expect(words).toContain('FDR q < 0.001, FWER p 0.002');
    expect(words).toMatch(/Leading edge, \d+ genes: GENE0?\d+, .* and others\./);
  });

  test('hostile names stay text in SVG', async () => {
    for (const term of hostileNames) {
      const svg = await renderSvg(
        runningScoreFigure({ ...input, curve: { ...input.curve!, term }, ranking: term, datasetName: term }),
      );
      expect(() => new Resvg(svg)).not.toThrow();
      expect(svg).not.toContain('<script');
    }
  });

  test('any size is drawn, and a small one says what to do', async () => {
    const figure = runningScoreFigure({ ...input, datasetName });
    for (const [width, height] of [
      [800, 500],
      [300, 200],
      [120, 90],
    ] as const) {
      const { png } = await renderPng(figure, { view: { width, height, ratio: 1 } });
      expect(png.length).toBeGreaterThan(100);
    }
    const { spec } = runningScoreDrawing.fit(figure.spec, { width: 120, height: 90 });
    expect(spec.fitted?.instead).toContain('Enlarge');
  });

  test('without a set there is no figure', () => {
    expect(() => runningScoreFigure({ ...input, curve: null, datasetName })).toThrow(FigureInputError);
  });
});
