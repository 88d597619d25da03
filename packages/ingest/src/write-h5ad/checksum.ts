/** Bob Jenkins' lookup3 (`hashlittle` from 0), the checksum of HDF5 metadata. Public domain. */
export function lookup3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = (0xdeadbeef + bytes.length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  let left = bytes.length;
  for (; left > 12; left -= 12, at += 12) {
    a = (a + view.getInt32(at, true)) | 0;
    b = (b + view.getInt32(at + 4, true)) | 0;
    c = (c + view.getInt32(at + 8, true)) | 0;
    a = ((a - c) | 0) ^ turned(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ turned(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ turned(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ turned(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ turned(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ turned(b, 4);
    b = (b + a) | 0;
  }
  if (left === 0) return c >>> 0;
  const last = new Uint8Array(12);
  last.set(bytes.subarray(at));
  const rest = new DataView(last.buffer);
  a = (a + rest.getInt32(0, true)) | 0;
  b = (b + rest.getInt32(4, true)) | 0;
  c = (c + rest.getInt32(8, true)) | 0;
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  c = ((c ^ b) - turned(b, 24)) | 0;
  return c >>> 0;
}

function turned(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
