import {
  type Caution,
  type ExpressionSource,
  type OtherFeatures,
  type ProteinScale,
  countText,
  cutText,
  listedNames,
  plural,
  pluralWord,
} from '@cellfolio/model';
import type { Content } from './expression/candidates.ts';
import { maxProteins } from './proteins/find-proteins.ts';
import type { TermColumnReport } from './roles/term-columns.ts';

/** One cells x genes matrix of the file. */
export interface MatrixReport {
  /** Path in the file: `X`, `raw/X`, `raw.X` or `layers/<name>`. */
  readonly path: string;
  readonly format: 'csr' | 'csc' | 'dense';
  readonly dtype: string;
  readonly cells: number;
  readonly genes: number;
  /** Stored entries of a sparse matrix, explicit zeros included. */
  readonly storedValues?: number;
  /** `none`, `gzip`, `lzf`… */
  readonly compression: string;
  readonly content: Content;
}

export interface ColumnReport {
  readonly name: string;
  readonly kind: 'categorical' | 'numeric' | 'boolean' | 'string';
  /** numpy dtype of the values or categories. */
  readonly dtype: string;
  readonly categories?: number;
  readonly converted: boolean;
}

/** The column chosen for a role, the reason, and the alternatives. */
export interface RoleReport {
  readonly role: 'cellType' | 'cluster' | 'patient' | 'embedding' | 'symbol';
  readonly chosen?: string;
  readonly why: string;
  /** Best first: columns whose names match the role, then all other usable ones. */
  readonly alternatives: readonly string[];
}

/** Findings, decisions and actions of an import. Serialisable as JSON. */
export interface PreflightReport {
  readonly file: { readonly path: string; readonly bytes: number };
  readonly cells: number;
  readonly genes: number;
  readonly otherFeatures: readonly OtherFeatures[];
  /** Proteins kept as a second modality; absent if the file has none. */
  readonly proteins?: {
    readonly part: string;
    readonly names: readonly string[];
    /** `unread` until the whole table is read: only then is it clear whether the values are counts. */
    readonly scale: ProteinScale | 'unread';
  };
  readonly format: {
    readonly tables: string;
    readonly matrices: readonly MatrixReport[];
    readonly embeddings: readonly {
      readonly name: string;
      readonly dimensions: number;
      /** Names of its dimensions, if it was a table (a pandas DataFrame). */
      readonly columns?: readonly string[];
    }[];
  };
  readonly expression: {
    readonly source: ExpressionSource;
    /** One sentence: which values were taken, why, and what was done to them. */
    readonly what: string;
    /** The scale of the values is unknown and was not given: the import needs an answer. */
    readonly undecided: boolean;
    /** Source of the raw counts; absent if none are kept. */
    readonly countsFrom?: string;
    /** Exact after an import, from a sample before one. */
    readonly values: {
      readonly exact: boolean;
      readonly nonZero?: number;
      readonly minimum: number;
      readonly maximum: number;
      readonly missing: number;
      readonly negative: number;
    };
  };
  readonly roles: readonly RoleReport[];
  /** Display name to obs column. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly ColumnReport[];
  /** Columns of ontology ids; absent if the file has none. */
  readonly terms?: readonly TermColumnReport[];
  /** Ontology id of the organism that all cells are of; absent if the file names none. */
  readonly organism?: string;
  readonly geneNames: {
    readonly index: 'ensembl' | 'symbol' | 'number';
    readonly symbolColumn?: string;
    readonly repeated: number;
    readonly repeatedExamples: readonly string[];
  };
  /** Parts of the file that are not interpreted, and that an export returns; sizes as stored. */
  readonly carried: readonly { readonly path: string; readonly bytes: number }[];
  readonly notKept: readonly string[];
  readonly warnings: readonly Caution[];
}

const labels: Record<RoleReport['role'], string> = {
  cellType: 'Cell type',
  cluster: 'Cluster',
  patient: 'Patient',
  embedding: 'Embedding',
  symbol: 'Gene symbols',
};

export function reportRows(
  report: PreflightReport,
  sizeText: (bytes: number) => string = bytesText,
): { label: string; value: string }[] {
  const { format, expression, geneNames } = report;
  const rows = [
    { label: 'File', value: `${report.file.path} (${sizeText(report.file.bytes)})` },
    { label: 'Size', value: `${countText(report.cells)} cells x ${countText(report.genes)} genes` },
    ...(report.otherFeatures.length > 0
      ? [{ label: 'Not genes', value: othersText(report.otherFeatures) }]
      : []),
    ...(report.proteins ? [{ label: 'Proteins', value: proteinsText(report.proteins) }] : []),
    ...format.matrices.map((matrix) => ({ label: `Matrix ${matrix.path}`, value: matrixText(matrix) })),
    { label: 'Tables', value: format.tables },
    { label: 'Expression', value: expression.what },
    ...(expression.source.scale ? [{ label: 'Scale', value: expression.source.scale.why }] : []),
    {
      label: 'Raw counts',
      value: countsText(expression),
    },
    { label: 'Values', value: valuesText(expression.values) },
    ...report.roles.map((role) => ({ label: labels[role.role], value: roleText(role) })),
    { label: 'Metadata', value: metadataText(report.metadata) },
    ...(report.terms ? [{ label: 'Ontology ids', value: termsText(report.terms) }] : []),
    ...(report.organism ? [{ label: 'Organism', value: `${report.organism}, of all cells` }] : []),
    { label: 'Gene names', value: geneText(geneNames) },
    { label: 'Returned on export', value: carriedText(report.carried, sizeText) },
    { label: 'Not kept', value: namesText(report.notKept) },
  ];
  return [...rows, ...report.warnings.map(({ message }) => ({ label: 'Note', value: message }))];
}

