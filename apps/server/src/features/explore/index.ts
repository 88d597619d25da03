export { FigureInputs } from './figure-inputs.ts';
export { figureFields, FigureService } from './figures.ts';
export { ownFigures } from './own-figures.ts';
