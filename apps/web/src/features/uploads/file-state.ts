import type { FileReport, Job, JobProblem, UserFileRecord, UserFileList } from '@cellfolio/contract';
import { isActive } from './jobs/own-files.ts';

export interface FileState {
  report: FileReport | null;
  problem: JobProblem | null;
  dataset: UserFileRecord['dataset'];
  combined: UserFileRecord['combined'];
  partOf: UserFileRecord['part_of'];
  copyOf: UserFileRecord['copy_of'];
  inspecting: Job | null;
  converting: Job | null;
  building: Job | null;
}

/** States by file id; a file that the server does not list has none. */
export function fileStates({
  files,
  jobs,
}: Pick<UserFileList, 'files' | 'jobs'>): ReadonlyMap<string, FileState> {
  const active = jobs.filter(isActive);
  return new Map(
    files.map(({ file_id, report, problem, dataset, combined, part_of: partOf, copy_of: copyOf }) => {
      const on = (kind: Job['kind']) =>
        active.find((job) => job.kind === kind && job.file_ids.includes(file_id)) ?? null;
      const state: FileState = {
        report,
        problem,
        dataset,
        combined,
        partOf,
        copyOf,
        inspecting: on('inspect'),
        converting: on('convert'),
        building: on('build'),
      };
      return [file_id, state];
    }),
  );
}

/** Whether a dataset can be explored: an earlier build stays available until a new one replaces it. */
export function isOpenable(dataset: UserFileRecord['dataset']): boolean {
  return dataset !== null && (dataset.state === 'ready' || dataset.cells !== null);
}

/** Names of the files that were combined into another; what becomes of their cells is decided in the combined file. */
export function combinedFiles(files: UserFileList['files']): ReadonlySet<string> {
  return new Set(files.flatMap(({ combined }) => (combined?.files ?? []).map(({ file }) => file)));
}

/** Whether no dataset is built until its owner has reviewed which cells would be removed. */
export function waitsForReview(state: FileState | undefined): boolean {
  const { report, dataset } = state ?? {};
  return report?.kind === 'h5ad' && dataset === null && report.waitsFor.includes('qualityControl');
}

/** Warnings of the inspection and, once the dataset is ready, of the build, without duplicates. */
export function warningsOf(report: FileReport, dataset: UserFileRecord['dataset']): readonly string[] {
  const reportWarnings = report.kind === 'h5ad' ? report.warnings.map(({ message }) => message) : [];
  return [...new Set([...reportWarnings, ...(isOpenable(dataset) ? (dataset?.warnings ?? []) : [])])];
}

export function settingsTitle(state: FileState): string {
  if (waitsForReview(state)) return 'Review quality control';
  const { report, dataset } = state;
  const computes = report?.kind === 'h5ad' && report.willCompute.length > 0;
  return computes && isOpenable(dataset) ? 'Process Again' : 'Columns and settings';
}
