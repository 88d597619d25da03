import type { GeneColumn } from '@cellfolio/model';
import { ByteCache, type CacheUse } from '@cellfolio/bytes';

/** Overhead besides the two arrays: their objects, and the key. */
const bytesOfOne = 512;

export class GeneCache {
  readonly #genes: ByteCache<string, GeneColumn>;

  constructor(bytes: number) {
    this.#genes = new ByteCache(
      bytes,
      ({ cells, values }) => cells.byteLength + values.byteLength + bytesOfOne,
    );
  }

  get use(): CacheUse {
    return this.#genes.use;
  }

  get(dataset: VersionOfDataset, row: number): GeneColumn | undefined {
    return this.#genes.get(keyOf(dataset, row));
  }

  set(dataset: VersionOfDataset, row: number, gene: GeneColumn): void {
    this.#genes.set(keyOf(dataset, row), gene);
  }

  /** Drops the cached genes of one version of a dataset, or of all. */
  forget(id: string, version?: string): void {
    const start = version === undefined ? `${id}\n` : `${id}\n${version}\n`;
    this.#genes.forget((key) => key.startsWith(start));
  }
}

interface VersionOfDataset {
  id: string;
  version: string;
}

function keyOf({ id, version }: VersionOfDataset, row: number): string {
  return `${id}\n${version}\n${row}`;
}
