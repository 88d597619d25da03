/**
 * Undoes LZF: a control byte under 32 starts a run of literal bytes, any other a copy from what is unpacked
 * already. Returns undefined where the data are not LZF. The result is a view, good until the next call.
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
