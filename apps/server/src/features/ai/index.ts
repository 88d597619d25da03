export { analyzeImage } from './analyze-image.ts';
export type { ServerFigures, ServerImage } from './image-source.ts';
