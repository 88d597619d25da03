import type { JobKind } from '../job-table.ts';
import { build } from './build.ts';
import { cellxgene } from './cellxgene.ts';
import { combine } from './combine.ts';
import { convert } from './convert.ts';
import { copy } from './copy.ts';
import { download } from './download.ts';
import { inspect } from './inspect.ts';
import type { JobKindRules, Lane } from './job-kind.ts';
import { subset } from './subset.ts';

/** All kinds of jobs. The worker and the calls of users know them by this table alone. */
export const jobKinds: Readonly<Record<JobKind, JobKindRules>> = {
  inspect,
  convert,
  build,
  download,
  combine,
  subset,
  copy,
  cellxgene,
};

export function kindsIn(lane: Lane): JobKind[] {
  return (Object.keys(jobKinds) as JobKind[]).filter((kind) => jobKinds[kind].lane === lane);
}
