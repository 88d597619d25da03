import {
  mixingCaution,
  sampleMixing,
  type Caution,
  type ProcessingRecord,
  type Table,
} from '@cellfolio/model';
import type { ObsRoles } from './detect-obs-roles.ts';
import { sampleColumnOf } from './read-samples.ts';
import { toCategorical } from './to-categorical.ts';

/**
 * Says where the samples of a dataset do not share its clusters: the samples of the column that is named so, else the
 * patients. `near` is what is known of the neighbours of cells.
 */
export function mixingCautions(
  table: Table,
  { chosen }: Pick<ObsRoles, 'chosen'>,
  near: ProcessingRecord['mixing'],
): Caution[] {
  const { columns } = table;
  const { cluster, patient } = chosen;
  const clusters = cluster === undefined ? undefined : toCategorical(columns.get(cluster)!);
  if (clusters === undefined) return [];
  for (const column of new Set([near?.column, sampleColumnOf(table), patient])) {
    const samples = column === undefined || column === cluster ? undefined : columns.get(column);
    const codes = samples && toCategorical(samples);
    const mixing = codes && sampleMixing(clusters, codes);
    const caution = mixing && mixingCaution(mixing, column!, near?.column === column ? near : undefined);
    if (caution !== undefined) return [caution];
  }
  return [];
}
