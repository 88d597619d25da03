export { type AnnotationFile, annotationFiles } from './annotation-files.ts';
export { AnnotationColumns } from './annotation-columns.ts';
export { Annotations } from './annotations.ts';
export { LinkLabels } from './link-labels.ts';
export { NumberColumns } from './number-columns.ts';
