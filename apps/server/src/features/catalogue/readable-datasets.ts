import type { DatasetManifest } from '@cellfolio/store';
import type { Catalogue } from './catalogue.ts';

/** Datasets made of users' files. */
interface OwnDatasets {
  find(userId: string, id: string): Promise<DatasetManifest | undefined>;
  manifest(userId: string, id: string): Promise<DatasetManifest>;
}

/** The datasets that a user may read: those of the catalogue, and those of their own files. */
export class ReadableDatasets {
  readonly #catalogue: Pick<Catalogue, 'find' | 'manifest'>;
  readonly #own: OwnDatasets;

  constructor(parts: { catalogue: Pick<Catalogue, 'find' | 'manifest'>; own: OwnDatasets }) {
    this.#catalogue = parts.catalogue;
    this.#own = parts.own;
  }

  /** Undefined where there is none for this user. */
  async find(userId: string, id: string): Promise<DatasetManifest | undefined> {
    return isOwn(id) ? this.#own.find(userId, id) : this.#catalogue.find(id);
  }

  /** Throws ApiFailure 404 where there is none for this user; 409 where their own is not ready. */
  async manifest(userId: string, id: string): Promise<DatasetManifest> {
    return isOwn(id) ? this.#own.manifest(userId, id) : this.#catalogue.manifest(id);
  }
}

/** Whether an id is of the kind that users' own datasets have. */
export function isOwn(id: string): boolean {
  return id.startsWith('custom:');
}
