import type { FileReport, Job, JobProblem, OwnFile, OwnFiles } from '@cellfolio/contract';
import { isActive } from './jobs/own-files.ts';

/** The state of an upload, as its row shows it. */
export interface FileState {
  report: FileReport | null;
  problem: JobProblem | null;
  dataset: OwnFile['dataset'];
  /** The samples that it was combined from. */
  combined: OwnFile['combined'];
  /** The dataset that its cells were taken from. */
  partOf: OwnFile['part_of'];
  /** The file whose dataset its own was made beside. */
  copyOf: OwnFile['copy_of'];
  /** Under way on this file; the newest of each kind. */
  inspecting: Job | null;
  converting: Job | null;
  building: Job | null;
}

/** The states of all files by id; a file that the server does not list has none. */
export function fileStates({
  files,
  jobs,
}: Pick<OwnFiles, 'files' | 'jobs'>): ReadonlyMap<string, FileState> {
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

/** Whether a dataset can be explored: one that was built before stays until a new one takes its place. */
export function isOpenable(dataset: OwnFile['dataset']): boolean {
  return dataset !== null && (dataset.state === 'ready' || dataset.cells !== null);
}

/** Names of the files that samples were combined from: what becomes of them is decided in the combined file. */
export function combinedFiles(files: OwnFiles['files']): ReadonlySet<string> {
  return new Set(files.flatMap(({ combined }) => (combined?.files ?? []).map(({ file }) => file)));
}

/** Whether no dataset is made until its owner has seen which cells would be removed. */
export function waitsForReview(state: FileState | undefined): boolean {
  const { report, dataset } = state ?? {};
  return report?.kind === 'h5ad' && dataset === null && report.waitsFor.includes('qualityControl');
}

/** What the inspection of a file warned of and, once its dataset is ready, what the build did, each once. */
export function warningsOf(report: FileReport, dataset: OwnFile['dataset']): readonly string[] {
  const found = report.kind === 'h5ad' ? report.warnings.map(({ message }) => message) : [];
  return [...new Set([...found, ...(isOpenable(dataset) ? (dataset?.warnings ?? []) : [])])];
}

/** What the dialog of columns and settings is called, by what is done in it. */
export function settingsTitle(state: FileState): string {
  if (waitsForReview(state)) return 'Review quality control';
  const { report, dataset } = state;
  const computes = report?.kind === 'h5ad' && report.willCompute.length > 0;
  return computes && isOpenable(dataset) ? 'Process Again' : 'Columns and settings';
}
