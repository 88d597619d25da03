import { type PlannedNode, numbers } from './encode-column.ts';
import type { RowRange, ZarrReader } from './zarr-reader.ts';

/**
 * Parts of the dataset's file that are not interpreted: a description, and one sequence of bytes in arrays of equal
 * length, each with the checksums of its chunks.
 */
export const carriedPath = 'uns/cellfolio_carried';

const descriptionPath = `${carriedPath}/description`;

export interface Carried {
  /** Not cached. Throws DatasetDamaged. */
  description(signal?: AbortSignal): Promise<unknown>;
  /** Not cached. Throws RangeError, DatasetDamaged. */
  bytes(range: RowRange, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Takes one piece after the other, then the description. */
export function* carriedNodes(pieces: Iterable<Uint8Array>, describe: () => unknown): Generator<PlannedNode> {
  yield {
    kind: 'group',
    path: carriedPath,
    attributes: { 'encoding-type': 'dict', 'encoding-version': '0.1.0' },
  };
  let at = 0;
  for (const piece of pieces) yield numbers(`${carriedPath}/${at++}`, 'uint8', piece);
  yield numbers(descriptionPath, 'uint8', Buffer.from(JSON.stringify(describe())));
}

export function carriedOf(nodes: ZarrReader): Carried | undefined {
  if (!nodes.has(descriptionPath)) return undefined;
  const lengthOf = (path: string) => nodes.array(path).shape[0] ?? 0;
  const first = `${carriedPath}/0`;
  const pieceBytes = nodes.has(first) ? lengthOf(first) : 1;
  const read = async (path: string, range: RowRange, signal?: AbortSignal) => {
    const { values } = await nodes.numbers(path, signal, range);
    if (!(values instanceof Uint8Array)) throw nodes.damaged(path, 'it does not hold bytes');
    return values;
  };
  return {
    async description(signal) {
      const bytes = await read(descriptionPath, { from: 0, to: lengthOf(descriptionPath) }, signal);
      try {
        return JSON.parse(Buffer.from(bytes).toString()) as unknown;
      } catch {
        throw nodes.damaged(descriptionPath, 'it is no JSON');
      }
    },
    async bytes({ from, to }, signal) {
      const some: Uint8Array[] = [];
      for (let at = from; at < to;) {
        const piece = Math.floor(at / pieceBytes);
        const start = piece * pieceBytes;
        const path = `${carriedPath}/${piece}`;
        if (!nodes.has(path)) throw new RangeError(`The bytes ${from} to ${to} are not all there.`);
        const end = Math.min(to, start + lengthOf(path));
        if (end <= at) throw new RangeError(`The bytes ${from} to ${to} are not all there.`);
        some.push(await read(path, { from: at - start, to: end - start }, signal));
        at = end;
      }
      return some.length === 1 ? some[0]! : Buffer.concat(some);
    },
  };
}
