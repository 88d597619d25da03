import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

/** Ligand–receptor pairs in pairs of groups that express both: columns of equal length, one interaction per row. */
export interface InteractionsInput {
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  readonly pairs: readonly { readonly ligand: string; readonly receptor: string }[];
  readonly sources: Uint16Array;
  readonly targets: Uint16Array;
  readonly pairOf: Uint32Array;
  readonly means: Float64Array;
  readonly pValues: Float64Array;
  readonly permutations: number;
  /** Smaller p-values count. */
  readonly threshold: number;
  readonly pairSet: string;
  readonly cautions?: readonly Caution[];
}

export interface LigandReceptorDotsSpec extends LabelGridSpec {
  readonly kind: 'ligand-receptor-dots';
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
