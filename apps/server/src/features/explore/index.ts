export { FigureInputs } from './figure-inputs.ts';
export { base64Of, FigureService, printPixels } from './figures.ts';
export { ownFigures } from './own-figures.ts';
