import type { CommonSpec } from '../figure.ts';

/** Named rows and columns, with a dot or tile where both have a value: matrices are row-major. */
export interface LabelGridSpec extends CommonSpec {
  readonly version: 1;
  readonly subtitle: string;
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Value that determines the colour; null for none. */
  readonly values: readonly (number | null)[];
  readonly valueTitle: readonly [string, string];
  readonly domain: readonly [number, number];
  /** Areas of dots relative to the largest, 0 to 1; absent for tiles with numbers. */
  readonly areas?: readonly number[];
  readonly sizes?: {
    readonly title: readonly [string, string];
    readonly entries: readonly { readonly label: string; readonly area: number }[];
  };
  readonly nothing: string;
  readonly colours: { readonly ramp: readonly string[] };
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
