export { SamplesField } from './samples-field.tsx';
export { comparedView } from './view.ts';
