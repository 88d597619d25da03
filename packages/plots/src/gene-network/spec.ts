import type { CommonSpec } from '../drawing/figure.ts';

export interface GeneNetworkSpec extends CommonSpec {
  readonly kind: 'gene-network';
  readonly version: 1;
  readonly subtitle: string;
  readonly nodes: readonly NetworkNode[];
  /** The weakest first. */
  readonly edges: readonly NetworkEdge[];
  readonly modules: readonly { readonly label: string; readonly size: number; readonly colour: string }[];
}

export interface NetworkNode {
  readonly gene: string;
  /** Place among the modules. */
  readonly module: number;
  /** Mean local correlation with the others of its module. */
  readonly withinModule: number;
  /** From 0 to 1, from the left and from the top. */
  readonly at: readonly [number, number];
}

export interface NetworkEdge {
  /** Places among the nodes. */
  readonly nodes: readonly [number, number];
  readonly score: number;
}
