export { analyzeImage } from './analyze-image.ts';
export type { ServerFigures, ServerImage } from './image-source.ts';

export type { ModelFault } from './language-model.ts';

// An installation without a model does not load the clients of models, which take time and memory to start.
export const loadLanguageModel = () => import('./language-model.ts');
