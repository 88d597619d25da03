import { stat } from 'node:fs/promises';
import { datasetFolder } from './dataset-id.ts';
import type { DatasetShelf, PlaceOptions } from './dataset-shelf.ts';
import { sweepIncoming } from './incoming.ts';
import type { DatasetManifest } from './manifest.ts';
import { moveDatasetAway, placeDataset } from './place-dataset.ts';
import type { StagedFolder } from './staged-folder.ts';

/** Datasets as folders below the root of a FileObjectStore: prepared beside the others and renamed into place. */
export class FileShelf implements DatasetShelf {
  readonly stagingRoot: string;

  constructor(root: string) {
    this.stagingRoot = root;
  }

  async sweep(): Promise<void> {
    await sweepIncoming(this.stagingRoot);
  }

  async has(id: string): Promise<boolean> {
    return (await stat(datasetFolder(this.stagingRoot, id)).catch(() => undefined)) !== undefined;
  }

  async place(
    staged: StagedFolder,
    manifest: DatasetManifest,
    { replace, signal }: PlaceOptions,
  ): Promise<DatasetManifest> {
    await staged.write('manifest.json', manifestBytes(manifest));
    await staged.settle();
    signal?.throwIfAborted();
    await placeDataset(this.stagingRoot, manifest.id, staged.path, replace);
    return manifest;
  }

  async remove(id: string): Promise<void> {
    await moveDatasetAway(this.stagingRoot, id);
  }

  async close(): Promise<void> {}
}

export function manifestBytes(manifest: DatasetManifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}
