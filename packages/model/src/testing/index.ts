export { noteDifferences } from './agreement.ts';
