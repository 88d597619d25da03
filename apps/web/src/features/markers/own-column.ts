import type { DatasetAnalysis } from '@cellfolio/contract';
import { groupChoices } from './group-choices.ts';

/** Prefix that distinguishes an annotation from a dataset column of the same name. */
const ownPrefix = 'own annotation ';
/** Prefix that distinguishes a column of obs from a metadata field of the same name. */
const obsPrefix = 'column of obs ';

export function ownColumn(name: string): string {
  return `${ownPrefix}${name}`;
}

export function obsColumn(name: string): string {
  return `${obsPrefix}${name}`;
}

export function columnOf(groupBy: string): string {
  const prefix = [ownPrefix, obsPrefix].find((one) => groupBy.startsWith(one));
  return prefix === undefined ? groupBy : groupBy.slice(prefix.length);
}

export function isGroupColumn(dataset: DatasetAnalysis, groupBy: string): boolean {
  return columnOf(groupBy) !== groupBy || groupChoices(dataset).some(({ value }) => value === groupBy);
}
