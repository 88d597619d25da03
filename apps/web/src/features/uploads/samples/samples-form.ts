import {
  combineRequest,
  isDatasetFile,
  maxSampleColumns,
  parseSamplesTable,
  refuseTitles,
  samplesChoice,
  SamplesTableRefused,
  noCountsReason,
} from '@cellfolio/contract';
import type { CombineRequest, UserFileRecord } from '@cellfolio/contract';
import { z } from 'zod';
import { shortName } from '@/lib/format.ts';
import type { H5adReport } from '../reports/report-text.ts';
import type { UserFile } from '../user-files.ts';

export type SamplesForm = z.output<typeof storedForm>;
export type SampleEntry = SamplesForm['entries'][number];

const commonColumns = ['condition', 'patient', 'batch'];
const maxDifferingColumns = 6;

/** Initial table, filled with what an archive says of the samples if they differ in it. */
export function samplesForm(
  selectedFiles: readonly UserFile[],
  metadataOf: (id: string) => UserFileRecord['said'] | undefined,
): SamplesForm {
  const files = selectedFiles.toSorted((a, b) =>
    a.file_name.localeCompare(b.file_name, 'en', { numeric: true }),
  );
  const metadata = files.map(({ id }) => new Map(Object.entries(metadataOf(id) ?? {})));
  const columnNames = [...new Set(metadata.flatMap((values) => [...values.keys()]))];
  const differing = columnNames.filter(
    (name) => new Set(metadata.map((values) => values.get(name) ?? '')).size > 1,
  );
  const columns = [
    ...commonColumns,
    ...differing
      .filter((name) => !commonColumns.includes(name) && isTitle(name))
      .slice(0, maxDifferingColumns),
  ];
  const names = new Set<string>();
  return {
    name: '',
    columns,
    entries: files.map(({ id, file_name, original_filename }, at) => ({
      fileId: id,
      fileName: file_name,
      originalFilename: original_filename,
      sample: ownName(file_name, names),
      values: Object.fromEntries(
        columns.flatMap((name) => {
          const value = metadata[at]!.get(name);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    })),
    genes: 'shared',
    choices: {},
  };
}

const storedForm = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  entries: z.array(
    z.object({
      fileId: z.string(),
      fileName: z.string(),
      originalFilename: z.string(),
      sample: z.string(),
      values: combineRequest.shape.samples.element.shape.values,
    }),
  ),
  genes: z.enum(['shared', 'all']),
  choices: samplesChoice,
});

export function readSamplesForm(stored: unknown): SamplesForm | undefined {
  return storedForm.safeParse(stored).data;
}

export function isOfFiles({ entries }: SamplesForm, files: readonly Pick<UserFile, 'id'>[]): boolean {
  return (
    entries.length === files.length && entries.every(({ fileId }) => files.some(({ id }) => id === fileId))
  );
}

/** 'GSM1 Donor 1' → 'GSM1': a short, unique sample name. */
function ownName(fileName: string, usedNames: Set<string>): string {
  const accession = /^(GSM\d+)\b/.exec(fileName)?.[1];
  const base = (accession ?? fileName.trim().slice(0, 60)) || 'sample';
  let name = base;
  for (let nth = 2; usedNames.has(name); nth++) name = `${base} ${nth}`;
  usedNames.add(name);
  return name;
}

function isTitle(name: string): boolean {
  try {
    refuseTitles([name]);
    return name !== 'sample' && name !== 'file';
  } catch {
    return false;
  }
}

export function columnProblem({ columns }: Pick<SamplesForm, 'columns'>, name: string): string | null {
  if (name.trim() === '') return 'Give the column a name.';
  if (['sample', 'file', ...columns].includes(name.trim())) return 'A column already has this name.';
  if (columns.length + 3 > maxSampleColumns) return `At most ${maxSampleColumns} columns.`;
  return isTitle(name.trim()) ? null : 'This name is reserved.';
}

export function withValue(form: SamplesForm, fileId: string, column: string, value: string): SamplesForm {
  return {
    ...form,
    entries: form.entries.map((entry) => {
      if (entry.fileId !== fileId) return entry;
      if (column === 'sample') return { ...entry, sample: value };
      return { ...entry, values: { ...entry.values, [column]: value } };
    }),
  };
}

export function samplesRequest({ name, columns, entries, genes, choices }: SamplesForm): CombineRequest {
  const used = columns.filter((column) => entries.some(({ values }) => valueIn(values, column) !== ''));
  return {
    file_name: name.trim(),
    genes,
    choices,
    samples: entries.map(({ fileId, sample, values }) => ({
      file_id: fileId,
      sample: sample.trim(),
      values: Object.fromEntries(used.map((column) => [column, valueIn(values, column)])),
    })),
  };
}

export function valueIn(values: SampleEntry['values'], column: string): string {
  return new Map(Object.entries(values)).get(column)?.trim() ?? '';
}

export function formProblem(form: SamplesForm): string | null {
  const parsed = combineRequest.safeParse(samplesRequest(form));
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'The table cannot be sent.');
}

