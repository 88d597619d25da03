import {
  countText,
  cutText,
  maxNameLength,
  maxFields,
  maxListedCharacters,
  quotedHead,
  type CategoricalColumn,
  type Caution,
  type Table,
} from '@cellfolio/model';
import { longLabel } from '../layout/long-names.ts';

const MOST_EXAMPLES = 5;
const LONGEST_EXAMPLE = 60;

/** The columns of obs whose texts are too long to be names of groups, which is why nothing offers them. */
export function longLabelCaution(obs: Table): Caution[] {
  const long = [...obs.columns].flatMap(([name, column]) => {
    const label = longLabel(column);
    return label === undefined ? [] : [{ name, label }];
  });
  const [first] = long;
  if (first === undefined) return [];
  const names = listedColumns(long.map(({ name }) => name));
  return [
    {
      code: 'long-labels',
      message: `No groups of cells are made of ${names}: ${long.length === 1 ? 'it holds' : 'they hold'} texts of over ${maxNameLength} characters, such as ${quotedHead(first.label)}. The values are kept whole. Shorten them where they are names of groups.`,
      numbers: { columns: long.length, characters: first.label.length },
    },
  ];
}

/** Metadata whose labels would make answers too large. */
export function leftOutCaution(names: readonly string[]): Caution[] {
  if (names.length === 0) return [];
  return [
    {
      code: 'metadata-left-out',
      message: `${countText(names.length)} columns are not offered as metadata, since ${maxFields} fields, or ${countText(maxListedCharacters)} characters of labels, are the most: ${listedColumns(names)}. Name the columns that are needed, or remove others.`,
      numbers: { columns: names.length },
    },
  ];
}

/** Whether the labels of one more column fit beside those of the columns before. */
export function labelBudget(): (name: string, column: CategoricalColumn) => boolean {
  let left = maxListedCharacters;
  let fields = 0;
  return (name, { categories }) => {
    const size = categories.reduce((sum, { length }) => sum + length, name.length);
    if (size > left || fields === maxFields) return false;
    left -= size;
    fields++;
    return true;
  };
}

function listedColumns(names: readonly string[]): string {
  const shown = names.slice(0, MOST_EXAMPLES).map((name) => `obs/${cutText(name, LONGEST_EXAMPLE)}`);
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
