export { ExplorerLinks } from './explorer-links.ts';
export { FigureInputs } from './figure-inputs.ts';
export { FigureService, base64Of, printPixels } from './figure-service.ts';
export { GenePlots } from './gene-plots.ts';
export { IsolatedCellTypes } from './isolated-cell-types.ts';
export { ownFigures } from './own-figures.ts';
export { ScorePlots } from './score-plots.ts';
