import { maxNameLength, quotedHead } from '@cellfolio/model';

/** Maximum samples: limit of what a legend can distinguish and quality control reads. */
export const maxSamples = 200;
export const maxSampleColumns = 50;
/** Columns of obs that processing writes. */
const reservedNames: ReadonlySet<string> = new Set([
  'leiden',
  'doublet_score',
  'predicted_doublet',
  'total_counts',
  'n_genes_by_counts',
  '_index',
]);

/** A table of samples is invalid; the message completes a sentence that begins with the table's name. */
export class SamplesTableRefused extends Error {
  override readonly name = 'SamplesTableRefused';
}

interface SampleRow {
  sample: string;
  /** Column `file` of a text table; empty if it has none. */
  file: string;
  /** Values of the further columns, such as `condition`; empty if missing. */
  values: ReadonlyMap<string, string>;
}

/**
 * Reads a table of samples, separated by tabs, commas or semicolons, with a header line: those of `needed` and any
 * further columns. Throws SamplesTableRefused that names the line and the column.
 */
export function parseSamplesTable(text: string, needed: readonly ('sample' | 'file')[]) {
  // What readers of files put in the place of all that is not UTF-8, so that names could become one.
  const unreadable = text.split('\n').findIndex((line) => line.includes('\uFFFD'));
  if (unreadable >= 0)
    throw new SamplesTableRefused(`line ${unreadable + 1} is not UTF-8; save the table as UTF-8`);
  const [titles = [], ...lines] = delimitedRows(text.replace(/^\uFEFF/, ''));
  for (const one of needed)
    if (!titles.includes(one))
      throw new SamplesTableRefused(
        `it has no column '${one}'; its columns are ${titles.slice(0, 20).map(quotedHeadOf).join(', ') || 'none'}`,
      );
  refuseTitles(titles);
  const columns = titles.filter((title) => title !== 'sample' && title !== 'file');
  const rows = lines.map((fields): SampleRow => {
    const valueOf = (title: string) => fields[titles.indexOf(title)] ?? '';
    return {
      sample: valueOf('sample'),
      file: valueOf('file'),
      values: new Map(columns.map((column) => [column, valueOf(column)])),
    };
  });
  for (const [at, row] of rows.entries())
    for (const one of needed)
      if (row[one] === '') throw new SamplesTableRefused(`line ${at + 2} has no ${one}`);
  refuseRows(rows, (at) => `line ${at + 2}`);
  return { columns, lines: rows };
}

/** Throws SamplesTableRefused for columns that obs cannot have. */
export function refuseTitles(titles: readonly string[]): void {
  for (const [at, title] of titles.entries()) {
    if (title === '') throw new SamplesTableRefused(`its column ${at + 1} has no title`);
    if (titles.indexOf(title) !== at) throw new SamplesTableRefused(`it has the column '${title}' twice`);
    if (
      title.length > maxNameLength ||
      title.includes('/') ||
      title.includes('\0') ||
      reservedNames.has(title)
    )
      throw new SamplesTableRefused(`a column cannot be called ${quotedHead(title)}`);
  }
  if (titles.length > maxSampleColumns)
    throw new SamplesTableRefused(`it has ${titles.length} columns, and ${maxSampleColumns} are the most`);
}

/**
 * Throws SamplesTableRefused if there are too few or too many samples, a repeated name, or a value that is too long.
 */
export function refuseRows(
  rows: readonly Pick<SampleRow, 'sample' | 'values'>[],
  nameOf: (at: number) => string,
): void {
  if (rows.length < 2) throw new SamplesTableRefused(`it lists ${rows.length} samples, and two are needed`);
  if (rows.length > maxSamples)
    throw new SamplesTableRefused(`it lists ${rows.length} samples, and ${maxSamples} are the most`);
  const seen = new Set<string>();
  for (const [at, { sample, values }] of rows.entries()) {
    if (sample !== '' && seen.has(sample))
      throw new SamplesTableRefused(
        `${nameOf(at)} repeats the sample '${sample}'; each needs a name of its own`,
      );
    seen.add(sample);
    for (const value of [sample, ...values.values()])
      if (value.length > maxNameLength)
        throw new SamplesTableRefused(
          `${nameOf(at)} has a value of ${value.length} characters (${quotedHead(value)})`,
        );
  }
}

function quotedHeadOf(title: string): string {
  return title.length > 100 ? quotedHead(title) : title;
}

/**
 * Rows of RFC 4180 with trimmed fields and without empty rows. Throws SamplesTableRefused for an unterminated quote.
 */
function delimitedRows(text: string): string[][] {
  const [titles = ''] = text.split(/\r?\n/, 1);
  const delimiter = ['\t', ',', ';'].find((one) => titles.includes(one)) ?? ',';
  const rows: string[][] = [[]];
  // Quoted, or up to the next delimiter; then what ends it.
  const field = new RegExp(
    `\\s*"((?:[^"]|"")*)"[^\\S\\r\\n${delimiter}]*(${delimiter}|\\r?\\n|$)|([^${delimiter}\\r\\n]*)(${delimiter}|\\r?\\n|$)`,
    'y',
  );
  for (let at = 0; at < text.length;) {
    field.lastIndex = at;
    const match = field.exec(text);
    const open = match?.[3]?.trimStart().startsWith('"') === true;
    if (match === null || open)
      throw new SamplesTableRefused(`it cannot be read (a quote in line ${rows.length} does not end)`);
    rows.at(-1)!.push((match[1]?.replaceAll('""', '"') ?? match[3] ?? '').trim());
    const end = match[2] ?? match[4] ?? '';
    at = field.lastIndex;
    if (end !== delimiter && end !== '') rows.push([]);
  }
  return rows.filter((fields) => fields.some((one) => one !== ''));
}
