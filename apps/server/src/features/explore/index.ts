export { FigureInputs } from './figure-inputs.ts';
export { figureFields, FigureService } from './figures.ts';
export { serverFigures } from './own-figures.ts';
