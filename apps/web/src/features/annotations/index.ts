export { useAnnotationAction, useAnnotations } from './annotation-calls.ts';
export { AnnotationsPanel } from './annotations-panel.tsx';
export { LabelSelection } from './label-selection.tsx';
