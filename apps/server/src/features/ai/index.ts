export { analyzeImage } from './analyze-image.ts';
export type { OwnFigures, OwnImage } from './image-source.ts';
