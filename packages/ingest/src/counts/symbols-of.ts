import { unpackStrings, type Table } from '@cellfolio/model';

/** The symbol of each gene; its name where the column of symbols has none. */
export function symbolsOf({ columns, index }: Table, column: string | undefined): string[] {
  const names = unpackStrings(index);
  const symbols = column === undefined ? undefined : columns.get(column);
  if (symbols === undefined) return names;
  if (symbols.kind === 'string')
    return unpackStrings(symbols.strings).map((symbol, gene) => symbol || names[gene]!);
  if (symbols.kind === 'categorical')
    return names.map((name, gene) => symbols.categories[symbols.codes[gene]!] || name);
  return names;
}
