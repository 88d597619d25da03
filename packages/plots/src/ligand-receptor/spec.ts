import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

/** Ligand–receptor pairs in pairs of groups that express both: columns of one length, an interaction a row. */
export interface InteractionsInput {
  /** What the groups are, such as `Cell type`. */
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  readonly pairs: readonly { readonly ligand: string; readonly receptor: string }[];
  /** Places among groups and pairs. */
  readonly sources: Uint16Array;
  readonly targets: Uint16Array;
  readonly pairOf: Uint32Array;
  readonly means: Float64Array;
  readonly pValues: Float64Array;
  readonly permutations: number;
  /** p-values below count. */
  readonly threshold: number;
  /** The set of pairs in words. */
  readonly pairSet: string;
  readonly cautions?: readonly Caution[];
}

export interface LigandReceptorDotsSpec extends LabelGridSpec {
  readonly kind: 'ligand-receptor-dots';
  /** Interactions that are drawn, the surest first. */
  readonly best: readonly NamedInteraction[];
  readonly threshold: number;
  readonly passing: number;
  readonly tested: number;
  readonly permutations: number;
}

interface NamedInteraction {
  readonly source: string;
  readonly target: string;
  readonly ligand: string;
  readonly receptor: string;
  readonly mean: number;
  readonly p: number;
}
