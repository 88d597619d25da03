import type { DatasetAnalysis } from '@cellfolio/contract';
import { groupChoices } from './group-choices.ts';

/** An annotation may be called like a column of the dataset, so that forms tell them apart. */
const ownPrefix = 'own annotation ';
/** So may a field of the metadata and another column of obs. */
const obsPrefix = 'column of obs ';

/** The value of an annotation of one's own among the columns of a form. */
export function ownColumn(name: string): string {
  return `${ownPrefix}${name}`;
}

/** The value of a column of obs that is no part and no metadata. */
export function obsColumn(name: string): string {
  return `${obsPrefix}${name}`;
}

/** The name of a chosen column in calls. */
export function columnOf(groupBy: string): string {
  const prefix = [ownPrefix, obsPrefix].find((one) => groupBy.startsWith(one));
  return prefix === undefined ? groupBy : groupBy.slice(prefix.length);
}

/** Whether a column is chosen that cells can be grouped by. */
export function isGroupColumn(dataset: DatasetAnalysis, groupBy: string): boolean {
  return columnOf(groupBy) !== groupBy || groupChoices(dataset).some(({ value }) => value === groupBy);
}
