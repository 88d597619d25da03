import { FileObjectStore } from '@cellfolio/bytes';
import type { NumericArray } from '@cellfolio/model';
import { numbersChecksum, stringsChecksum } from './array-checksums.ts';
import { addGeneSums, type EntrySums, otherGene } from './entry-sums.ts';
import { DatasetDamaged, WrittenOtherwise } from './errors.ts';
import type { DatasetManifest } from './manifest.ts';
import { MatrixReader } from './matrix-reader.ts';
import { ZarrReader } from './zarr-reader.ts';

export interface WrittenContent {
  readonly arrays: ReadonlyMap<string, number>;
  /** Sums of the entries read for a matrix; undefined if they were not counted. */
  readonly matrices: ReadonlyMap<string, EntrySums | undefined>;
}

/**
 * Reads all arrays of a dataset in a folder as later readers do, and compares them with the intended values, one by
 * one. Throws WrittenOtherwise, the signal's reason.
 */
export async function verifyWritten(
  folder: string,
  manifest: DatasetManifest,
  { arrays, matrices }: WrittenContent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const objects = new FileObjectStore(folder);
  try {
    const nodes = new ZarrReader(objects, manifest.id, '');
    await nodes.open(manifest);
    for (const [path, checksum] of arrays) {
      signal?.throwIfAborted();
      const actual =
        nodes.array(path).data_type === 'string'
          ? stringsChecksum(await nodes.strings(path, signal))
          : await numbersOf(nodes, path, signal);
      if (actual !== checksum) throw new WrittenOtherwise(path, 'its values');
    }
    for (const [path, wanted] of matrices) await verifyMatrix(nodes, manifest, { path, wanted }, signal);
  } catch (cause) {
    throw cause instanceof DatasetDamaged ? new WrittenOtherwise(cause.path, 'its values', { cause }) : cause;
  } finally {
    await objects.close();
  }
}

async function numbersOf(nodes: ZarrReader, path: string, signal: AbortSignal | undefined): Promise<number> {
  const { values, exact } = await nodes.numbers(path, signal);
  return numbersChecksum(exact ?? values);
}

/** Runs even without sums to compare: it then verifies the checksums of its chunks. */
async function verifyMatrix(
  nodes: ZarrReader,
  manifest: DatasetManifest,
  { path, wanted }: { path: string; wanted: EntrySums | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const matrix = await MatrixReader.open(nodes, manifest, path);
  const sums = new Int32Array(matrix.geneCount);
  const genes = Int32Array.from({ length: matrix.geneCount }, (_, gene) => gene);
  await matrix.storedPieces(
    genes,
    (firstGene, cells, values) => {
      if (wanted === undefined) return;
      const starts = [0, cells.length];
      addGeneSums(sums, { firstGene, starts, cells, values: asCarried(values, wanted.wide) });
    },
    signal,
  );
  const gene = wanted && otherGene(sums, wanted.sums);
  if (gene !== undefined) throw new WrittenOtherwise(path, `the values of gene ${gene + 1}`);
}

function asCarried(values: NumericArray, wide: boolean): Float32Array | Float64Array {
  if (wide) return values instanceof Float64Array ? values : Float64Array.from(values);
  return values instanceof Float32Array ? values : Float32Array.from(values);
}
