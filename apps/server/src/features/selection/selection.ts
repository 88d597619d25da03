import type { FigureSource } from '@cellfolio/contract';
import type { CellMask } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { keyOfFilter, type SubsetFilter } from './subset-filter.ts';

/** The cells a call works on: a dataset at one version, and the part of it that was chosen. */
export interface Selection {
  readonly manifest: DatasetManifest;
  /** Absent for all cells. */
  readonly subset: SubsetFilter | undefined;
}

/** Where the cells of a selection are had from; undefined stands for all. Throws ApiFailure. */
export interface MaskSource {
  maskOf(selection: Selection, waiting: Waiting): Promise<CellMask | undefined>;
}

/** Of pictures that anybody may see: few, and kept, so that all who have no account may be one user. */
export const visitors = (): readonly string[] => ['visitors'];

export function datasetOf({ manifest }: Selection): DatasetRef {
  return { id: manifest.id, version: manifest.version };
}

/** Visible cache key of the cells. */
export function keyOfSelection({ manifest, subset }: Selection): string {
  return `${manifest.id}@${manifest.version}|${subset ? keyOfFilter(subset) : ''}`;
}

/** Tells the cache keys of a dataset, whatever its version: all of them begin as `keyOfSelection` does. */
export function keysOfDataset(datasetId: string): (key: string) => boolean {
  return (key) => key.startsWith(`${datasetId}@`);
}

/** What names a figure of these cells for good. */
export function sourceOf({ manifest, subset }: Selection, content: FigureSource['content']): FigureSource {
  return {
    dataset_filename: manifest.id,
    version: manifest.version,
    ...(subset && { subset }),
    content,
  };
}
