import type { MapColumnList } from '@cellfolio/contract';
import { noSplit } from '@/features/map/index.ts';

type ObsColumn = MapColumnList['obs'][number];

/** What people call the columns of what they compare, the likeliest first. */
const conditionNames = [/treat|condition|stimul|perturb/i, /respon|status|arm$|time.?point|visit/i];
const rankOf = ({ name }: ObsColumn) => conditionNames.findIndex((one) => one.test(name));

/** The column that a figure is most likely to be split by: called like a condition, and of few categories. */
export function conditionColumn(columns: readonly ObsColumn[]): ObsColumn | undefined {
  return columns
    .filter((column) => column.role === undefined && noSplit(column) === undefined && rankOf(column) >= 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.categories ?? 0) - (b.categories ?? 0))[0];
}
