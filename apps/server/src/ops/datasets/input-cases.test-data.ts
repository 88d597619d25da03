import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FileObjectStore } from '@cellfolio/bytes';
import type { Column } from '@cellfolio/model';
import { type Dataset, openDataset } from '@cellfolio/store';

/** An input of `dataset add` with its expected result; written by `fixtures/input-cases`. */
export interface InputCase {
  topic: string;
  title: string;
  path: string;
  options: readonly string[];
  right: Right;
}

type Right = { refused: readonly string[] } | RightDataset;

interface RightDataset {
  refused?: undefined;
  says: readonly string[];
  silent?: readonly string[];
  cells?: number;
  genes?: number;
  /** Mean of ln(1 + x) over all cells, by gene name. */
  means?: Readonly<Record<string, number>>;
  /** Exact; `weighted` is the sum of the cells' totals times their number, counted from 1. `null`: no counts. */
  counts?: {
    sum: number;
    maximum: number;
    weighted: number;
  } | null;
  obs?: Readonly<Record<string, RightColumn>>;
  var?: Readonly<Record<string, RightColumn>>;
  /** Ranges and sums of numeric columns, without missing values. */
  numbers?: Readonly<Record<string, { minimum?: number; maximum?: number; sum?: number }>>;
  /** Sum of all positions, by the key of obsm. */
  embeddings?: Readonly<Record<string, number>>;
}

/** Rows per label, where an empty record only requires the column; or the mean of its numbers. */
type RightColumn = Readonly<Record<string, number>> | number;

export type Outcome =
  | { refused: string }
  | { refused?: undefined; report: string; objects: string; id: string };

const folder = resolve(import.meta.dirname, '../../../../../packages/ingest/fixtures/cases');

export async function inputCases(): Promise<InputCase[]> {
  const topics = (await readdir(folder)).toSorted();
  const cases = await Promise.all(
    topics.map(async (topic) => {
      const text = await readFile(join(folder, topic, 'cases.json'), 'utf8');
      const listed = JSON.parse(text) as { title: string; input: string; options?: string[]; right: Right }[];
      return listed.map(({ title, input, options = [], right }) => {
        return { topic, title, path: unpacked(topic, input), options, right };
      });
    }),
  );
  return cases.flat();
}

let unpackedFolder: string | undefined;

function unpacked(topic: string, input: string): string {
  const path = join(folder, topic, input);
  if (existsSync(path)) return path;
  if (unpackedFolder === undefined) {
    const created = mkdtempSync(join(tmpdir(), 'cellfolio-inputs-'));
    process.once('exit', () => rmSync(created, { recursive: true, force: true }));
    unpackedFolder = created;
  }
  const to = join(unpackedFolder, topic, input);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, gunzipSync(readFileSync(`${path}.gz`)));
  return to;
}

/** Differences between an outcome and the expected one, in sentences; empty when it is right. */
export async function differences(right: Right, outcome: Outcome): Promise<string[]> {
  if (right.refused !== undefined) {
    if (outcome.refused === undefined) return ['added instead of refused'];
    return missing(right.refused, outcome.refused, 'the refusal');
  }
  if (outcome.refused !== undefined) return [`refused: ${outcome.refused}`];
  return [
    ...missing(right.says, outcome.report, 'the report'),
    ...(right.silent ?? []).filter((text) => outcome.report.includes(text)).map((text) => `says ${text}`),
    ...(await datasetDifferences(right, outcome)),
  ];
}

function missing(texts: readonly string[], within: string, where: string): string[] {
  return texts.filter((text) => !within.includes(text)).map((text) => `${where} lacks “${text}”: ${within}`);
}

