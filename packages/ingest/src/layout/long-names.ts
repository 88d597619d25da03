import {
  countText,
  maxNameLength,
  maxGeneNameCharacters,
  quotedHead,
  stringAt,
  type Column,
  type PackedStrings,
  maxFields,
  maxListedCharacters,
  type CategoricalColumn,
  type Caution,
  type Table,
  listedNames,
  pluralWord,
} from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const maxBytes = 3;

export function longRow({ offsets, bytes }: PackedStrings, missing?: Uint8Array): number | undefined {
  for (let row = 0; row + 1 < offsets.length; row++) {
    const size = offsets[row + 1]! - offsets[row]!;
    if (size <= maxNameLength || missing?.[row] === 1) continue;
    if (size > maxBytes * maxNameLength || stringAt({ offsets, bytes }, row).length > maxNameLength)
      return row;
  }
  return undefined;
}

export function longLabel(column: Column): string | undefined {
  if (column.kind === 'categorical') return column.categories.find((label) => label.length > maxNameLength);
  if (column.kind !== 'string') return undefined;
  const row = longRow(column.strings, column.missing);
  return row === undefined ? undefined : stringAt(column.strings, row);
}

export function longText(name: string): string {
  return `${countText(name.length)} characters (${quotedHead(name)}), and ${maxNameLength} are the most that a name may have`;
}

/**
 * Throws H5adError `long-name` if a row of `part` has a name of over 500 characters: truncated it might equal another
 * row's name, and whole it fits into no response and no figure.
 */
export function assertShortNames(
  path: string,
  part: string,
  names: PackedStrings,
  missing?: Uint8Array,
): void {
  const row = longRow(names, missing);
  if (row === undefined) return;
  throw new H5adError({
    code: 'long-name',
    path,
    part,
    problem: `row ${row + 1} has a name of ${longText(stringAt(names, row))}.`,
    hint: 'Shorten such names and write the file again.',
  });
}

/** Throws H5adError `too-large` if the gene names are in total too long to be sent to a client. */
export function assertListable(path: string, part: string, names: readonly string[]): void {
  const characters = names.reduce((sum, { length }) => sum + length, 0);
  if (characters <= maxGeneNameCharacters) return;
  throw new H5adError({
    code: 'too-large',
    path,
    part,
    problem: `the names of its ${countText(names.length)} genes have ${countText(characters)} characters together, and ${countText(maxGeneNameCharacters)} are the most.`,
    hint: 'Keep the genes that are needed, under their symbols or ids, and write the file again.',
  });
}

const maxExamples = 5;
const maxExampleLength = 60;

export function longLabelCaution(obs: Table): Caution[] {
  const long = [...obs.columns].flatMap(([name, column]) => {
    const label = longLabel(column);
    return label === undefined ? [] : [{ name, label }];
  });
  const [first] = long;
  if (first === undefined) return [];
  const names = listedNames(
    long.map(({ name }) => `obs/${name}`),
    maxExamples,
    maxExampleLength,
  );
  return [
    {
      code: 'long-labels',
      message: `No groups of cells are made of ${names}: ${pluralWord(long.length, 'it holds', 'they hold')} texts of over ${maxNameLength} characters, such as ${quotedHead(first.label)}. The values are kept whole. Shorten them where they are names of groups.`,
      numbers: { columns: long.length, characters: first.label.length },
    },
  ];
}

export function leftOutCaution(names: readonly string[]): Caution[] {
  if (names.length === 0) return [];
  return [
    {
      code: 'metadata-left-out',
      message: `${countText(names.length)} columns are not offered as metadata, since ${maxFields} fields, or ${countText(maxListedCharacters)} characters of labels, are the most: ${listedNames(
        names.map((name) => `obs/${name}`),
        maxExamples,
        maxExampleLength,
      )}. Name the columns that are needed, or remove others.`,
      numbers: { columns: names.length },
    },
  ];
}

/** Whether the labels of one more column fit, in addition to those of earlier columns. */
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
