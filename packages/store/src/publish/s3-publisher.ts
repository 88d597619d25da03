import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { eachLimited, ObjectNotFound, type S3ObjectStore, StoreWriteFailed } from '@cellfolio/bytes';
import { derivedPrefix, manifestKey } from '../dataset-id.ts';
import { DatasetDamaged, DatasetExists, DatasetNotFound } from '../errors.ts';
import { type DatasetManifest, objectsPrefix, parseManifest } from '../manifest.ts';
import { type DatasetPublisher, type PublishOptions, sweepIncoming } from './dataset-publisher.ts';
import { manifestBytes } from '../manifest.ts';
import { S3Leftovers } from './s3-leftovers.ts';
import type { StagingFolder } from './staging-folder.ts';

const filesAtOnce = 4;
const pieceBytes = 1 << 20;
/** Maximum number of competing writers of one name before giving up. */
const attempts = 5;

interface PresentManifest {
  tag: string;
  /** Undefined if it cannot be read. */
  manifest: DatasetManifest | undefined;
}

/**
 * Datasets in a bucket, which cannot rename: the objects of each write go into a separate folder, and the manifest that
 * names it is written last, on condition that the previous manifest is unchanged.
 */
export class S3Publisher implements DatasetPublisher {
  readonly stagingRoot: string;
  readonly #objects: S3ObjectStore;
  readonly #leftovers: S3Leftovers;

  constructor(objects: S3ObjectStore, stagingRoot: string) {
    this.#objects = objects;
    this.stagingRoot = stagingRoot;
    this.#leftovers = new S3Leftovers(objects);
  }

  async sweep(): Promise<void> {
    await sweepIncoming(this.stagingRoot);
    await this.#leftovers.sweep();
  }

  async has(id: string): Promise<boolean> {
    return (await this.#objects.head(manifestKey(id))) !== undefined;
  }

  async publish(
    staged: StagingFolder,
    manifest: DatasetManifest,
    { replace, signal }: PublishOptions,
  ): Promise<DatasetManifest> {
    const { id } = manifest;
    const folder = newFolder();
    const stored: DatasetManifest = { ...manifest, folder };
    const claim = await this.#leftovers.claim(id, folder);
    try {
      await this.#send(staged, stored, claim.renew, signal);
      await this.#check(stored);
      signal?.throwIfAborted();
      await this.#commit(stored, replace);
    } catch (error) {
      // What cannot be removed now is swept when this process has ended.
      await this.#leftovers.drop(id, folder, claim).catch(() => undefined);
      throw error;
    }
    // The dataset is published; the next writer can do the rest.
    await this.#leftovers.tidy(id, claim).catch(() => undefined);
    if (replace) await this.#removeDerived(id).catch(() => undefined);
    await staged.remove();
    return stored;
  }

  async remove(id: string): Promise<void> {
    const present = await this.#present(id);
    if (!present) throw new DatasetNotFound(id);
    try {
      if (present.manifest?.folder !== undefined)
        await this.#leftovers.markForDeletion(id, present.manifest.folder);
      await this.#objects.delete(manifestKey(id));
      await this.#leftovers.tidy(id);
      await this.#removeDerived(id);
    } catch (cause) {
      throw new StoreWriteFailed(manifestKey(id), { cause });
    }
  }

  async close(): Promise<void> {
    await this.#objects.close();
  }

  async #removeDerived(id: string): Promise<void> {
    const keys: string[] = [];
    for await (const key of this.#objects.list(derivedPrefix(id))) keys.push(key);
    for (const key of keys) await this.#objects.delete(key);
  }

  async #send(
    staged: StagingFolder,
    manifest: DatasetManifest,
    renew: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const prefix = objectsPrefix(manifest);
    const paths = Object.keys(manifest.files);
    await eachLimited(paths.length, filesAtOnce, async (i) => {
      const path = paths[i]!;
      await renew();
      const pieces = createReadStream(join(staged.path, path), { highWaterMark: pieceBytes });
      await this.#objects.put(prefix + path, pieces, { signal });
    });
  }

  /** Checks that all objects are there: a writer considered dead may have lost some to a sweep. */
  async #check(manifest: DatasetManifest): Promise<void> {
    const prefix = objectsPrefix(manifest);
    const sizes = new Map<string, number>();
    for await (const { key, size } of this.#objects.listObjects(prefix)) {
      sizes.set(key.slice(prefix.length), size);
    }
    for (const [path, { size }] of Object.entries(manifest.files)) {
      if (sizes.get(path) === size) continue;
      const cause = new Error(`it has ${sizes.get(path) ?? 'no'} bytes there instead of ${size}`);
      throw new StoreWriteFailed(prefix + path, { cause });
    }
  }

  /** Throws DatasetExists if there is another dataset that may not be replaced, or that was published first. */
  async #commit(manifest: DatasetManifest, replace: boolean): Promise<void> {
    const { id } = manifest;
    const key = manifestKey(id);
    const bytes = manifestBytes(manifest);
    for (let attempt = 1; ; attempt++) {
      const present = await this.#present(id);
      if (present && !replace) throw new DatasetExists(id);
      if (present?.manifest?.folder !== undefined)
        await this.#leftovers.markForDeletion(id, present.manifest.folder);
      const result = await this.#objects.putIf(key, bytes, present ? { tag: present.tag } : { absent: true });
      if (result === 'unknown') await this.#objects.put(key, bytes);
      // An answer may be lost, and some servers pass over conditions in silence: what is there now counts.
      if ((await this.#present(id))?.manifest?.folder === manifest.folder) return;
      if (!replace) throw new DatasetExists(id);
      if (attempt === attempts) {
        throw new StoreWriteFailed(key, {
          cause: new Error('other writers of this name published first each time'),
        });
      }
    }
  }

  async #present(id: string): Promise<PresentManifest | undefined> {
    try {
      const { bytes, tag } = await this.#objects.fetch(manifestKey(id), {});
      return { tag, manifest: parsed(bytes, id) };
    } catch (error) {
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
  }
}

function parsed(bytes: Uint8Array, id: string): DatasetManifest | undefined {
  try {
    return parseManifest(bytes, id);
  } catch (error) {
    if (error instanceof DatasetDamaged) return undefined;
    throw error;
  }
}

/** Begins with the time, for people who browse the bucket; the rest makes it unique. */
function newFolder(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();
  return `${time}-${randomBytes(8).toString('hex')}`;
}
