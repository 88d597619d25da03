import {
  type Caution,
  type ExpressionSource,
  type OtherFeatures,
  type ProteinScale,
  countText,
  cutText,
  listedNames,
} from '@cellfolio/model';
import type { Content } from './expression/candidates.ts';
import { maxProteins } from './proteins/find-proteins.ts';

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
  /** What its values look like, from a sample of them. */
  readonly content: Content;
}

/** A column of `obs`. */
export interface ColumnReport {
  readonly name: string;
  readonly kind: 'categorical' | 'numeric' | 'boolean' | 'string';
  /** Type of the values or categories, in numpy's words. */
  readonly dtype: string;
  /** Number of categories, where the column has or was given some. */
  readonly categories?: number;
  /** Whether text or numbers were turned into categories. */
  readonly converted: boolean;
}

/** Which column plays a part, why, and which others could. */
export interface RoleReport {
  readonly role: 'cellType' | 'cluster' | 'patient' | 'embedding' | 'symbol';
  /** Absent where nothing fits. */
  readonly chosen?: string;
  readonly why: string;
  /** Best first: those with names that say so, then all others that can. */
  readonly alternatives: readonly string[];
}

/** What an import found in a file, decided and did. Serialisable as JSON. */
export interface PreflightReport {
  readonly file: { readonly path: string; readonly bytes: number };
  readonly cells: number;
  readonly genes: number;
  /** Features that are no genes: they stay in the file. */
  readonly otherFeatures: readonly OtherFeatures[];
  /** Proteins that are kept as a second modality; absent where the file has none. */
  readonly proteins?: {
    /** Where they are in the file. */
    readonly part: string;
    readonly names: readonly string[];
    /** Whether they are counts shows when all are read. */
    readonly scale: ProteinScale | 'unread';
  };
  readonly format: {
    /** How the tables are stored, in words. */
    readonly tables: string;
    readonly matrices: readonly MatrixReport[];
    readonly embeddings: readonly {
      readonly name: string;
      readonly dimensions: number;
      /** Names of its dimensions, where it was a table (a pandas DataFrame). */
      readonly columns?: readonly string[];
    }[];
  };
  readonly expression: {
    readonly source: ExpressionSource;
    /** In one sentence: which values were taken, why, and what was done to them. */
    readonly what: string;
    /** The scale of the values is unknown and was not given: an import needs an answer. */
    readonly undecided: boolean;
    /** Where the kept raw counts come from; absent where none are kept. */
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
  /** Shown name to obs column. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly ColumnReport[];
  readonly geneNames: {
    readonly index: 'ensembl' | 'symbol' | 'number';
    readonly symbolColumn?: string;
    /** Genes whose symbol an earlier gene has too. */
    readonly repeated: number;
    readonly repeatedExamples: readonly string[];
  };
  /** Paths of parts of the file that were not taken over. */
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

/** The report as a two-column table in plain words. */
export function reportRows(
  report: PreflightReport,
  sizeText: (bytes: number) => string = (bytes) => `${countText(bytes)} bytes`,
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
    { label: 'Gene names', value: geneText(geneNames) },
    { label: 'Not kept', value: namesText(report.notKept) },
  ];
  return [...rows, ...report.warnings.map(({ message }) => ({ label: 'Note', value: message }))];
}

const proteinsShown = 5;
const proteinNameShown = 60;

const proteinScales = {
  clr: 'as centred log ratios (CLR) by cell',
  stored: 'with the values that the file has',
  unread: 'counts as centred log ratios (CLR) by cell, other values as they are',
} as const;

/** What becomes of proteins, in a sentence. */
export function proteinsText({ part, names, scale }: NonNullable<PreflightReport['proteins']>): string {
  const shown = names.slice(0, proteinsShown).map((name) => cutText(name, proteinNameShown));
  const listed = [...shown, ...(names.length > shown.length ? ['…'] : [])].join(', ');
  const kept = Math.min(names.length, maxProteins);
  const of = kept < names.length ? ` of ${countText(names.length)}` : '';
  return `${countText(kept)}${of} ${kept === 1 ? 'protein is' : 'proteins are'} kept as a second modality (${listed}), from ${part}: ${proteinScales[scale]}`;
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
