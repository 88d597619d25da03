import type { FileReport, Caution } from '@cellfolio/contract';
import { isDatasetFile } from '@cellfolio/contract/work';
import { open } from 'node:fs/promises';
import {
  carriedText,
  inspectH5ad,
  inspectTextFile,
  proteinsText,
  termsText,
  type PreflightReport,
  type ImportColumns,
  type ReadableFile,
} from '@cellfolio/ingest';
import { type ExpressionScale, type ProcessingRecord, listedNames, noCountsReason } from '@cellfolio/model';
import { failureOf, plainName, plainText, WorkFailed, namesWithin } from './failures.ts';
import { planFileQuality, type FileQuality } from './file-quality.ts';
import { readableUpload } from './readable-upload.ts';
import { refuseForeignContent } from './refuse-foreign-content.ts';
import type { InputFile, InspectWork, WorkContext } from './work.ts';

/**
 * Inspects an upload. Of an .h5ad it reads the tables and samples values, and reads all counts if cells would be
 * removed; of a matrix it reads the head, of a .tsv all lines. Throws WorkFailed; the signal's reason.
 */
export async function inspectFile(work: InspectWork, context: WorkContext): Promise<FileReport> {
  const { file } = work;
  const { signal, onProgress } = context;
  onProgress('Looking at the file', 0);
  await refuseForeignContent(file);
  try {
    if (isDatasetFile(file.name)) {
      const readable = await readableUpload(file, work.columns, context);
      const preflight = await inspectH5ad(readable.path, { maxCarried: work.maxCarried, signal });
      // Which cells would go is of no interest before it is known which side of a table they are on.
      const assumed = readable.table?.assumed === true;
      const missing = missingPartsOf(work, preflight);
      const checked = !assumed && missing.computable.includes('qualityControl');
      const planned = { ...work, file: { ...file, path: readable.path } };
      return h5adFileReport(preflight, {
        readable,
        missing,
        quality: checked ? await planFileQuality(planned, preflight, context) : undefined,
      });
    }
    const report = await inspectTextFile(file.path, file.name);
    signal.throwIfAborted();
    const notes = report.notes.map(plainText);
    if (report.kind === 'matrix') {
      await refuseTooManyEntries(file, report.entries);
      return { ...report, notes };
    }
    const { first, obstacles } = report;
    return { ...report, notes, first: first.map(plainText), obstacles: obstacles.map(plainText) };
  } catch (error) {
    throw signal.aborted ? error : failureOf(error, file.name);
  }
}

/** Two indices of one digit each, a blank and a line end. */
const minEntryBytes = 4;
/** A file with a higher compression ratio is refused wherever it is read. */
const maxUnpackRatio = 100;

/**
 * Throws WorkFailed when a matrix declares more entries than the file can hold: it was truncated, or is not a matrix.
 */
async function refuseTooManyEntries({ path, name }: InputFile, entries: number): Promise<void> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const packed = buffer[0] === 0x1f && buffer[1] === 0x8b;
  if (entries * minEntryBytes <= size * (packed ? maxUnpackRatio : 1)) return;
  throw new WorkFailed(
    'cut_short',
    `${plainName(name)} declares ${entries.toLocaleString('en-US')} entries, more than a file of ${size.toLocaleString('en-US')} bytes can hold. It is damaged or cut short: copy it again, then upload it again.`,
  );
}

type H5adReport = Extract<FileReport, { kind: 'h5ad' }>;

/** Maximum length of selectable column names, as in the API contract. */
const maxListedName = 1000;
const maxNames = 200;
/** Covered by one sentence about what will be computed instead. */
const settledRoles = new Set(['no-embedding', 'no-umap', 'no-cluster', 'no-cell-type']);

const obstacleTexts: Readonly<Record<NonNullable<MissingParts['obstacle']>, string>> = {
  'no-counts':
    'the file holds no raw counts. Upload a file with raw counts in X, raw or layers/counts, or one that has been processed.',
  'fractional-counts':
    'the counts have fractions, and processing needs whole counts. Round them (np.rint, or roundToInt of SoupX) and upload the file again.',
  'few-cells': 'at least 20 cells are needed.',
  'few-genes': 'at least 20 genes are needed.',
};

/**
 * A preflight report for the owner of the file. When cells would be removed, it includes the quality plan, which the
 * owner reviews before a dataset is made.
 */