async function datasetDifferences(
  right: RightDataset,
  { objects, id }: { objects: string; id: string },
): Promise<string[]> {
  const dataset = await openDataset(new FileObjectStore(objects), id);
  const { cellCount, geneCount } = dataset.manifest;
  const differences = [
    ...differs('cells', cellCount, right.cells ?? cellCount),
    ...differs('genes', geneCount, right.genes ?? geneCount),
  ];
  for (const [gene, mean] of Object.entries(right.means ?? {})) {
    const row = dataset.genes.find(gene);
    if (row === undefined) {
      differences.push(`no gene ${gene}`);
      continue;
    }
    const { values } = await dataset.gene(row);
    const got = values.reduce((sum, value) => sum + value, 0) / cellCount;
    // Expression is float32.
    if (!(Math.abs(got - mean) <= 1e-6 * Math.max(1, mean)))
      differences.push(`mean of ${gene}: ${got} instead of ${mean}`);
  }
  if (right.counts !== undefined) differences.push(...(await countDifferences(dataset, right.counts)));
  for (const [name, expected] of Object.entries(right.numbers ?? {}))
    differences.push(...(await numberDifferences(dataset, name, expected)));
  for (const [name, sum] of Object.entries(right.embeddings ?? {})) {
    const { values } = await dataset.embedding(name);
    let got = 0;
    for (const value of values) got += value;
    // Positions may be float32.
    if (!(Math.abs(got - sum) <= 1e-4)) differences.push(`sum of ${name}: ${got} instead of ${sum}`);
  }
  for (const [name, expected] of Object.entries(right.obs ?? {})) {
    const column = dataset.obsColumnNames.includes(name) ? await dataset.obs(name) : undefined;
    differences.push(...columnDifferences(name, column, expected));
  }
  const genes = right.var && (await dataset.geneTable());
  for (const [name, expected] of Object.entries(right.var ?? {}))
    differences.push(...columnDifferences(name, genes?.columns.get(name), expected));
  return differences;
}

function columnDifferences(name: string, column: Column | undefined, expected: RightColumn): string[] {
  if (column === undefined) return [`no column ${name}`];
  if (typeof expected === 'number') {
    const mean =
      column.kind === 'numeric'
        ? Array.from(column.values).reduce((sum, value) => sum + value, 0) / column.values.length
        : NaN;
    return Math.abs(mean - expected) <= 1e-6 * Math.max(1, Math.abs(expected))
      ? []
      : [`mean of ${name}: ${mean} instead of ${expected}`];
  }
  return Object.entries(expected).flatMap(([label, count]) => {
    const code = column.kind === 'categorical' ? column.categories.indexOf(label) : -1;
    const got = column.kind === 'categorical' ? column.codes.filter((one) => one === code).length : NaN;
    return differs(`rows of ${name} ${label}`, code < 0 ? 0 : got, count);
  });
}

async function numberDifferences(
  dataset: Dataset,
  name: string,
  expected: { minimum?: number; maximum?: number; sum?: number },
): Promise<string[]> {
  if (!dataset.obsColumnNames.includes(name)) return [`no column ${name}`];
  const column = await dataset.obs(name);
  const { categories } = column as { categories?: readonly string[] };
  const { codes, values, missing } = column as {
    codes?: ArrayLike<number>;
    values?: ArrayLike<number>;
    missing?: Uint8Array;
  };
  // Few whole numbers become categories, which are called by them.
  const numbers = Array.from(codes ?? values ?? [], (one) =>
    codes ? Number(categories?.[one]) : Number(one),
  );
  const present = numbers.filter((value, row) => missing?.[row] !== 1 && !Number.isNaN(value));
  const got = {
    minimum: Math.min(...present),
    maximum: Math.max(...present),
    sum: present.reduce((a, b) => a + b, 0),
  };
  return (['minimum', 'maximum', 'sum'] as const).flatMap((what) =>
    expected[what] === undefined ? [] : differs(`${what} of ${name}`, got[what], expected[what]),
  );
}

async function countDifferences(dataset: Dataset, right: RightDataset['counts']): Promise<string[]> {
  const counts = await dataset.storedMatrix('layers/counts');
  if (counts === undefined || right === null || right === undefined)
    return right === null ? differs('kept counts', counts !== undefined, false) : ['no counts were kept'];
  const entries = counts.starts.at(-1)!;
  const [cells, values] = [await counts.cells(0, entries), await counts.values(0, entries)];
  let [sum, maximum, weighted] = [0, 0, 0];
  for (let at = 0; at < entries; at++) {
    sum += values[at]!;
    maximum = Math.max(maximum, values[at]!);
    weighted += values[at]! * (cells[at]! + 1);
  }
  return [
    ...differs('sum of counts', sum, right.sum),
    ...differs('largest count', maximum, right.maximum),
    ...differs('weighted sum of counts', weighted, right.weighted),
  ];
}

function differs(what: string, got: unknown, expected: unknown): string[] {
  return Object.is(got, expected) ? [] : [`${what}: ${String(got)} instead of ${String(expected)}`];
}
