import { countText } from '@cellfolio/model';
import type { MatrixReport, PreflightReport, RoleReport } from './preflight-report.ts';

const LABELS: Record<RoleReport['role'], string> = {
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
    ...format.matrices.map((matrix) => ({ label: `Matrix ${matrix.path}`, value: matrixText(matrix) })),
    { label: 'Tables', value: TABLES[format.tables] },
    { label: 'Expression', value: expression.what },
    ...(expression.source.scale ? [{ label: 'Scale', value: expression.source.scale.why }] : []),
    {
      label: 'Raw counts',
      value: expression.countsFrom === undefined ? 'none' : `kept, from ${expression.countsFrom}`,
    },
    { label: 'Values', value: valuesText(expression.values) },
    ...report.roles.map((role) => ({ label: LABELS[role.role], value: roleText(role) })),
    { label: 'Metadata', value: metadataText(report.metadata) },
    { label: 'Gene names', value: geneText(geneNames) },
    { label: 'Not kept', value: namesText(report.notKept) },
  ];
  return [...rows, ...report.warnings.map(({ message }) => ({ label: 'Note', value: message }))];
}

function othersText(others: PreflightReport['otherFeatures']): string {
  const named = others.map(
    ({ type, count, examples }) => `${countText(count)} ${type} (${examples.join(', ')})`,
  );
  return `${named.join(', ')}: left in the file`;
}

const TABLES: Record<PreflightReport['format']['tables'], string> = {
  current: 'as anndata writes them today',
  'separate-categories': 'with separate categories, as anndata 0.7 wrote them',
  compound: 'as records, as anndata before 0.7 wrote them',
};

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
  const rest = names.length - 12;
  return rest > 0 ? `${names.slice(0, 12).join(', ')} and ${rest} more` : names.join(', ');
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
