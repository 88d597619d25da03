import { columnTitle } from '@cellfolio/contract';
import { countText } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';

/** A column of more values names cells or runs, not samples. */
export const maxSamples = 2000;

/** The column of obs that says which sample a cell is from, and how that is known. */
export interface SampleColumn {
  readonly column: string;
  readonly reason: string;
}

/** That of the patients, else what quality control or the mixing of samples took; undefined where none is known. */
export function sampleColumn({ roles, processing }: DatasetManifest): SampleColumn | undefined {
  if (roles.patient !== undefined) {
    return { column: roles.patient, reason: 'the column of patients or samples of this dataset' };
  }
  const quality = processing?.quality?.sampleColumn;
  if (quality !== undefined)
    return { column: quality, reason: 'the samples that quality control was done by' };
  const mixing = processing?.mixing?.column;
  return mixing === undefined
    ? undefined
    : { column: mixing, reason: 'the samples whose mixing was measured' };
}

const sampleNouns =
  /^(patient|donor|subject|individual|participant|animal|embryo|replicate|batch)(?:[ _.-]?id)?$/i;

/** What a value of the column is called: 'patient' for `patient_id`, 'sample' where the name does not say. */
export function sampleNoun(column: string): { readonly one: string; readonly many: string } {
  const one = sampleNouns.exec(column)?.[1]?.toLowerCase() ?? 'sample';
  return { one, many: one === 'batch' ? 'batches' : `${one}s` };
}

/** '2 patients', or '2 samples (Region)' where the name of the column does not say what they are. */
export function samplesText(count: number, column: string): string {
  const { one, many } = sampleNoun(column);
  const title = columnTitle(column);
  const named = one !== 'sample' || title === 'Sample';
  return `${countText(count)} ${count === 1 ? one : many}${named ? '' : ` (${title})`}`;
}
