import { expect, test } from 'vitest';
import * as figures from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(figures).sort()).toEqual([
    'FigureInputError',
    'categoryColours',
    'categoryUmapFigure',
    'cellTypePalette',
    'chartPixels',
    'dotPlotFigure',
    'enrichmentBarFigure',
    'expressionRamp',
    'figureResolutions',
    'geneUmapFigure',
    'geneViolinFigure',
    'highlightUmapFigure',
    'meanRamp',
    'plotFigure',
    'recognisedCellType',
    'renderPng',
    'renderSvg',
    'scoreRamp',
    'scoreUmapFigure',
    'scoreViolinFigure',
  ]);
});
