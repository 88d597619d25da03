export { MapColumns } from './map-columns.ts';
