import { ArraySink, writeVector } from './array-sink.ts';
import type { H5Output } from './h5-output.ts';
import type { DenseBlock, MatrixContent, SparseBlock, WriteH5adOptions } from './h5ad-content.ts';

export interface MatrixSize {
  readonly cells: number;
  readonly genes: number;
}

/** Largest count of entries that scipy addresses with 32 bits. */
const maxInt32 = 0x7fff_ffff;

/** Writes a matrix block after block. Throws RangeError where the blocks do not add up to the size. */
export async function writeMatrix(
  output: H5Output,
  name: string,
  { content, size }: { content: MatrixContent; size: MatrixSize },
  options: WriteH5adOptions,
): Promise<void> {
  if (content.format === 'dense') {
    const { cells: rows, genes: width } = size;
    const sink = new ArraySink(output, name, { type: content.dtype, rows, width, gzip: options.gzip });
    let done = 0;
    for await (const block of content.blocks as AsyncIterable<DenseBlock>) {
      options.signal?.throwIfAborted();
      sink.append(block.values);
      done += block.values.length;
      options.onProgress?.({ part: name, done });
    }
    sink.close();
    output.attributes(name, { 'encoding-type': 'array', 'encoding-version': '0.2.0' });
    return;
  }
  output.group(name, {
    'encoding-type': `${content.format}_matrix`,
    'encoding-version': '0.1.0',
    shape: { int64: [size.cells, size.genes] },
  });
  await writeSparse(output, name, { content, size }, options);
}

async function writeSparse(
  output: H5Output,
  name: string,
  { content, size }: { content: MatrixContent & { format: 'csr' | 'csc' }; size: MatrixSize },
  options: WriteH5adOptions,
): Promise<void> {
  const majors = content.format === 'csr' ? size.cells : size.genes;
  const { gzip } = options;
  const rows = content.valueCount;
  const data = new ArraySink(output, `${name}/data`, { type: content.dtype, rows, gzip });
  const indices = new ArraySink(output, `${name}/indices`, { type: 'int32', rows, gzip });
  const indptr = new Float64Array(majors + 1);
  let major = 0;
  let entries = 0;
  for await (const block of content.blocks as AsyncIterable<SparseBlock>) {
    options.signal?.throwIfAborted();
    const count = block.indptr.length - 1;
    const blockEntries = block.indptr[count] ?? 0;
    if (major + count > majors) throw new RangeError(`${name} has ${majors} rows and more came`);
    if (block.indices.length !== blockEntries || block.values.length !== blockEntries)
      throw new RangeError(`${name}: indptr, indices and values of a block disagree`);
    for (let i = 1; i <= count; i++) indptr[major + i] = entries + block.indptr[i]!;
    data.append(block.values);
    indices.append(block.indices);
    major += count;
    entries += blockEntries;
    options.onProgress?.({ part: name, done: entries });
  }
  if (major !== majors) throw new RangeError(`${name} has ${majors} rows and ${major} came`);
  data.close();
  indices.close();
  writeVector(output, `${name}/indptr`, indptr, { type: entries > maxInt32 ? 'int64' : 'int32', gzip });
}
