import * as zarr from 'zarrita';
import { numbersChecksum, stringsChecksum } from './array-checksums.ts';
import { compressed, stringBytes } from './chunk-codecs.ts';
import type { PlannedNode } from './encode-column.ts';
import { asType } from './numeric-arrays.ts';
import type { StagingFolder } from './publish/staging-folder.ts';
import { limitedQueue } from './zarr-reader.ts';
import { chunkMetadata, groupMetadata, type NodeMetadata, plainArray } from './zarr-metadata.ts';

/** Values per plain chunk: some MiB, so that a column of a million cells takes one or two reads. */
const plainChunkValues = 1 << 20;
const stringChunkRows = 1 << 18;

/** Writes groups and plain arrays, and collects all metadata for the root's consolidated form. */
export class ZarrWriter {
  readonly #folder: StagingFolder;
  readonly #metadata = new Map<string, NodeMetadata>();
  readonly checksums = new Map<string, number>();

  constructor(folder: StagingFolder) {
    this.#folder = folder;
  }

  has(path: string): boolean {
    return this.#metadata.has(path);
  }

  async declare(path: string, metadata: NodeMetadata): Promise<void> {
    this.#metadata.set(path, metadata);
    await this.#folder.write(`${path}/zarr.json`, jsonBytes(metadata));
  }

  async write(node: PlannedNode): Promise<void> {
    if (node.kind === 'group') return this.declare(node.path, groupMetadata(node.attributes));
    if (node.kind === 'strings') return this.#strings(node);
    const { path, type, shape, attributes, chunkValues = plainChunkValues } = node;
    const [rows = 0, ...rest] = shape;
    const perRow = rest.reduce((product, length) => product * length, 1);
    const limit = Math.max(1, Math.floor(chunkValues / Math.max(1, perRow)));
    // Zarr allows no chunk of length 0, also where there is nothing to store.
    const chunkShape = [evenChunk(rows, limit), ...rest.map((length) => Math.max(1, length))];
    const metadata = plainArray(type, shape, chunkShape, attributes);
    await this.declare(path, metadata);
    const typed = asType(type, node.values);
    this.checksums.set(path, numbersChecksum(typed));
    if (rows * perRow === 0) return;
    const chunks = {
      get: () => undefined,
      set: (key: string, bytes: Uint8Array) => this.#folder.write(path + key, bytes),
    };
    const stride = shape.map((_, i) => shape.slice(i + 1).reduce((product, length) => product * length, 1));
    const selected = {
      data: typed as zarr.TypedArray<zarr.NumberDataType>,
      shape: [...shape],
      stride,
    };
    // Few chunks beside the array: it may be of hundreds of megabytes.
    await zarr.set(new zarr.Array(chunks, '/', chunkMetadata(metadata)), null, selected, {
      createQueue: limitedQueue,
    });
  }

  /** zarrita cannot write strings, and would make an object of each. */
  async #strings({ path, strings, attributes }: PlannedNode & { kind: 'strings' }): Promise<void> {
    const rows = strings.offsets.length - 1;
    const chunkRows = evenChunk(rows, stringChunkRows);
    await this.declare(path, plainArray('string', [rows], [chunkRows], attributes));
    this.checksums.set(path, stringsChecksum(strings));
    for (let from = 0, chunk = 0; from < rows; from += chunkRows, chunk++) {
      const bytes = stringBytes(strings, from, Math.min(rows, from + chunkRows), chunkRows);
      await this.#folder.write(`${path}/c/${chunk}`, await compressed(bytes));
    }
  }

  /** Writes the root group with the metadata of everything below it: one read opens the dataset. */
  async writeRoot(): Promise<void> {
    const depth = (path: string) => path.split('/').length;
    const paths = [...this.#metadata.keys()].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
    const root = {
      ...groupMetadata({ 'encoding-type': 'anndata', 'encoding-version': '0.1.0' }),
      consolidated_metadata: {
        kind: 'inline',
        must_understand: false,
        metadata: Object.fromEntries(paths.map((path) => [path, this.#metadata.get(path)])),
      },
    };
    await this.#folder.write('zarr.json', jsonBytes(root));
  }
}

/** Rows per chunk such that all chunks are about equal: the last one is padded to the full size. */
function evenChunk(rows: number, limit: number): number {
  return Math.max(1, Math.ceil(rows / Math.max(1, Math.ceil(rows / limit))));
}

function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
