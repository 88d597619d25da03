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
