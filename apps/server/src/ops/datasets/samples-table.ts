import { dirname, isAbsolute, join } from 'node:path';
import { maxNameLength, quotedHead } from '@cellfolio/model';
import { parse } from 'csv-parse/sync';
import { CommandFailure, exitCode, readInput } from '../command.ts';

/** One line of a table of samples. */
export interface SampleLine {
  readonly sample: string;
  /** Path of the file, or its https address. */
  readonly source: string;
  /** Values of the further columns, such as `condition`; empty where there is none. */
  readonly values: ReadonlyMap<string, string>;
}

export interface SamplesTable {
  readonly lines: readonly SampleLine[];
  /** The further columns. */
  readonly columns: readonly string[];
}

const maxBytes = 4 * 2 ** 20;
/** As many as can be told apart in a legend, and as readSamples takes. */
const maxSamples = 200;
/** obs columns that processing writes. */
const taken = new Set([
  'leiden',
  'doublet_score',
  'predicted_doublet',
  'total_counts',
  'n_genes_by_counts',
  '_index',
]);

/**
 * Reads a table of samples, comma- or tab-separated with a line of titles: `sample` and `file` (relative to the table) and
 * any further columns. Throws CommandFailure that names the table, its line and its column.
 */
export async function readSamplesTable(path: string): Promise<SamplesTable> {
  const text = (await readInput(path, maxBytes)).toString('utf8');
  const rows = rowsOf(path, text);
  const [titles = [], ...lines] = rows;
  for (const needed of ['sample', 'file'])
    if (!titles.includes(needed))
      throw wrong(path, `it has no column '${needed}'; its columns are ${titles.join(', ') || 'none'}`);
  const columns = titles.filter((title) => title !== 'sample' && title !== 'file');
  for (const [at, title] of titles.entries()) {
    if (title === '') throw wrong(path, `its column ${at + 1} has no title`);
    if (titles.indexOf(title) !== at) throw wrong(path, `it has the column '${title}' twice`);
    if (title.length > maxNameLength || title.includes('/') || title.includes('\0') || taken.has(title))
      throw wrong(path, `a column cannot be called ${quotedHead(title)}`);
  }
  if (lines.length < 2) throw wrong(path, `it lists ${lines.length} samples, and two are needed`);
  if (lines.length > maxSamples)
    throw wrong(path, `it lists ${lines.length} samples, and ${maxSamples} are the most`);
  const seen = new Set<string>();
  return {
    columns,
    lines: lines.map((fields, at) => {
      const valueOf = (title: string) => (fields[titles.indexOf(title)] ?? '').trim();
      const sample = valueOf('sample');
      const file = valueOf('file');
      const line = `line ${at + 2}`;
      if (sample === '' || file === '')
        throw wrong(path, `${line} has no ${sample === '' ? 'sample' : 'file'}`);
      if (seen.has(sample))
        throw wrong(path, `${line} repeats the sample '${sample}'; each needs a name of its own`);
      seen.add(sample);
      const values = new Map(columns.map((column) => [column, valueOf(column)]));
      for (const value of [sample, ...values.values()])
        if (value.length > maxNameLength)
          throw wrong(path, `${line} has a value of ${value.length} characters (${quotedHead(value)})`);
      const remote = /^https?:\/\//i.test(file);
      return { sample, values, source: remote || isAbsolute(file) ? file : join(dirname(path), file) };
    }),
  };
}

function rowsOf(path: string, text: string): string[][] {
  const [titles = ''] = text.split(/\r?\n/, 1);
  const delimiter = ['\t', ',', ';'].find((one) => titles.includes(one)) ?? ',';
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as string[][];
    return rows.filter((fields) => fields.some((field) => field !== ''));
  } catch (error) {
    throw wrong(path, `it cannot be read (${(error as Error).message})`);
  }
}

function wrong(path: string, problem: string): CommandFailure {
  return new CommandFailure(
    exitCode.badInput,
    `${path}: ${problem}. A table of samples has a line of titles with sample and file, and a line for each sample.`,
  );
}
