import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { storageUrlKey } from '../settings/project-keys.ts';
import { StorageError } from './storage-error.ts';

type TokenScope = 'download' | 'upload';

const claims = z.object({
  scope: z.enum(['download', 'upload']),
  /** Bucket and name, separated by a slash. */
  url: z.string(),
  exp: z.number(),
  /** Claims of the creator of an upload address: uploads act in their name. */
  // name-dictionary: claims of tokens that we signed
  caller: z.object({ role: z.string(), claims: z.record(z.string(), z.unknown()).optional() }).optional(),
  upsert: z.boolean().optional(),
});
export type TokenClaims = z.infer<typeof claims>;

/** Creates and reads the tokens of signed addresses, each for one action, one object and a limited time. */
export class DownloadTokens {
  readonly #key: Uint8Array;
  readonly #now: () => number;

  /** `key`: 32 secret bytes of this installation. Replacing it ends every signed address. */
  constructor(key: Uint8Array, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  async sign(content: Omit<TokenClaims, 'exp'>, seconds: number): Promise<string> {
    return new SignJWT({ ...content })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(Math.floor(this.#now() / 1000))
      .setExpirationTime(Math.floor(this.#now() / 1000) + seconds)
      .sign(this.#key);
  }

  /**
   * Throws StorageError `InvalidJWT`, `ExpiredToken` or, for a token of another scope or object, `InvalidSignature`.
   */
  async verify(token: string | undefined, scope: TokenScope, url: string): Promise<TokenClaims> {
    if (!token) throw new StorageError('InvalidJWT', 'The address has no token.');
    const read = await this.#read(token);
    if (read.scope !== scope || read.url !== url) {
      throw new StorageError('InvalidSignature', 'The token is not for this address.');
    }
    return read;
  }

  async #read(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp'],
      });
      return claims.parse(payload);
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) {
        throw new StorageError(
          'ExpiredToken',
          '"exp" claim timestamp check failed: the address has expired.',
          {
            cause,
          },
        );
      }
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError || cause instanceof TypeError) {
        throw new StorageError('InvalidJWT', 'The token of the address is not valid.', { cause });
      }
      throw cause;
    }
  }
}

/** Path below the platform from which anyone who has it can download an object for that long. */
export async function signDownload(database: Database, url: string, seconds: number): Promise<string> {
  const tokens = new DownloadTokens(await storageUrlKey(database), Date.now);
  return `/storage/v1/object/sign/${url.split('/').map(encodeURIComponent).join('/')}?token=${await tokens.sign({ scope: 'download', url }, seconds)}`;
}
