export { Annotations } from './annotations.ts';
