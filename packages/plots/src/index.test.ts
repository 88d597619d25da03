import { expect, test } from 'vitest';
import * as figures from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(figures).sort()).toEqual([
    'figureResolutions',
    'FigureInputError',
    'categoryColours',
    'categoryUmapFigure',
    'cellTypePalette',
    'chartPixels',
    'colourOfCategory',
    'dotPlotFigure',
    'enrichmentBarFigure',
    'expressionRamp',
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
