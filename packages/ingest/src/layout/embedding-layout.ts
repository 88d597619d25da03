import type { Embedding } from '@cellfolio/model';

/** Coordinates are held in memory. */
export const MOST_COORDINATES = 2 ** 28;

/** Where an entry of `obsm` lies; its coordinates are not read yet. */
export interface EmbeddingLayout {
  readonly name: string;
  readonly rowCount: number;
  readonly dimensions: number;
  /** Names of the dimensions, where the entry was a table. */
  readonly columns?: readonly string[];
  read(): Embedding;
}

/** What of `obsm` was left out: an entry, or `entry/column`. */
export interface SkippedEmbedding {
  readonly name: string;
  readonly reason: string;
}
