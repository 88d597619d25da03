export { termCalled } from './search-terms.ts';
export { termTable } from './term-table.ts';
