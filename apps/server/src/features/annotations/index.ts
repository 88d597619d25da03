export { AnnotationColumns } from './annotation-columns.ts';
export { Annotations } from './annotations.ts';
