export { ExampleQuestions } from './example-questions.tsx';
export { ExplorerTour } from './explorer-tour.tsx';
export { useTour } from './use-tour.ts';
