import { dirname, isAbsolute, join } from 'node:path';
import { parseSamplesTable, SamplesTableRefused } from '@cellfolio/contract';
import { CommandFailure, exitCode, readInput } from '../command.ts';

export interface SampleLine {
  sample: string;
  /** Path of the file, or its https address. */
  source: string;
  /** Values of the further columns, such as `condition`; empty when missing. */
  values: ReadonlyMap<string, string>;
}

export interface SamplesTable {
  lines: readonly SampleLine[];
  columns: readonly string[];
}

const maxBytes = 4 * 2 ** 20;

/**
 * Reads a table of samples, comma- or tab-separated with a header line: `sample` and `file` (relative to the table) and
 * any further columns. Throws CommandFailure that names the table, line and column.
 */
export async function readSamplesTable(path: string): Promise<SamplesTable> {
  const text = (await readInput(path, maxBytes)).toString('utf8');
  try {
    const { columns, lines } = parseSamplesTable(text, ['sample', 'file']);
    return {
      columns,
      lines: lines.map(({ sample, file, values }) => {
        const remote = /^https?:\/\//i.test(file);
        return { sample, values, source: remote || isAbsolute(file) ? file : join(dirname(path), file) };
      }),
    };
  } catch (error) {
    if (!(error instanceof SamplesTableRefused)) throw error;
    throw new CommandFailure(
      exitCode.badInput,
      `${path}: ${error.message}. A table of samples has a line of titles with sample and file, and a line for each sample.`,
    );
  }
}