export function fieldProblems({ entries, choices }: SamplesForm): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  const { batchColumn = 'sample' } = choices;
  for (const { fileId, sample, values } of entries) {
    const name = sample.trim();
    if (name === '') problems.set(fieldKey(fileId, 'sample'), 'Enter a name.');
    else if (entries.filter((one) => one.sample.trim() === name).length > 1)
      problems.set(fieldKey(fileId, 'sample'), 'Another sample has this name.');
    if (batchColumn !== 'sample' && valueIn(values, batchColumn) === '')
      problems.set(fieldKey(fileId, batchColumn), 'Enter a value: batches need one.');
  }
  return problems;
}

export function fieldKey(fileId: string, column: string): string {
  return `${fileId} ${column}`;
}

export interface Imported {
  form: SamplesForm;
  done?: string;
  failures: string[];
}

/**
 * Fills the table from text: its rows are matched to files by its column `file`, without one to samples by its column
 * `sample`.
 */
export function importSamples(form: SamplesForm, text: string): Imported {
  try {
    const byFile = /(^|[\t,;"])file(["\t,;]|$)/i.test(text.split(/\r?\n/, 1)[0] ?? '');
    const { columns, lines } = parseSamplesTable(text, byFile ? ['sample', 'file'] : ['sample']);
    const failures: string[] = [];
    const lineByFile = new Map<string, (typeof lines)[number]>();
    for (const [at, line] of lines.entries()) {
      const targetName = byFile ? line.file : line.sample;
      const entry = form.entries.find(
        (one) => isMeant(one, targetName, byFile) && !lineByFile.has(one.fileId),
      );
      if (entry !== undefined) lineByFile.set(entry.fileId, line);
      else
        failures.push(
          `Line ${at + 2} was skipped: ${byFile ? 'no chosen file' : 'no sample'} is called '${shortName(targetName)}'.`,
        );
    }
    const added = columns.filter((column) => !form.columns.includes(column));
    const keptColumns = form.columns.filter((column) => columns.includes(column) || hasValue(form, column));
    const entries = form.entries.map((entry): SampleEntry => {
      const line = lineByFile.get(entry.fileId);
      if (line === undefined) return entry;
      return {
        ...entry,
        sample: line.sample,
        values: { ...entry.values, ...Object.fromEntries(line.values) },
      };
    });
    const without = form.entries.filter(({ fileId }) => !lineByFile.has(fileId));
    if (lineByFile.size === 0) return { form, failures: [`${nothing}.`, ...failures] };
    if (without.length > 0)
      failures.push(`Not in the table: ${without.map(({ fileName }) => shortName(fileName)).join(', ')}.`);
    return {
      form: { ...form, columns: [...keptColumns, ...added], entries },
      done: `${lineByFile.size} of ${form.entries.length} samples were filled in${columns.length === 0 ? '' : ` with ${columns.map(shortName).join(', ')}`}.`,
      failures,
    };
  } catch (error) {
    if (!(error instanceof SamplesTableRefused)) throw error;
    return { form, failures: [`${nothing}: ${error.message}.`] };
  }
}

const nothing = 'Nothing was filled in; the samples below have not changed';

function isMeant(entry: SampleEntry, targetName: string, byFile: boolean): boolean {
  if (!byFile) return entry.sample === targetName;
  const name = targetName.slice(Math.max(targetName.lastIndexOf('/'), targetName.lastIndexOf('\\')) + 1);
  return [entry.originalFilename, entry.fileName].includes(name);
}

function hasValue({ entries }: SamplesForm, column: string): boolean {
  return entries.some(({ values }) => valueIn(values, column) !== '');
}

export interface SamplesCheck {
  cells: number;
  problems: { fileId: string; text: string }[];
  cautions: string[];
  waiting: number;
}

export function checkSamples(
  form: Pick<SamplesForm, 'entries'>,
  files: readonly Pick<UserFileRecord, 'file_id' | 'report' | 'problem'>[],
): SamplesCheck {
  const check: SamplesCheck = { cells: 0, problems: [], cautions: [], waiting: 0 };
  const alike = new Map<string, string>();
  for (const { fileId, fileName, originalFilename } of form.entries) {
    const ownFile = files.find(({ file_id }) => file_id === fileId);
    const report = ownFile?.report ?? null;
    const refuse = (text: string) => check.problems.push({ fileId, text: `${shortName(fileName)}: ${text}` });
    if (!isDatasetFile(originalFilename)) refuse('it is not a dataset by itself. Convert it to H5AD first.');
    else if (ownFile?.problem) refuse(ownFile.problem.message);
    else if (report === null) check.waiting += 1;
    else if (report.kind !== 'h5ad') refuse('it holds no cells.');
    else if (report.waitsFor.includes('genesIn')) refuse('first choose where the genes of this table are.');
    else if (!report.hasCounts)
      refuse(
        `it has no raw counts, and samples can only be combined from them.${noCountsReason(report.warnings)}`,
      );
    else {
      check.cells += report.cells;
      const print = printOf(report);
      const other = print === undefined ? undefined : alike.get(print);
      if (other !== undefined) {
        check.cautions.push(
          `${shortName(other)} and ${shortName(fileName)} have the same number of cells and the same distributions of counts, genes and mitochondrial counts: the same file twice?`,
        );
      }
      if (print !== undefined) alike.set(print, fileName);
    }
  }
  return check;
}

/** Fingerprint of the inspection's measurements over all cells: two runs never agree to the last digit. */
function printOf({ cells, genes, quality }: H5adReport): string | undefined {
  return quality === undefined ? undefined : JSON.stringify([cells, genes, quality.groups, quality.edges]);
}
