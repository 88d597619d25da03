import type { DatasetAnalysis } from '@cellfolio/contract';
import { groupChoices } from './group-choices.ts';

/** An annotation may be called like a column of the dataset, so that forms tell them apart. */
const ownPrefix = 'own annotation ';

/** The value of an annotation of one's own among the columns of a form. */
export function ownColumn(name: string): string {
  return `${ownPrefix}${name}`;
}

/** The name of a chosen column in calls. */
export function columnOf(groupBy: string): string {
  return groupBy.startsWith(ownPrefix) ? groupBy.slice(ownPrefix.length) : groupBy;
}

/** Whether a column is chosen that cells can be grouped by. */
export function isGroupColumn(dataset: DatasetAnalysis, groupBy: string): boolean {
  return groupBy.startsWith(ownPrefix) || groupChoices(dataset).some(({ value }) => value === groupBy);
}
