export { termTable } from './term-table.ts';