function h5adFileReport(
  report: PreflightReport,
  {
    readable,
    missing,
    quality,
  }: { readable: ReadableFile; missing: MissingParts; quality: FileQuality | undefined },
): H5adReport {
  const chosen = report.roles.find(({ role }) => role === 'embedding')?.chosen;
  // The key of one that is cut to two dimensions is not its name in the file.
  const drawnOn = report.format.embeddings.find(
    ({ name }) => name === chosen || `${name}_2d` === chosen,
  )?.name;
  return {
    kind: 'h5ad',
    cells: report.cells,
    genes: report.genes,
    expression: plainText(expressionOf(report)),
    ...(report.expression.source.scale && { scale: scaleOf(report.expression.source.scale) }),
    otherFeatures: report.otherFeatures.map(({ type, count, examples }) => ({
      type: plainText(type),
      count,
      examples: examples.map(plainText),
    })),
    ...(report.proteins && { proteins: plainText(`${proteinsText(report.proteins)}.`) }),
    ...(readable.table && { genesIn: readable.table.genesIn }),
    hasCounts: report.expression.countsFrom !== undefined,
    roles: report.roles.map(({ role, chosen, why, alternatives }) => ({
      role,
      ...(chosen !== undefined && { chosen: storable(chosen) }),
      why,
      alternatives: choosable(
        // Something else is computed unless it is chosen.
        role === 'embedding' && drawnOn !== undefined && missing.computable.includes('embedding')
          ? [drawnOn, ...alternatives]
          : alternatives,
      ),
    })),
    metadata: choosable(Object.keys(report.metadata)),
    willCompute: [...missing.computable],
    waitsFor: [
      ...(readable.table?.assumed === true ? (['genesIn'] as const) : []),
      ...(report.expression.undecided ? (['expression'] as const) : []),
      ...(quality === undefined || quality.noCounts === true ? [] : (['qualityControl'] as const)),
    ],
    ...(quality?.plan && { quality: quality.plan }),
    plans: [...plansOf(report, missing), ...(quality?.note === undefined ? [] : [quality.note])].map(
      plainText,
    ),
    notes: [...readable.notes, ...notesOf(report, missing)].map(plainText),
    warnings: report.warnings
      .filter(({ code }) => !settledRoles.has(code))
      .slice(0, maxNames)
      .map(plainCaution),
  };
}

function scaleOf(scale: ExpressionScale): ExpressionScale {
  return { ...scale, why: plainText(scale.why) };
}

function plainCaution({ code, message, numbers }: Caution): Caution {
  const text = plainText(message);
  if (numbers === undefined) return { code, message: text };
  const plain = (figure: number | string) => (typeof figure === 'string' ? plainText(figure) : figure);
  const figures = Object.entries(numbers).map(([name, value]): [string, typeof value] => [
    name,
    Array.isArray(value) ? value.map(plain) : plain(value as number | string),
  ]);
  return { code, message: text, numbers: Object.fromEntries(figures) };
}

function expressionOf({ expression: { source, what } }: PreflightReport): string {
  return source.state === 'normalised-here'
    ? `${source.path} holds raw counts, which are normalized to 10,000 per cell, with log1p taken.`
    : what;
}

function plansOf(report: PreflightReport, missing: MissingParts): string[] {
  const plans: string[] = [];
  if (missing.computable.length > 0) {
    const checked = missing.computable.includes('qualityControl')
      ? ', after cells of low quality are removed'
      : '';
    plans.push(`${capital(lackingText(missing))} will be computed from the raw counts${checked}.`);
  }
  if (report.expression.undecided)
    plans.push('State the scale of the values; the dataset is made after that.');
  // The dataset itself warns of it.
  const cellType = report.roles.find(({ role }) => role === 'cellType')?.chosen;
  const cluster = report.roles.find(({ role }) => role === 'cluster')?.chosen;
  if (cellType === undefined) {
    plans.push(
      cluster === undefined && !missing.computable.includes('clusters')
        ? 'No column holds cell types or clusters. Choose one among the columns to color cells by it.'
        : 'No column holds cell types, so cells are colored by clusters.',
    );
  }
  return plans;
}

function lackingText({ clusters, embedding }: Pick<MissingParts, 'clusters' | 'embedding'>): string {
  return [...(clusters ? ['clusters'] : []), ...(embedding ? ['a UMAP'] : [])].join(' and ');
}

