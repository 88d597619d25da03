import { formOf, plainTitle } from './note-titles.ts';
import { isCellName, isGeneName } from './orientation.ts';

/** Headings of lists of genes and cells, as normalised by `plainTitle`. */
const titles =
  /^((gene|feature|transcript|target|ensembl|hgnc|mgi|external|official|entrez)(gene)?(s|ids?|names?|symbols?|shortname|types?|accession|version)?|symbols?|accession|genesymbolid|(cell|barcode|sample|spot|bead|obs|var|droplet)s?(ids?|names?|barcodes?|index)|barcodes?|celltype|biotype|rownames?|unnamed\d*)$/;
/** Words that may also be names: R calls columns `V1` and `x`, pandas `0`. */
const unclearTitles = /^(0|v\d|x\d?|names?|ids?|index|cells?|samples?|spots?|beads?|obs|var|cb)$/;
const looked = 2000;
const numberOrMissing = /^([+-]?\d+(\.\d+)?([eE][+-]?\d+)?|na|nan|)$/i;

/**
 * Role of the first line of a list of genes or cells. `unlike`: it resembles none of the other names, so it is a
 * heading if there is one line more than names.
 */
export type FirstLine = 'titles' | 'unlike' | 'names';

export function firstLineOf([first = [''], ...rows]: readonly (readonly string[])[]): FirstLine {
  const sample = rows.slice(0, looked);
  const [name = '', second = ''] = first;
  const plain = plainTitle(name);
  const names = sample.map(([other = '']) => other);
  if (titles.test(plain) || (unclearTitles.test(plain) && !isOneOf(name, names))) return 'titles';
  if (isCellName(name) || isGeneName(name) || isGeneName(second)) return 'names';
  const namesNumbers = first.some(
    (field, column) =>
      column > 0 &&
      !numberOrMissing.test(field) &&
      sample.some((row) => /\d/.test(row[column] ?? '')) &&
      sample.every((row) => numberOrMissing.test(row[column] ?? '')),
  );
  if (namesNumbers) return 'titles';
  return names.some((other) => formOf(other) === formOf(name)) ? 'names' : 'unlike';
}

/** Whether a word resembles most of the others, or belongs to a numbered series: `V1`, `V2`. */
function isOneOf(name: string, others: readonly string[]): boolean {
  const stem = (text: string) => text.replace(/\d+$/, '');
  const alike = others.filter((other) => formOf(other) === formOf(name));
  return (
    2 * alike.length > others.length ||
    alike.some((other) => stem(other) === stem(name) && stem(name) !== name)
  );
}
