const MiB = 1024 * 1024;

/** S3 takes 10,000 parts of at least 5 MiB: parts of a body whose length is not known grow as it goes on. */
export function growingPartBytes(partNumber: number): number {
  return 8 * MiB * 2 ** Math.floor((partNumber - 1) / 1000);
}

/** Bytes of a part of an upload of at most that length; each is held in memory until it is sent. */
export function partBytesFor(length: number): number {
  return Math.max(8 * MiB, Math.ceil(length / 9000));
}

/** The least that may be sent as a part when the body pauses there: what is smaller is put aside. */
export function leastPartBytesFor(length: number): number {
  return Math.max(5 * MiB, Math.ceil(length / 9500));
}

/** Cuts a body into the parts of an upload: each but the last is full, and a body of none has one empty part. */
export async function* partPieces(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  sizeOf: (partNumber: number) => number = growingPartBytes,
): AsyncGenerator<Uint8Array> {
  const whole = body instanceof Uint8Array;
  let number = 1;
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of whole ? [body] : body) {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + sizeOf(number) - length);
      // Who hands pieces over may use their memory again as soon as the next one is asked for.
      gathered.push(whole ? some : Uint8Array.from(some));
      length += some.length;
      at += some.length;
      if (length < sizeOf(number)) continue;
      yield joined(gathered);
      number++;
      gathered = [];
      length = 0;
    }
  }
  if (length > 0 || number === 1) yield joined(gathered);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
