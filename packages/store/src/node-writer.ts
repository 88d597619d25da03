import type { PlannedNode } from './encode-column.ts';
import { numberBytes } from './number-bytes.ts';
import type { StagingFolder } from './publish/staging-folder.ts';
import { stringBytes } from './string-bytes.ts';
import { groupMetadata, type NodeMetadata, plainArray } from './zarr-metadata.ts';
import { compressed } from './zstd.ts';

/** Values of a plain chunk: some MiB, so that a column of a million cells is a read or two. */
const plainChunkValues = 1 << 20;
const stringChunkRows = 1 << 18;

/** Writes groups and plain arrays, and remembers all metadata for the root's consolidated form. */
export class NodeWriter {
  readonly #folder: StagingFolder;
  readonly #metadata = new Map<string, NodeMetadata>();

  constructor(folder: StagingFolder) {
    this.#folder = folder;
  }

  has(path: string): boolean {
    return this.#metadata.has(path);
  }

  /** Writes the metadata of a node, whose chunks are written elsewhere. */
  async declare(path: string, metadata: NodeMetadata): Promise<void> {
    this.#metadata.set(path, metadata);
    await this.#folder.write(`${path}/zarr.json`, jsonBytes(metadata));
  }

  async write(node: PlannedNode): Promise<void> {
    if (node.kind === 'group') return this.declare(node.path, groupMetadata(node.attributes));
    const strings = node.kind === 'strings';
    const shape = strings ? [node.strings.offsets.length - 1] : node.shape;
    const type = strings ? 'string' : node.type;
    const rows = shape[0] ?? 0;
    const perRow = shape.slice(1).reduce((product, length) => product * length, 1);
    const chunkRows = evenChunk(
      rows,
      strings ? stringChunkRows : Math.max(1, Math.floor(plainChunkValues / Math.max(1, perRow))),
    );
    // Zarr allows no chunk of length 0, also where there is nothing to store.
    const chunkShape = [chunkRows, ...shape.slice(1).map((length) => Math.max(1, length))];
    await this.declare(node.path, plainArray(type, shape, chunkShape, node.attributes));
    if (perRow === 0) return;
    const rest = shape
      .slice(1)
      .map(() => '/0')
      .join('');
    for (let from = 0, chunk = 0; from < rows; from += chunkRows, chunk++) {
      const to = Math.min(rows, from + chunkRows);
      const bytes = strings
        ? stringBytes(node.strings, from, to, chunkRows)
        : numberBytes(node.type, node.values, from * perRow, to * perRow, chunkRows * perRow);
      await this.#folder.write(`${node.path}/c/${chunk}${rest}`, await compressed(bytes));
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

/** Rows of a chunk such that all chunks are about equal: the last one is padded to the full size. */
function evenChunk(rows: number, limit: number): number {
  return Math.max(1, Math.ceil(rows / Math.max(1, Math.ceil(rows / limit))));
}

function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
