/** Width and height of a PNG, from its header. Throws RangeError where it is none. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) throw new RangeError('this is not a PNG');
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
