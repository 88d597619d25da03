import type { DatasetWriter } from '@cellfolio/store';
import { H5adError } from '../h5ad-error.ts';
import type { CarriedContent } from './carried-content.ts';
import type { DatasetAdditions } from '../additions.ts';
import { type CarriedPlan, type LeftOut, leftOutText } from './plan-carried.ts';

/** Bytes of an object of the store, and in memory at a time. */
const pieceBytes = 16 * 2 ** 20;

/** For a format whose other parts are left. */
const nothing: CarriedPlan = {
  content: { bytes: 0, cellCount: 0, geneCount: 0, elements: [] },
  parts: [],
  leftOut: [],
};

/**
 * Writes the elements into the dataset in bounded memory, and which parts were computed beside them. Returns those whose
 * values could not be read, which are left out.
 */
export async function writeCarried(
  { content, parts, leftOut }: CarriedPlan = nothing,
  additions: DatasetAdditions,
  writer: DatasetWriter,
): Promise<LeftOut[]> {
  const added = addedPaths(additions);
  if (content.elements.length + leftOut.length + added.length === 0) return [];
  const failed = new Map<string, string>();
  const unread = () => Array.from(failed, ([path, reason]): LeftOut => ({ path, reason }));
  await writer.carried(inPieces(allBytes(parts, failed)), (): CarriedContent => ({
    ...content,
    elements: content.elements.filter(({ path }) => !failed.has(path)),
    leftOut: [...leftOut, ...unread()].map(leftOutText),
    added,
  }));
  return unread();
}

function addedPaths({ obs = new Map(), var: genes = new Map(), obsm = [] }: DatasetAdditions): string[] {
  return [
    ...Array.from(obs.keys(), (name) => `obs/${name}`),
    ...Array.from(genes.keys(), (name) => `var/${name}`),
    ...obsm.map(({ name }) => `obsm/${name}`),
  ];
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
