export { ExplorerLinks } from './explorer-links.ts';
export { FigureInputs, FigureService, base64Of, printPixels, ownFigures } from './figures.ts';
