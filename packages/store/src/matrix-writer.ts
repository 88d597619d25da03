import type { NumericArray } from '@cellfolio/model';
import type { MatrixShape, MatrixWriter } from './dataset-writer.ts';
import { numbers } from './encode-column.ts';
import { MisshapenData } from './errors.ts';
import type { NodeWriter } from './node-writer.ts';
import { bytesPerValue, numberBytes, numbersFromBytes } from './number-bytes.ts';
import { RisingRows } from './rising-rows.ts';
import type { ShardLayout } from './shard-layout.ts';
import { shardLayout } from './shard-layout.ts';
import { ShardedArrayWriter } from './sharded-array-writer.ts';
import type { StagedFolder } from './staged-folder.ts';
import { groupMetadata, shardedArray } from './zarr-metadata.ts';

/** Starts a CSC matrix of cells x genes. Throws MisshapenData for an impossible shape. */
export async function startMatrix(
  folder: StagedFolder,
  nodes: NodeWriter,
  path: string,
  shape: MatrixShape,
  lengths?: { inner: number; shard: number },
): Promise<MatrixWriter> {
  const layout = shardLayout(...checkedShape(path, shape), lengths);
  await nodes.declare(
    path,
    groupMetadata({
      'encoding-type': 'csc_matrix',
      'encoding-version': '0.1.0',
      shape: [shape.cellCount, shape.geneCount],
    }),
  );
  // scipy refuses to work on a matrix whose two index arrays differ in type, and anndata hands it what it reads.
  const positionType = layout.valueCount <= 0x7fff_ffff ? 'int32' : 'int64';
  await nodes.write(numbers(`${path}/indptr`, positionType, shape.indptr, [shape.indptr.length], {}));
  await nodes.declare(`${path}/indices`, shardedArray('int32', layout.valueCount, layout));
  await nodes.declare(`${path}/data`, shardedArray(shape.valueType, layout.valueCount, layout));
  return new CscWriter(folder, path, shape, layout);
}

/** Number of entries and entries of the largest gene. */
function checkedShape(path: string, { cellCount, geneCount, indptr }: MatrixShape): [number, number] {
  if (indptr.length !== geneCount + 1)
    throw new MisshapenData(`${path}/indptr`, `not ${geneCount} + 1 positions`);
  if (cellCount > 0x7fff_ffff) throw new MisshapenData(path, `more cells than 32-bit row numbers can count`);
  if (indptr[0] !== 0) throw new MisshapenData(`${path}/indptr`, 'does not start at 0');
  let largest = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const length = indptr[gene + 1]! - indptr[gene]!;
    if (!(length >= 0 && length <= cellCount)) {
      throw new MisshapenData(`${path}/indptr`, `gene ${gene} has ${length} entries in ${cellCount} cells`);
    }
    if (length > largest) largest = length;
  }
  return [indptr[geneCount]!, largest];
}

class CscWriter implements MatrixWriter {
  readonly #path: string;
  readonly #shape: MatrixShape;
  readonly #layout: ShardLayout;
  readonly #indices: ShardedArrayWriter;
  readonly #data: ShardedArrayWriter;
  #cells: Int32Array;
  /** 64-bit integers are gathered as float64 and turned into bytes at the end of each inner chunk. */
  #values: NumericArray;
  #filled = 0;
  #written = 0;
  readonly #rows: RisingRows;

  constructor(folder: StagedFolder, path: string, shape: MatrixShape, layout: ShardLayout) {
    this.#path = path;
    this.#shape = shape;
    this.#layout = layout;
    this.#rows = new RisingRows(shape.indptr, shape.cellCount);
    this.#indices = new ShardedArrayWriter(folder, `${path}/indices`, layout, 4);
    this.#data = new ShardedArrayWriter(folder, `${path}/data`, layout, bytesPerValue(shape.valueType));
    this.#cells = numbersFromBytes('int32', this.#indices.block()) as Int32Array;
    this.#values = this.#valueBlock();
  }

  async write(cells: Int32Array, values: Float32Array | Float64Array | Int32Array): Promise<void> {
    if (cells.length !== values.length) {
      throw new MisshapenData(this.#path, `${cells.length} cells and ${values.length} values in one block`);
    }
    if (this.#written + cells.length > this.#layout.valueCount) {
      throw new MisshapenData(this.#path, `more than the ${this.#layout.valueCount} entries of indptr`);
    }
    // Readers rely on rising rows: a source that breaks that must not be stored.
    const fault = this.#rows.fault(cells);
    if (fault) throw new MisshapenData(`${this.#path}/indices`, fault);
    const { innerLength } = this.#layout;
    for (let at = 0; at < cells.length;) {
      const take = Math.min(cells.length - at, innerLength - this.#filled);
      this.#cells.set(cells.subarray(at, at + take), this.#filled);
      this.#values.set(values.subarray(at, at + take), this.#filled);
      this.#filled += take;
      this.#written += take;
      at += take;
      if (this.#filled === innerLength) await this.#pushBlocks();
    }
  }

  async close(): Promise<void> {
    if (this.#written !== this.#layout.valueCount) {
      throw new MisshapenData(
        this.#path,
        `${this.#written} entries came, indptr announced ${this.#layout.valueCount}`,
      );
    }
    if (this.#filled > 0) {
      this.#cells.fill(0, this.#filled);
      this.#values.fill(0, this.#filled);
      await this.#pushBlocks();
    }
    await Promise.all([this.#indices.close(), this.#data.close()]);
  }

  async #pushBlocks(): Promise<void> {
    const { valueType } = this.#shape;
    const { innerLength } = this.#layout;
    if (valueType === 'int64') {
      const block = this.#data.block();
      block.set(numberBytes(valueType, this.#values, 0, innerLength, innerLength));
      await this.#data.push(block);
    } else await this.#data.push(bytesOf(this.#values));
    await this.#indices.push(bytesOf(this.#cells));
    this.#cells = numbersFromBytes('int32', this.#indices.block()) as Int32Array;
    if (valueType !== 'int64') this.#values = this.#valueBlock();
    this.#filled = 0;
  }

  #valueBlock(): NumericArray {
    const { valueType } = this.#shape;
    if (valueType === 'int64') return new Float64Array(this.#layout.innerLength);
    return numbersFromBytes(valueType, this.#data.block());
  }
}

function bytesOf(values: NumericArray): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
