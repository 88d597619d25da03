import type { JobProblem } from '@cellfolio/contract';
import type { Work, WorkResults } from '../work/index.ts';

/** What the worker tells the process that does the work. */
export type ToChild =
  { readonly kind: 'work'; readonly work: Work; readonly scratch: string } | { readonly kind: 'cancel' };

/** What that process tells. The last one is a result or a problem; without either it died. */
export type FromChild =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction: number }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'result'; readonly result: WorkResults[Work['kind']] }
  /** `fault`: what only whoever runs the server should read. */
  | { readonly kind: 'problem'; readonly problem: JobProblem; readonly fault: string | null };
