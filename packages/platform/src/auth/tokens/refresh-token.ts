import { createHmac, timingSafeEqual } from 'node:crypto';

/** A session's nth refresh token: creating one also needs the key. */
export interface RefreshTicket {
  sessionId: string;
  counter: number;
}

const idBytes = 16;
const counterBytes = 6;
const macBytes = 20;
const tokenBytes = idBytes + counterBytes + macBytes;

type RefreshTokenReading = { kind: 'genuine'; ticket: RefreshTicket } | { kind: 'malformed' | 'foreign' };

/**
 * Refresh tokens as signed counters: session id, counter, and a MAC over both, in base64url (56 characters). The
 * database keeps one number per session instead of a row per refresh, and the current token can be recreated at any
 * time for a client that lost the response.
 */
export class RefreshTokens {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  write({ sessionId, counter }: RefreshTicket): string {
    const body = Buffer.alloc(idBytes + counterBytes);
    body.write(sessionId.replaceAll('-', ''), 'hex');
    body.writeUIntBE(counter, idBytes, counterBytes);
    return Buffer.concat([body, this.#mac(body)]).toString('base64url');
  }

  /** `malformed`: not a refresh token of any kind. `foreign`: well-formed, but not issued by us. */
  read(token: string): RefreshTokenReading {
    if (token.length < 12 || !/^[\w-]+$/.test(token)) return { kind: 'malformed' };
    const bytes = Buffer.from(token, 'base64url');
    // Base64url has several spellings of one value where bits are left over; only ours is a token.
    if (bytes.length !== tokenBytes || bytes.toString('base64url') !== token) return { kind: 'foreign' };
    const body = bytes.subarray(0, idBytes + counterBytes);
    if (!timingSafeEqual(bytes.subarray(idBytes + counterBytes), this.#mac(body))) return { kind: 'foreign' };
    const hex = body.toString('hex', 0, idBytes);
    const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { kind: 'genuine', ticket: { sessionId, counter: body.readUIntBE(idBytes, counterBytes) } };
  }

  #mac(body: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(body).digest().subarray(0, macBytes);
  }
}
