export interface WebAssemblyGlobal {
  Instance: new (module: object, imports?: { env: FilterImports } | object) => { exports: FilterExports };
  Module: { new (bytes: Uint8Array): object; exports(module: object): { name: string }[] };
}

interface FilterImports {
  [tableName]: {
    length: number;
    grow(by: number): number;
    set(at: number, fn: unknown): void;
  };
}

type FilterExports = Record<string, ((...values: number[]) => number) | undefined>;

interface Heap {
  HEAPU8: Uint8Array<ArrayBuffer>;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

// Names that the compiler gave: what places a module's addresses, and the table of functions.
const relocateName = '__wasm_apply_data_relocs';
const tableName = '__indirect_function_table';
/** H5Z_FLAG_REVERSE: request to decode. */
const reverse = 0x100;
/** Byte position of the filter function in H5Z_class2_t with 32-bit pointers. */
const filterFunction = 28;

/**
 * A WebAssembly module that wraps a function of six 32-bit integers as a WebAssembly function, the only kind that the
 * library's function table accepts.
 */
const passOn = Uint8Array.from([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x0b, 0x01, 0x60, 0x06, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f,
  0x7f, 0x01, 0x7f, 0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00,
  0x00,
]);

/**
 * Intercepts the loading of filters to decode lzf with our own decoder. The packaged lzf filter fails on chunks without
 * their unpacked size, such as all text columns that h5py compressed with lzf, and crashes the whole library.
 */
export function withOwnLzf(wasm: WebAssemblyGlobal, heap: Heap): WebAssemblyGlobal['Instance'] {
  const { Instance } = wasm;
  function load(module: object, imports: { env: FilterImports }): { exports: FilterExports } {
    const instance = new Instance(module, imports);
    if (!wasm.Module.exports(module).some(({ name }) => name === 'lzf_decompress')) return instance;
    const exports = { ...instance.exports };
    const relocate = exports[relocateName];
    // The filter's description is complete once its addresses are; only then can one be replaced.
    exports[relocateName] = () => {
      relocate?.();
      const table = imports.env[tableName];
      const index = table.grow(1);
      const filter = new Instance(new wasm.Module(passOn), { e: { f: lzfFilter(heap) } });
      table.set(index, filter.exports.f);
      const at = exports.H5PLget_plugin_info!() + filterFunction;
      new DataView(heap.HEAPU8.buffer).setUint32(at, index, true);
      return 0;
    };
    return { exports };
  }
  return load as unknown as WebAssemblyGlobal['Instance'];
}

/** H5Z_func_t: returns the size of the result, 0 on failure. Encoding is not supported. */
function lzfFilter(heap: Heap) {
  const { _malloc: allocate, _free: release } = heap;
  return (
    flags: number,
    _count: number,
    _values: number,
    size: number,
    sizeAt: number,
    bufferAt: number,
  ): number => {
    if ((flags & reverse) === 0) return 0;
    const before = new DataView(heap.HEAPU8.buffer);
    const packed = before.getUint32(bufferAt, true);
    const unpacked = lzfDecode(heap.HEAPU8.subarray(packed, packed + size));
    if (unpacked === undefined) return 0;
    const target = allocate(unpacked.length);
    if (target === 0) return 0;
    heap.HEAPU8.set(unpacked, target);
    release(packed);
    // Taking memory may have moved it all.
    const after = new DataView(heap.HEAPU8.buffer);
    after.setUint32(bufferAt, target, true);
    after.setUint32(sizeAt, unpacked.length, true);
    return unpacked.length;
  };
}

/**
 * Decodes LZF: a control byte under 32 starts a literal run, any other a copy from earlier output. Returns undefined if
 * the data are not LZF. The result is a view, valid until the next call.
 */
export function lzfDecode(packed: Uint8Array): Uint8Array | undefined {
  let out = buffer;
  let to = 0;
  const end = packed.length;
  for (let at = 0; at < end;) {
    const control = packed[at++]!;
    // The longest copy is 264 bytes, the longest run 32.
    if (to + 264 > out.length) out = grown(out);
    if (control < 32) {
      const until = at + control + 1;
      if (until > end) return undefined;
      while (at < until) out[to++] = packed[at++]!;
    } else {
      let length = control >> 5;
      if (length === 7) length += packed[at++]!;
      let from = to - ((control & 31) << 8) - packed[at++]! - 1;
      if (!(from >= 0) || at > end) return undefined;
      // Byte by byte: source and target may overlap, which repeats a pattern.
      const until = to + length + 2;
      while (to < until) out[to++] = out[from++]!;
    }
  }
  return out.subarray(0, to);
}

let buffer = new Uint8Array(1 << 20);

function grown(from: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  buffer = new Uint8Array(from.length * 2);
  buffer.set(from);
  return buffer;
}
