export type Unit =
  | 's'
  | 'ms'
  | 'MiB'
  | 'kB'
  | 'bytes'
  | 'ARI'
  | 'share'
  | 'genes'
  | 'sentences'
  | 'steps'
  | 'tokens';

type Target =
  /** The peer's value is at least `limit` times ours. */
  | { kind: 'ratio-at-least'; limit: number }
  /** The median of ours is at most this. */
  | { kind: 'median-at-most'; limit: number }
  /** All values of ours are at most this. */
  | { kind: 'each-at-most'; limit: number }
  /** The peer's median minus ours is at most this. */
  | { kind: 'below-peer-at-most'; limit: number };

export interface Result {
  quantity: string;
  unit: Unit;
  ours: readonly number[];
  peer?: readonly number[] | undefined;
  target?: Target | undefined;
}

export type Verdict = 'met' | 'MISSED' | 'not measured' | '';

export function verdictOf({ ours, peer, target }: Result): Verdict {
  if (target === undefined) return '';
  const value =
    target.kind === 'ratio-at-least'
      ? ratioOf(ours, peer ?? [])
      : target.kind === 'median-at-most'
        ? median(ours)
        : target.kind === 'each-at-most'
          ? Math.max(...ours)
          : median(peer ?? []) - median(ours);
  if (!Number.isFinite(value)) return 'not measured';
  const met = target.kind === 'ratio-at-least' ? value >= target.limit : value <= target.limit;
  return met ? 'met' : 'MISSED';
}

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function ratioOf(ours: readonly number[], peer: readonly number[]): number {
  return median(peer) / median(ours);
}

/** Quantile by nearest rank; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Results of the runs of both sides; without runs of the peer they have none. */
export function runResults<Run>(ours: readonly Run[], peer: readonly Run[]) {
  return (quantity: string, unit: Unit, of: (run: Run) => number, target?: Target): Result => ({
    quantity,
    unit,
    ours: ours.map(of),
    peer: peer.length > 0 ? peer.map(of) : undefined,
    target,
  });
}

/** Results whose values come one by one, in the order of the first value of each. */
export function collectResults() {
  const results = new Map<string, Result & { ours: number[] }>();
  return {
    add(quantity: string, unit: Unit, value: number): void {
      const result = results.get(quantity) ?? { quantity, unit, ours: [] };
      result.ours.push(value);
      results.set(quantity, result);
    },
    list: (): Result[] => [...results.values()],
  };
}

/** Wall-clock seconds, and processor seconds, which other load affects less. */
export type Spent = readonly [clock: number, processor: number];

export function stopwatch(): () => Spent {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return [(performance.now() - clock) / 1000, (user + system) / 1e6];
  };
}

/** Times a call to another process. `call` returns its wall-clock milliseconds. */
export async function timed(
  { processor }: { processor: () => number },
  call: () => Promise<number>,
): Promise<Spent> {
  const before = processor();
  const milliseconds = await call();
  return [milliseconds / 1000, processor() - before];
}

/** @param target of the clock */
export function spentResults(
  quantity: string,
  ours: readonly Spent[],
  peer: readonly Spent[] | undefined,
  target?: Target,
): Result[] {
  return (['by the clock', 'of the processor'] as const).map((which, at) => ({
    quantity: `${quantity}, ${which}`,
    unit: 's',
    ours: ours.map((spent) => spent[at]!),
    peer: peer?.map((spent) => spent[at]!),
    target: at === 0 ? target : undefined,
  }));
}

export interface CaseResults {
  name: string;
  title: string;
  results: readonly Result[];
  notes: readonly string[];
  /** One-minute load averages; above the number of cores, times are unreliable. */
  load: readonly [before: number, after: number];
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