const proteinsShown = 5;
const proteinNameShown = 60;

const proteinScales = {
  clr: 'as centered log ratios (CLR) by cell',
  stored: 'with the values that the file has',
  unread: 'counts as centered log ratios (CLR) by cell, other values as they are',
} as const;

export function proteinsText({ part, names, scale }: NonNullable<PreflightReport['proteins']>): string {
  const shown = names.slice(0, proteinsShown).map((name) => cutText(name, proteinNameShown));
  const listed = [...shown, ...(names.length > shown.length ? ['…'] : [])].join(', ');
  const keptCount = Math.min(names.length, maxProteins);
  const of = keptCount < names.length ? ` of ${countText(names.length)}` : '';
  return `${countText(keptCount)}${of} ${pluralWord(keptCount, 'protein is', 'proteins are')} kept as a second modality (${listed}), from ${part}: ${proteinScales[scale]}`;
}

function othersText(others: PreflightReport['otherFeatures']): string {
  const named = others.map(
    ({ type, count, examples }) => `${countText(count)} ${type} (${examples.join(', ')})`,
  );
  return `${named.join(', ')}: left in the file`;
}

function matrixText({
  format,
  dtype,
  cells,
  genes,
  storedValues,
  compression,
  content,
}: MatrixReport): string {
  const stored = storedValues === undefined ? '' : `, ${countText(storedValues)} stored values`;
  return `${format === 'dense' ? 'dense' : format.toUpperCase()}, ${dtype}, ${countText(cells)} x ${countText(genes)}${stored}, compression ${compression}; looks ${content}`;
}

function countsText({ countsFrom, source }: PreflightReport['expression']): string {
  if (countsFrom === undefined) return 'none';
  return `kept, from ${countsFrom}${source.fractionalCounts === true ? '; some have fractions' : ''}`;
}

function valuesText({
  exact,
  nonZero,
  minimum,
  maximum,
  missing,
  negative,
}: PreflightReport['expression']['values']): string {
  const parts = [`${short(minimum)} to ${short(maximum)}`];
  if (nonZero !== undefined) parts.unshift(`${countText(nonZero)} other than zero`);
  if (missing > 0) parts.push(`${countText(missing)} missing`);
  if (negative > 0) parts.push(`${countText(negative)} negative`);
  return `${parts.join(', ')}${exact ? '' : ' (in a sample)'}`;
}

function roleText({ chosen, why, alternatives }: RoleReport): string {
  const others =
    alternatives.length === 0
      ? ''
      : ` Others: ${alternatives.slice(0, 6).join(', ')}${alternatives.length > 6 ? '…' : ''}.`;
  return `${chosen ?? 'none'}: ${why}.${others}`;
}

function metadataText(metadata: Readonly<Record<string, string>>): string {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return 'none';
  return entries.map(([name, column]) => (name === column ? name : `${name} (${column})`)).join(', ');
}

export function termsText(terms: NonNullable<PreflightReport['terms']>): string {
  const parts = terms.map(({ labels, terms: count }) => `${plural(count, 'id')} of ${labels}`);
  return `kept beside the labels: ${listedNames(parts, 12)}`;
}

function bytesText(bytes: number): string {
  return `${countText(bytes)} bytes`;
}

/** The largest first. */
export function carriedText(
  carried: PreflightReport['carried'],
  sizeText: (bytes: number) => string = bytesText,
): string {
  if (carried.length === 0) return 'nothing beside what is read';
  const largest = carried.toSorted((a, b) => b.bytes - a.bytes);
  const total = carried.reduce((sum, { bytes }) => sum + bytes, 0);
  const names = largest.map(({ path, bytes }) => `${cutText(path, 60)} (${sizeText(bytes)})`);
  return `${listedNames(names, 12)}; ${sizeText(total)} in all`;
}

/** The first dozen names; a file may hold hundreds of notes. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'nothing left behind';
  return listedNames(names, 12);
}

function geneText({ index, symbolColumn, repeated, repeatedExamples }: PreflightReport['geneNames']): string {
  const names = { ensembl: 'Ensembl ids', symbol: 'symbols', number: 'numbers' }[index];
  const symbols = symbolColumn === undefined ? '' : `, symbols in '${symbolColumn}'`;
  const twice = repeated === 0 ? '' : `; ${countText(repeated)} repeated (${repeatedExamples.join(', ')})`;
  return `${names}${symbols}${twice}`;
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
