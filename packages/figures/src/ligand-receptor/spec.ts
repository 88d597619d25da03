import type { LigandReceptorFigure } from '@cellfolio/analyses';
import type { Caution } from '@cellfolio/model';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';

export interface InteractionsInput extends LigandReceptorFigure {
  readonly cautions?: readonly Caution[];
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
