/** Server messages of PostgreSQL's wire protocol 3.0, and the framing of client messages. */

/** A message is one type byte and a 32-bit length that counts itself and the body. */
const headerBytes = 5;

const encoder = new TextEncoder();

function message(type: string, ...parts: Uint8Array[]): Uint8Array {
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(headerBytes + bodyBytes);
  bytes[0] = type.charCodeAt(0);
  new DataView(bytes.buffer).setInt32(1, bodyBytes + 4);
  let at = headerBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value);
  return bytes;
}

function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  // Not a slice of Node's buffer pool: it is transferred to another thread.
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function greeting(settings: Readonly<Record<string, string>>): Uint8Array {
  return concatBytes([
    message('R', int32(0)),
    ...Object.entries(settings).map(([name, value]) => message('S', cString(name), cString(value))),
    message('Z', encoder.encode('I')),
  ]);
}

/** An error that ends the connection. `code` is an SQLSTATE. */
export function fatalError(code: string, text: string): Uint8Array {
  const field = (type: string, value: string): Uint8Array => cString(`${type}${value}`);
  return message(
    'E',
    field('S', 'FATAL'),
    field('V', 'FATAL'),
    field('C', code),
    field('M', text),
    new Uint8Array(1),
  );
}

export function query(sql: string): Uint8Array {
  return message('Q', cString(sql));
}

export function sync(): Uint8Array {
  return message('S');
}

/** Text of the first ErrorResponse in a server's reply; undefined if there is none. */
export function firstError(answer: Uint8Array): string | undefined {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  for (let at = 0; at + headerBytes <= answer.length; at += 1 + view.getInt32(at + 1)) {
    if (answer[at] !== 'E'.charCodeAt(0)) continue;
    const body = new TextDecoder().decode(answer.subarray(at + headerBytes, at + 1 + view.getInt32(at + 1)));
    return body
      .split('\0')
      .find((field) => field.startsWith('M'))
      ?.slice(1);
  }
  return undefined;
}

/** A server replies to these; preceding messages belong to the same batch. */
const answered = new Set([...'QSHFcf'].map((type) => type.charCodeAt(0)));
const terminate = 'X'.charCodeAt(0);

/**
 * Splits a client's bytes into batches that end where a server must reply. The engine runs a batch to its end in one
 * call, so parse, bind and execute of one statement must reach it together even if they arrived separately.
 */
export class ClientMessages {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #started = false;

  push(chunks: readonly Uint8Array[]): {
    startup: boolean;
    batches: Uint8Array<ArrayBuffer>[];
  } {
    this.#pending.push(...chunks);
    this.#pendingBytes += chunks.reduce((sum, { length }) => sum + length, 0);
    let startup = false;
    if (!this.#started) {
      const bytes = this.#joined();
      const length = bytes.length < 4 ? Infinity : new DataView(bytes.buffer, bytes.byteOffset).getInt32(0);
      if (bytes.length < length) return { startup, batches: [] };
      startup = true;
      this.#started = true;
      this.#keep(bytes.subarray(length));
    }
    const batches: Uint8Array[] = [];
    // Joining copies: wait until the first message is complete (a parameter may be megabytes, in many chunks).
    if (!this.#firstIsComplete()) return { startup, batches: [] };
    const isJoined = this.#pending.length > 1;
    const bytes = this.#joined();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let batchStart = 0;
    let at = 0;
    while (at + headerBytes <= bytes.length) {
      const next = at + 1 + view.getInt32(at + 1);
      if (next > bytes.length) break;
      const type = bytes[at]!;
      if (type === terminate) {
        batchStart = bytes.length;
        break;
      }
      at = next;
      if (answered.has(type)) {
        batches.push(bytes.subarray(batchStart, at));
        batchStart = at;
      }
    }
    this.#keep(bytes.subarray(batchStart));
    // The joined buffer is not shared, so a batch of megabytes is copied once.
    if (isJoined && batches[0]?.length === bytes.length) {
      return { startup, batches: [bytes as Uint8Array<ArrayBuffer>] };
    }
    return { startup, batches: batches.map((batch) => concatBytes([batch])) };
  }

  #firstIsComplete(): boolean {
    if (this.#pendingBytes < headerBytes) return false;
    const head = this.#pending[0]!.length >= headerBytes ? this.#pending[0]! : this.#joined();
    const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getInt32(1);
    return this.#pendingBytes >= 1 + length;
  }

  #joined(): Uint8Array {
    if (this.#pending.length > 1) this.#pending = [concatBytes(this.#pending)];
    return this.#pending[0] ?? new Uint8Array(0);
  }

  #keep(rest: Uint8Array): void {
    this.#pending = rest.length > 0 ? [rest] : [];
    this.#pendingBytes = rest.length;
  }
}
