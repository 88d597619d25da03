import type { CommonSpec } from '../figure.ts';

/** Named rows and columns, with a dot or tile where both have a value: matrices are row-major. */
export interface LabelGridSpec extends CommonSpec {
  version: 1;
  subtitle: string;
  rowTitle: string;
  columnTitle: string;
  rows: readonly string[];
  /** Default regular; names of genes are in italics. */
  rowStyle?: 'italic';
  columns: readonly string[];
  columnStyle?: 'italic';
  /** Value that determines the colour; null for none. */
  values: readonly (number | null)[];
  valueTitle: readonly [string, string];
  domain: readonly [number, number];
  /** Areas of dots relative to the largest, 0 to 1; absent for tiles with numbers. */
  areas?: readonly number[];
  sizes?: {
    title: readonly [string, string];
    entries: readonly { label: string; area: number }[];
  };
  /** Tiles without their numbers. */
  isPlain?: true;
  nothing: string;
  colours: { ramp: readonly string[] };
}

export function cutGrid<Spec extends LabelGridSpec>(spec: Spec, rows: number, columns: number): Spec {
  const all = spec.columns.length;
  const cut = <T>(matrix: readonly T[]): T[] =>
    matrix.filter((_, at) => at % all < columns && Math.floor(at / all) < rows);
  return {
    ...spec,
    rows: spec.rows.slice(0, rows),
    columns: spec.columns.slice(0, columns),
    values: cut(spec.values),
    ...(spec.areas && { areas: cut(spec.areas) }),
  };
}