function notesOf(
  report: PreflightReport,
  { embedding, clusters, computable, obstacle }: MissingParts,
): string[] {
  const notes: string[] = [];
  const drawnOn = report.roles.find(({ role }) => role === 'embedding')?.chosen;
  const lacking = lackingText({ clusters, embedding });
  if (computable.length === 0 && obstacle !== undefined && lacking !== '') {
    const instead = drawnOn === undefined ? '' : ` Figures are drawn on '${plainName(drawnOn)}'.`;
    notes.push(
      `${capital(lacking)} cannot be computed, since ${obstacleTexts[obstacle]}${obstacle === 'no-counts' ? noCountsReason(report.warnings) : ''}${instead}`,
    );
  }
  if (report.terms) notes.push(`Ontology ids ${plainText(termsText(report.terms))}.`);
  if (report.organism) notes.push(`Organism of all cells: ${plainText(report.organism)}.`);
  if (report.carried.length > 0)
    notes.push(
      `Kept as stored in the file and returned on export: ${plainText(carriedText(report.carried))}.`,
    );
  if (report.notKept.length > 0) {
    notes.push(`Not taken over: ${listedNames(report.notKept.map(plainName), 12)}.`);
  }
  return notes;
}

function choosable(names: readonly string[]): string[] {
  const fitting = names.filter(
    (name) => name !== '' && name.length <= maxListedName && name === storable(name),
  );
  return namesWithin(fitting.slice(0, maxNames));
}

/** PostgreSQL accepts every character in text but this one. */
function storable(name: string): string {
  return name.replaceAll('\0', '�');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export type ComputedPart = ProcessingRecord['computed'][number];

export interface MissingParts {
  embedding: boolean;
  clusters: boolean;
  computable: readonly ComputedPart[];
  /** Why none of the missing parts can be computed, if so. */
  obstacle?: 'no-counts' | 'fractional-counts' | 'few-cells' | 'few-genes';
}

/** Fewer cells have no neighbourhoods, fewer genes no trend of their variances. */
const minimumCount = 20;

/**
 * Clusters and a UMAP are computed when the file has none. Cells are removed only when the file shows no earlier
 * selection: no clusters, no embedding and no cell types.
 */
function missingParts(report: PreflightReport, columns: ImportColumns = {}): MissingParts {
  const chosen = new Map(report.roles.map((role) => [role.role, role.chosen]));
  const drawnOn = chosen.get('embedding');
  const embedding = columns.embedding === undefined && (drawnOn === undefined || !showsNeighbours(drawnOn));
  const clusters = chosen.get('cluster') === undefined;
  const untouched = clusters && drawnOn === undefined && chosen.get('cellType') === undefined;
  const obstacle = obstacleOf(report);
  if (obstacle !== undefined) return { embedding, clusters, computable: [], obstacle };
  return { embedding, clusters, computable: computedOf({ qualityControl: untouched, clusters, embedding }) };
}

function computedOf(requestedParts: Readonly<Record<ComputedPart, boolean>>): ComputedPart[] {
  return (['qualityControl', 'clusters', 'embedding'] as const).filter((part) => requestedParts[part]);
}

/**
 * As `missingParts`; for a combination of files, earlier selections and clusters of each file do not count, and for a
 * part the clusters of the whole dataset do not.
 */
export function missingPartsOf(
  { combined, isPart }: { combined?: unknown; isPart?: boolean | undefined },
  report: PreflightReport,
  columns: ImportColumns = {},
): MissingParts {
  const missing = missingParts(report, columns);
  if (missing.obstacle !== undefined) return missing;
  if (isPart) return ofPart(columns);
  if (combined === undefined) return missing;
  return {
    ...missing,
    clusters: true,
    embedding: true,
    computable: ['qualityControl', 'clusters', 'embedding'],
  };
}

function ofPart({ cluster, embedding }: ImportColumns): MissingParts {
  const missing = { clusters: cluster === undefined, embedding: embedding === undefined };
  return { ...missing, computable: computedOf({ qualityControl: false, ...missing }) };
}

function obstacleOf({ expression, cells, genes }: PreflightReport): MissingParts['obstacle'] {
  if (expression.countsFrom === undefined) return 'no-counts';
  if (expression.source.fractionalCounts === true) return 'fractional-counts';
  if (cells < minimumCount) return 'few-cells';
  return genes < minimumCount ? 'few-genes' : undefined;
}

/** Principal components and tissue positions are not maps of similar cells. */
function showsNeighbours(embedding: string): boolean {
  return !/pca|spatial/i.test(embedding) || /umap|tsne/i.test(embedding);
}
