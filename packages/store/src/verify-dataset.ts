import { createHash } from 'node:crypto';
import { ObjectNotFound, type ObjectStore } from '@cellfolio/bytes';
import { rowsOf } from '@cellfolio/model';
import { checksumBytes } from './chunk-buffers.ts';
import { crc32c } from './crc32c.ts';
import { datasetPrefix } from './dataset-id.ts';
import { DatasetDamaged, DatasetNotFound } from './errors.ts';
import { type DatasetManifest, type FileRecord, objectsPrefix, readManifest } from './manifest.ts';
import { MatrixReader } from './matrix-reader.ts';
import { ZarrReader } from './zarr-reader.ts';
import { embeddingPaths, openDataset } from './open-dataset.ts';

export interface VerifyReport {
  readonly id: string;
  readonly ok: boolean;
  readonly problems: { path: string; problem: string }[];
}

const pieceSize = 4 << 20;

/**
 * Reads every file of a dataset again and compares it with the manifest; then opens the intact ones and checks that
 * they fit together. Throws InvalidDatasetId, DatasetNotFound; damage is reported, not thrown.
 */
export async function verifyDataset(
  objects: ObjectStore,
  id: string,
  onProgress?: (progress: { doneBytes: number; totalBytes: number; path: string }) => void,
): Promise<VerifyReport> {
  const problems: { path: string; problem: string }[] = [];
  const report = () => ({ id, ok: problems.length === 0, problems });
  const prefix = datasetPrefix(id);
  const storedFiles = new Set<string>();
  for await (const key of objects.list(prefix)) storedFiles.add(key.slice(prefix.length));
  let manifest: DatasetManifest;
  try {
    manifest = await readManifest(objects, id);
  } catch (error) {
    if (error instanceof DatasetNotFound && storedFiles.size > 0) {
      problems.push({ path: 'manifest.json', problem: 'missing' });
    } else if (error instanceof DatasetDamaged) problems.push({ path: error.path, problem: error.reason });
    else throw error;
    return report();
  }

  const place = objectsPrefix(manifest);
  if (place !== prefix) {
    // Beside its manifest nothing belongs.
    storedFiles.delete('manifest.json');
    for (const path of storedFiles) problems.push({ path, problem: 'not in the manifest' });
    storedFiles.clear();
    for await (const key of objects.list(place)) storedFiles.add(key.slice(place.length));
  }
  const files = Object.entries(manifest.files);
  const totalBytes = files.reduce((sum, [, file]) => sum + file.size, 0);
  let doneBytes = 0;
  for (const [path, file] of files) {
    const problem = await faultOfFile(objects, place + path, file, (bytes) => {
      doneBytes += bytes;
      onProgress?.({ doneBytes, totalBytes, path });
    });
    if (problem) problems.push({ path, problem });
    storedFiles.delete(path);
  }
  storedFiles.delete('manifest.json');
  for (const path of storedFiles) problems.push({ path, problem: 'not in the manifest' });
  if (problems.length === 0) await checkParts(objects, manifest, problems);
  return report();
}

async function faultOfFile(
  objects: ObjectStore,
  key: string,
  expected: FileRecord,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  const size = (await objects.head(key))?.size;
  if (size === undefined) return 'missing';
  if (size !== expected.size) return `${size} bytes long instead of ${expected.size}`;
  try {
    const checksum = await digestOf(objects, key, expected, onBytes);
    return checksum === expected.sha256 ? undefined : 'altered: its checksum does not fit';
  } catch (error) {
    if (error instanceof ObjectNotFound || error instanceof RangeError) return 'vanished while it was read';
    throw error;
  }
}

/** Digest in the record's form; undefined if a chunk's checksum does not match. */
async function digestOf(
  objects: ObjectStore,
  key: string,
  { size, chunks = { count: 0, bytes: size } }: FileRecord,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  const { count, bytes } = chunks;
  const read = async (offset: number, length: number) => {
    const piece = await objects.get(key, { range: { offset, length } });
    onBytes(length);
    return piece;
  };
  const hash = createHash('sha256');
  const atOnce = Math.max(1, Math.floor(pieceSize / Math.max(1, bytes)));
  for (let chunk = 0; chunk < count; chunk += atOnce) {
    const some = Math.min(atOnce, count - chunk);
    const piece = await read(chunk * bytes, some * bytes);
    for (let end = bytes; end <= piece.length; end += bytes) {
      const stored = piece.subarray(end - checksumBytes, end);
      const sum = Buffer.alloc(checksumBytes);
      sum.writeUInt32LE(crc32c(piece.subarray(end - bytes, end - checksumBytes)));
      if (!sum.equals(stored)) return undefined;
      hash.update(stored);
    }
  }
  for (let offset = count * bytes; offset < size; offset += pieceSize)
    hash.update(await read(offset, Math.min(pieceSize, size - offset)));
  return hash.digest('hex');
}

/** Checks what checksums cannot show: that the parts are consistent with each other. */
async function checkParts(
  objects: ObjectStore,
  manifest: DatasetManifest,
  problems: { path: string; problem: string }[],
): Promise<void> {
  const { id, cellCount } = manifest;
  try {
    const dataset = await openDataset(objects, id, { cacheBytes: 0 });
    const nodes = new ZarrReader(objects, id, objectsPrefix(manifest));
    await nodes.open(manifest);
    const paths = ['X', 'layers/counts'].filter((path) => nodes.has(path));
    for (const path of paths) {
      const matrix = await MatrixReader.open(nodes, manifest, path);
      const valueCount = matrix.indptr[matrix.geneCount]!;
      if (path === 'X' && valueCount !== manifest.valueCount) {
        problems.push({ path, problem: `${valueCount} entries, the manifest says ${manifest.valueCount}` });
      }
      await matrix.checkRows();
    }
    if (manifest.expression.hasCounts !== paths.includes('layers/counts')) {
      problems.push({ path: 'layers/counts', problem: 'the manifest says otherwise about counts' });
    }
    const proteins = dataset.proteins?.columns.map(({ column }) => column) ?? [];
    for (const name of [...dataset.obsColumnNames, ...proteins]) {
      const column = await dataset.obs(name);
      const rows = rowsOf(column);
      if (rows !== cellCount)
        problems.push({ path: `obs/${name}`, problem: `${rows} rows for ${cellCount} cells` });
    }
    for (const { name, size } of dataset.assets)
      for (let from = 0; from < size; from += pieceSize)
        await dataset.asset(name, { from, to: Math.min(size, from + pieceSize) });
    await dataset.graph();
    await dataset.geneMeans();
    for (const name of dataset.obsColumnNames) await dataset.groupStatistics(name);
    for (const path of embeddingPaths(nodes)) {
      const { values, dimensions } = await dataset.embedding(path.slice('obsm/'.length));
      if (values.length !== cellCount * dimensions) problems.push({ path, problem: `not one row a cell` });
    }
  } catch (error) {
    if (!(error instanceof DatasetDamaged)) throw error;
    problems.push({ path: error.path, problem: error.reason });
  }
}
