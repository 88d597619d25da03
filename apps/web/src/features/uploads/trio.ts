import { uploadKind } from '@cellfolio/contract';
import type { FileReport } from '@cellfolio/contract';
import { plural, shortName } from '@/lib/format.ts';
import { sizeText } from './reports/report-text.ts';
import type { UserFile } from './user-files.ts';

interface TrioFile {
  name: string;
  report: FileReport | null;
  failed: boolean;
}

export interface TrioCheck {
  /** `busy`: one of them is already being converted. */
  state: 'fits' | 'waiting' | 'busy' | 'wrong';
  text: string;
}

/** Whether a matrix and two tables match by their counts. The conversion decides which table is which. */
export function checkTrio(files: readonly TrioFile[]): TrioCheck {
  const broken = files.find(({ failed }) => failed);
  if (broken !== undefined) {
    return wrong(`${shortName(broken.name)} could not be read, so these three cannot be converted.`);
  }
  if (files.some(({ report }) => report === null)) {
    return { state: 'waiting', text: 'These files are still being inspected.' };
  }
  const matrix = files.flatMap(({ name, report }) =>
    report?.kind === 'matrix' ? [{ name, rows: report.rows, columns: report.columns }] : [],
  )[0];
  const tables = files.flatMap(({ name, report }) =>
    report !== null && 'lines' in report
      ? [{ name, lines: report.lines, titles: report.titles ?? true }]
      : [],
  );
  const [one, other] = tables;
  if (matrix === undefined || one === undefined || other === undefined) {
    return wrong('These three are not one matrix and two tables of names.');
  }
  const { rows, columns } = matrix;
  const fits = (lists(one, rows) && lists(other, columns)) || (lists(one, columns) && lists(other, rows));
  if (fits) return obstacleIn(files);
  return wrong(
    `These three do not fit together: ${shortName(matrix.name)} is ${sizeText(matrix)}, but ${shortName(one.name)} has ${plural(one.lines, 'line')} and ${shortName(other.name)} has ${plural(other.lines, 'line')}. One table needs a line for each row, the other one for each column; a line of titles may come first.`,
  );
}

function obstacleIn(files: readonly TrioFile[]): TrioCheck {
  for (const { name, report } of files) {
    const [obstacle] = obstaclesOf(report);
    if (obstacle !== undefined)
      return wrong(`These three cannot be converted yet. ${shortName(name)}: ${obstacle}`);
  }
  return { state: 'fits', text: '' };
}

/** Reasons that prevent converting a file; older reports have none. */
export function obstaclesOf(report: FileReport | null): readonly string[] {
  return report !== null && 'lines' in report ? (report.obstacles ?? []) : [];
}

function lists({ lines, titles }: { lines: number; titles: boolean }, names: number): boolean {
  return lines === names || (titles && lines === names + 1);
}

function wrong(text: string): TrioCheck {
  return { state: 'wrong', text };
}

export function isConvertible(files: readonly Pick<UserFile, 'original_filename'>[]): boolean {
  const kinds = files.map(({ original_filename }) => uploadKind(original_filename)?.kind);
  return (
    kinds.length === 3 &&
    kinds.filter((kind) => kind === 'matrix').length === 1 &&
    kinds.filter((kind) => kind === 'metadata').length === 2
  );
}

export const longestConvertedName = 100;

/**
 * Default name of the file made of three: the common part of their names, such as 'GSE1_tumour' of 'GSE1_tumour_matrix'
 * and its tables, else the name of the matrix without that word. A name in use gets a number. `taken` is in lower case.
 */
export function suggestedName(
  files: readonly Pick<UserFile, 'file_name' | 'original_filename'>[],
  usedNames: ReadonlySet<string> = new Set(),
): string {
  const matrix = files.find(({ original_filename }) => uploadKind(original_filename)?.kind === 'matrix');
  const common = trimmed(commonStart(files.map(({ file_name }) => file_name.trim())));
  const own = trimmed((matrix?.file_name ?? '').replace(/(^|[-_. ]+)matrix$/i, ''));
  const name = Array.from(common).length > 2 ? common : own;
  const base =
    Array.from(name)
      .slice(0, longestConvertedName / 2)
      .join('')
      .trim() || 'Converted dataset';
  let free = base;
  for (let nth = 2; usedNames.has(free.toLowerCase()); nth++) free = `${base} ${nth}`;
  return free;
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    while (!other.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  }
  return first.slice(0, length).toWellFormed();
}

function trimmed(text: string): string {
  return text.replace(/^[-_. ]+|[-_. ]+$/g, '');
}
