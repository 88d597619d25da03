import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

/** Ligand–receptor pairs in pairs of groups that express both: columns of equal length, one interaction per row. */
export interface InteractionsInput {
  groupTitle: string;
  groups: readonly { label: string; cells: number }[];
  pairs: readonly { ligand: string; receptor: string }[];
  sources: Uint16Array;
  targets: Uint16Array;
  pairOf: Uint32Array;
  means: Float64Array;
  pValues: Float64Array;
  permutations: number;
  /** Smaller p-values count. */
  threshold: number;
  pairSet: string;
  cautions?: readonly Caution[];
}

export interface LigandReceptorDotsSpec extends LabelGridSpec {
  kind: 'ligand-receptor-dots';
  best: readonly NamedInteraction[];
  threshold: number;
  passing: number;
  tested: number;
  permutations: number;
}

interface NamedInteraction {
  source: string;
  target: string;
  ligand: string;
  receptor: string;
  mean: number;
  p: number;
}
