import type { DatasetManifest } from './manifest.ts';
import type { StagedFolder } from './staged-folder.ts';

export interface PlaceOptions {
  /** Take the place of a dataset of the same id; otherwise DatasetExists is thrown. */
  readonly replace: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Where finished datasets are put so that readers see them whole or not at all: a folder of files, or a bucket. */
export interface DatasetShelf {
  /** Folder below which datasets are prepared. */
  readonly stagingRoot: string;
  /** Removes what writers that died left behind. */
  sweep(): Promise<void>;
  has(id: string): Promise<boolean>;
  /**
   * Shows a dataset whose files, but for its manifest, are in the staged folder; that is gone afterwards. Returns the
   * manifest as it is stored. Throws DatasetExists, StoreWriteFailed.
   */
  place(staged: StagedFolder, manifest: DatasetManifest, options: PlaceOptions): Promise<DatasetManifest>;
  /** The dataset is gone at once, its files follow. Throws DatasetNotFound, StoreWriteFailed. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
