import type { CommonSpec } from '../drawing/figure.ts';

export interface CompositionBarSpec extends CommonSpec {
  readonly kind: 'composition-bar';
  readonly version: 1;
  readonly show: 'share' | 'count';
  readonly groupTitle: string;
  readonly partTitle: string;
  readonly parts: readonly { readonly label: string; readonly colour: string; readonly cells: number }[];
  readonly groups: readonly {
    readonly label: string;
    readonly cells: number;
    readonly counts: readonly number[];
  }[];
  readonly groupCount: number;
}
