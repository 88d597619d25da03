import {
  type AreaColumn,
  bitBytes,
  type CategoryColumn,
  ColumnFormatError,
  type LevelColumn,
  type MapColumn,
  type MaskColumn,
  type PositionColumn,
} from './map-column.ts';
import { interleave, x16Of, y16Of } from './morton.ts';

/**
 * Encodes a column as uncompressed bytes: header length (uint32, little endian), header as JSON, and the sections that
 * it implies. Numbers wider than a byte are split into planes of equal significance, which compress better; positions
 * in Morton order are stored as differences of their codes.
 */
export function encodeColumn(column: MapColumn): Uint8Array<ArrayBuffer> {
  switch (column.kind) {
    case 'positions': {
      const { positions, unplaced, ...header } = column;
      const words = column.morton ? mortonSteps(column) : wordsOf(positions);
      return joined(header, [planesOf(words, 4), ...(unplaced ? [unplaced] : [])]);
    }
    case 'area': {
      const { places, positions, ...header } = column;
      const steps = places.map((place, at) => place - (at === 0 ? 0 : places[at - 1]!));
      return joined(header, [planesOf(steps, 4), planesOf(new Uint32Array(positions.slice().buffer), 4)]);
    }
    case 'categories': {
      const { codes, ...header } = column;
      return joined({ ...header, width: codes.BYTES_PER_ELEMENT }, [
        planesOf(codes, codes.BYTES_PER_ELEMENT),
      ]);
    }
    case 'levels': {
      const { levels, values, ...header } = column;
      const table = new Uint8Array(Float64Array.from(values).buffer);
      const sparse = withoutZeros(levels);
      return sparse === undefined
        ? joined({ ...header, sparse: false }, [table, levels])
        : joined({ ...header, sparse: true }, [table, ...sparse]);
    }
    case 'mask': {
      const { bits, ...header } = column;
      return joined(header, [bits]);
    }
  }
}

/** Reads what {@link encodeColumn} wrote. Throws ColumnFormatError. */
export function decodeColumn(bytes: Uint8Array): MapColumn {
  const { header, sections } = opened(bytes);
  const { kind, cells } = header;
  if (typeof cells !== 'number' || !Number.isInteger(cells) || cells < 0) {
    throw new ColumnFormatError('The header names no number of cells.');
  }
  switch (kind) {
    case 'positions':
      return positionsOf(header as unknown as PositionColumn, sections);
    case 'area': {
      const places = joinWords(sections.take(4 * cells), cells);
      for (let at = 1; at < cells; at++) places[at]! += places[at - 1]!;
      const positions = new Float32Array(joinWords(sections.take(8 * cells), 2 * cells).buffer);
      sections.end();
      return { ...(header as unknown as AreaColumn), places, positions };
    }
    case 'categories': {
      const { width, ...rest } = header as unknown as CategoryColumn & { width: 1 | 2 };
      const codes = width === 1 ? sections.take(cells).slice() : joinPlanes(sections.take(2 * cells), cells);
      sections.end();
      return { ...rest, codes };
    }
    case 'levels': {
      const { sparse, ...rest } = header as unknown as LevelColumn & { sparse: boolean };
      const values = new Float64Array(sections.take(256 * 8).slice().buffer);
      const levels = sparse ? withZeros(cells, sections) : sections.take(cells).slice();
      sections.end();
      return { ...rest, values, levels };
    }
    case 'mask': {
      const bits = sections.take(bitBytes(cells)).slice();
      sections.end();
      return { ...(header as unknown as MaskColumn), bits };
    }
    default:
      throw new ColumnFormatError(`There is no column of the kind ${JSON.stringify(kind)}.`);
  }
}

function positionsOf(header: PositionColumn, sections: Sections): PositionColumn {
  const { cells, morton, missing } = header;
  const words = joinWords(sections.take(4 * cells), cells);
  const positions = new Uint16Array(2 * cells);
  let code = 0;
  for (let place = 0; place < cells; place++) {
    const word = words[place]!;
    code = morton ? (code + word) >>> 0 : word;
    const placed = !morton || place < cells - missing;
    positions[2 * place] = placed ? (morton ? x16Of(code) : word & 0xffff) : 0;
    positions[2 * place + 1] = placed ? (morton ? y16Of(code) : word >>> 16) : 0;
  }
  const unplaced = missing > 0 ? { unplaced: sections.take(bitBytes(cells)).slice() } : {};
  sections.end();
  return { ...header, positions, ...unplaced };
}

