import type { DatasetWriter } from '@cellfolio/store';
import { H5adError } from '../h5ad-error.ts';
import type { CarriedPlan } from './plan-carried.ts';

/** Bytes of an object of the store, and in memory at a time. */
const pieceBytes = 16 * 2 ** 20;

/**
 * Writes the elements into the dataset in bounded memory. Returns those whose values could not be read, which are left
 * out.
 */
export async function writeCarried(
  { content, parts }: CarriedPlan,
  writer: DatasetWriter,
): Promise<CarriedPlan['leftOut']> {
  const failed = new Map<string, string>();
  await writer.carried(inPieces(allBytes(parts, failed)), () => ({
    ...content,
    elements: content.elements.filter(({ path }) => !failed.has(path)),
  }));
  return [...failed].map(([path, reason]) => ({ path, reason }));
}

function* allBytes(parts: CarriedPlan['parts'], failed: Map<string, string>): Generator<Uint8Array> {
  for (const { path = '', pieces } of parts) {
    for (const { bytes, read } of pieces) {
      let done = 0;
      try {
        if (!failed.has(path)) {
          for (const some of read()) {
            done += some.length;
            yield some;
          }
        }
      } catch (error) {
        if (!(error instanceof H5adError)) throw error;
        failed.set(path, error.problem.replace(/\.$/, ''));
      }
      // The places of all others stay.
      for (; done < bytes; done += pieceBytes) yield new Uint8Array(Math.min(pieceBytes, bytes - done));
    }
  }
}

function* inPieces(all: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes);
  let end = 0;
  for (const bytes of all) {
    for (let from = 0; from < bytes.length;) {
      const take = Math.min(bytes.length - from, pieceBytes - end);
      piece.set(bytes.subarray(from, from + take), end);
      from += take;
      end += take;
      if (end < pieceBytes) continue;
      yield piece;
      piece = new Uint8Array(pieceBytes);
      end = 0;
    }
  }
  if (end > 0) yield piece.subarray(0, end);
}
