import { address, type FileStructure, messageTypes } from './file-structure.ts';

// Class numbers of HDF5's H5T_class_t.
const integer = 0;
const float = 1;
const enumeration = 8;

interface FloatFields {
  sign: number;
  exponent: readonly [at: number, bits: number];
  mantissa: readonly [at: number, bits: number];
  bias: number;
}

/** IEEE 754 binary16, binary32 and binary64 by size in bytes. */
const standardFloats: ReadonlyMap<number, FloatFields> = new Map([
  [2, { sign: 15, exponent: [10, 5], mantissa: [0, 10], bias: 15 }],
  [4, { sign: 31, exponent: [23, 8], mantissa: [0, 23], bias: 127 }],
  [8, { sign: 63, exponent: [52, 11], mantissa: [0, 52], bias: 1023 }],
]);

/**
 * Describes the numbers of a dataset if they are neither plain integers nor IEEE floats of their size, such as 12 bits
 * in 16, or bfloat16: the library reports only their size. Based on the datatype message of the file (HDF5 File Format
 * Specification 3.0, IV.A.2.d). Throws RangeError for an unsupported structure.
 */
export function oddNumberType(file: FileStructure, path: string): string | undefined {
  const message = file.object(path).find(({ type }) => type === messageTypes.datatype);
  if (message === undefined) return undefined;
  const { body, shared } = message;
  return oddType(shared ? committedType(file, body) : body);
}

/** A committed type, shared by several datasets, is a separate object. */
function committedType(file: FileStructure, body: Buffer): Buffer {
  const header = address(body, body[0] === 1 ? 8 : 2);
  const messages = header === undefined ? undefined : file.messages(header);
  const type = messages?.find((message) => message.type === messageTypes.datatype);
  if (type === undefined || type.shared) throw new RangeError('no datatype');
  return type.body;
}

function oddType(body: Buffer): string | undefined {
  const size = body.readUInt32LE(4);
  const bits = 8 * size;
  switch (body[0]! & 15) {
    case integer: {
      const [offset, precision] = [body.readUInt16LE(8), body.readUInt16LE(10)];
      return offset === 0 && precision === bits ? undefined : `whole numbers of ${precision} bits in ${bits}`;
    }
    case float:
      return isStandard(body, size) ? undefined : `floats of ${bits} bits that are not those of IEEE 754`;
    case enumeration:
      return oddType(body.subarray(8));
    default:
      return undefined;
  }
}

function isStandard(body: Buffer, size: number): boolean {
  const floatLayout = standardFloats.get(size);
  const byteOrder = body[1]! & 0x41;
  const normalisation = (body[1]! >> 4) & 3;
  // The highest bit of a mantissa is 1 and not stored.
  const plain = byteOrder !== 0x41 && normalisation === 2 && body.readUInt16LE(8) === 0;
  return (
    floatLayout !== undefined &&
    plain &&
    body[2] === floatLayout.sign &&
    body.readUInt16LE(10) === 8 * size &&
    body[12] === floatLayout.exponent[0] &&
    body[13] === floatLayout.exponent[1] &&
    body[14] === floatLayout.mantissa[0] &&
    body[15] === floatLayout.mantissa[1] &&
    body.readUInt32LE(16) === floatLayout.bias
  );
}
