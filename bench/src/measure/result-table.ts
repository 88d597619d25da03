import { ratioOf, median, type Result, verdictOf } from './result.ts';

export interface CaseResults {
  readonly name: string;
  readonly title: string;
  readonly results: readonly Result[];
  readonly notes: readonly string[];
  /** One-minute load averages; above the number of cores, times are unreliable. */
  readonly load: readonly [before: number, after: number];
}

const heading = ['quantity', 'ours', 'peer', 'peer / ours', 'target', ''];

export function resultTable({ name, title, results, notes, load }: CaseResults): string {
  const rows = [heading, ...results.map(cellsOf)];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd());
  const loads = load.map((one) => one.toFixed(1)).join(' before, ');
  return [`${name}: ${title} (load ${loads} after)`, ...lines, ...notes.map((note) => `  · ${note}`)].join(
    '\n',
  );
}

function cellsOf(result: Result): string[] {
  const { quantity, unit, ours, peer, target } = result;
  return [
    quantity,
    spread(ours, unit),
    peer === undefined ? '–' : spread(peer, unit),
    peer === undefined ? '–' : `${figure(ratioOf(ours, peer))}×`,
    target === undefined ? '' : targetText(target, unit),
    verdictOf(result),
  ];
}

function targetText(target: NonNullable<Result['target']>, unit: string): string {
  switch (target.kind) {
    case 'ratio-at-least':
      return `≥ ${target.limit}×`;
    case 'median-at-most':
      return `≤ ${target.limit} ${unit}`;
    case 'each-at-most':
      return `each ≤ ${target.limit} ${unit}`;
    case 'below-peer-at-most':
      return `≥ peer − ${target.limit}`;
  }
}

function spread(values: readonly number[], unit: string): string {
  if (values.length === 0) return '–';
  const middle = `${figure(median(values))} ${unit}`;
  return values.length === 1
    ? middle
    : `${middle} [${figure(Math.min(...values))}–${figure(Math.max(...values))}] n=${values.length}`;
}

/** Three significant digits, at most two decimals, or three below 1. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toFixed(digits);
}
