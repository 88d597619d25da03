import type { LegendGroup, ScatterSpec } from '../drawing/figure.ts';

export interface PagaSpec extends ScatterSpec {
  readonly kind: 'paga-graph';
  /** Of the groups. */
  readonly column: string;
  readonly nodes: readonly PagaNode[];
  /** Those that are drawn, the weakest first. */
  readonly edges: readonly PagaEdge[];
  /** Below it an edge is drawn only if it is in the tree. */
  readonly threshold: number;
  /** Edges that are not drawn. */
  readonly leftOut: number;
  readonly colours: { readonly cells: string; readonly outside: string };
}

export interface PagaNode extends LegendGroup {
  /** Median of the coordinates of its cells; null where none has a position. */
  readonly at: readonly [number, number] | null;
}

export interface PagaEdge {
  /** Places among the nodes. */
  readonly nodes: readonly [number, number];
  readonly connectivity: number;
  readonly isInTree: boolean;
}
