import type { DatasetManifest } from '@cellfolio/store';

/** The column of obs that says which sample a cell is from: the patients, else what quality control or mixing took. */
export function sampleColumn({ roles, processing }: DatasetManifest): string | undefined {
  return roles.patient ?? processing?.quality?.sampleColumn ?? processing?.mixing?.column;
}
