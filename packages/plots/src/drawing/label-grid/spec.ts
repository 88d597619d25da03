import type { CommonSpec } from '../figure.ts';

/** Rows and columns by names, with a dot or a tile where both have something: matrices are row-major. */
export interface LabelGridSpec extends CommonSpec {
  readonly version: 1;
  readonly subtitle: string;
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** What decides the colour; null where there is nothing. */
  readonly values: readonly (number | null)[];
  readonly valueTitle: readonly [string, string];
  readonly domain: readonly [number, number];
  /** Areas of dots as parts of the largest, 0 to 1; absent where there are tiles with their numbers. */
  readonly areas?: readonly number[];
  /** What the areas mean. */
  readonly sizes?: {
    readonly title: readonly [string, string];
    readonly entries: readonly { readonly label: string; readonly area: number }[];
  };
  /** What stands in the place of a grid without rows. */
  readonly nothing: string;
  readonly colours: { readonly ramp: readonly string[] };
}

/** The first rows and columns alone. */
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