/** Differences of consecutive Morton codes; 0 for cells without a position. */
function mortonSteps({ cells, missing, positions }: PositionColumn): Uint32Array {
  const steps = new Uint32Array(cells);
  let before = 0;
  for (let place = 0; place < cells - missing; place++) {
    const code = interleave(positions[2 * place]!, positions[2 * place + 1]!);
    steps[place] = code - before;
    before = code;
  }
  return steps;
}

/** Packs x and y of each cell into one number. */
function wordsOf(positions: Uint16Array): Uint32Array {
  const words = new Uint32Array(positions.length / 2);
  for (let cell = 0; cell < words.length; cell++) {
    words[cell] = positions[2 * cell]! | (positions[2 * cell + 1]! << 16);
  }
  return words;
}

/** All least significant bytes, then the next ones, and so on. */
function planesOf(values: Uint8Array | Uint16Array | Uint32Array, width: number): Uint8Array {
  if (values instanceof Uint8Array) return values;
  const planes = new Uint8Array(values.length * width);
  for (let plane = 0; plane < width; plane++) {
    const [start, shift] = [plane * values.length, 8 * plane];
    for (let i = 0; i < values.length; i++) planes[start + i] = values[i]! >>> shift;
  }
  return planes;
}

function joinWords(planes: Uint8Array, count: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++)
    words[i] =
      planes[i]! |
      (planes[count + i]! << 8) |
      (planes[2 * count + i]! << 16) |
      (planes[3 * count + i]! << 24);
  return words;
}

function joinPlanes(planes: Uint8Array, count: number): Uint16Array {
  const values = new Uint16Array(count);
  for (let i = 0; i < count; i++) values[i] = planes[i]! | (planes[count + i]! << 8);
  return values;
}

/** A bit per cell above level 0, followed by the levels of these, if that is smaller than all levels. */
function withoutZeros(levels: Uint8Array): [bits: Uint8Array, values: Uint8Array] | undefined {
  let above = 0;
  for (let i = 0; i < levels.length; i++) if (levels[i] !== 0) above++;
  if (above + bitBytes(levels.length) >= levels.length) return undefined;
  const bits = new Uint8Array(bitBytes(levels.length));
  const values = new Uint8Array(above);
  for (let i = 0, at = 0; i < levels.length; i++) {
    if (levels[i] === 0) continue;
    bits[i >> 3]! |= 1 << (i & 7);
    values[at++] = levels[i]!;
  }
  return [bits, values];
}

function withZeros(cells: number, sections: Sections): Uint8Array {
  const bits = sections.take(bitBytes(cells));
  const values = sections.rest();
  const levels = new Uint8Array(cells);
  let at = 0;
  for (let i = 0; i < cells; i++) if (bits[i >> 3]! & (1 << (i & 7))) levels[i] = values[at++]!;
  if (at !== values.length)
    throw new ColumnFormatError('The bits and the levels do not name the same cells.');
  return levels;
}

function joined(header: object, sections: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = sections.reduce((sum, section) => sum + section.length, 4 + text.length);
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = 4 + text.length;
  for (const section of sections) {
    bytes.set(section, at);
    at += section.length;
  }
  return bytes;
}

/** Sequential reader of the bytes after a header. */
interface Sections {
  take(length: number): Uint8Array;
  rest(): Uint8Array;
  end(): void;
}

function opened(input: Uint8Array): { header: { kind?: unknown; cells?: unknown }; sections: Sections } {
  // A slice of Node's Buffer would be no copy.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.length);
  const start = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) + 4;
  if (start < 4 || start > bytes.length)
    throw new ColumnFormatError('The bytes end before their header does.');
  let header: { kind?: unknown; cells?: unknown };
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start))) as typeof header;
  } catch (cause) {
    throw new ColumnFormatError('The header is not JSON.', { cause });
  }
  let at = start;
  const take = (length: number) => {
    if (!(at + length <= bytes.length)) throw new ColumnFormatError('The bytes end before the column does.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const end = () => {
    if (at !== bytes.length) throw new ColumnFormatError('There are bytes behind the column.');
  };
  return { header, sections: { take, rest: () => take(bytes.length - at), end } };
}
