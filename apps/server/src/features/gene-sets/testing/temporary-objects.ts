import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ByteRange, FileObjectStore, type ObjectStore } from '@cellfolio/store';

export interface TemporaryObjects {
  folder: string;
  objects: ObjectStore;
  reads: string[];
  remove(): Promise<void>;
}

export async function temporaryObjects(): Promise<TemporaryObjects> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-gene-sets-'));
  const files = new FileObjectStore(folder);
  const reads: string[] = [];
  return {
    folder,
    reads,
    objects: {
      get: (key: string, options?: { range?: ByteRange; signal?: AbortSignal }) => {
        reads.push(key);
        return files.get(key, options);
      },
      put: (key, body) => files.put(key, body),
      delete: (key) => files.delete(key),
      list: (prefix) => files.list(prefix),
      head: (key) => files.head(key),
    },
    remove: async () => {
      await files.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
