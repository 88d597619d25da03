import { z } from 'zod';
import { RestError } from './rest-error.ts';

export const restSettings = z.object({
  schema: z.string().min(1).default('public'),
  maxRows: z.int().positive().default(1000),
  /** Maximum request body in bytes. The largest legitimate ones hold images of 4 MiB as text. */
  bodyBytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** The same for a visitor without an account, who writes one message per call. */
  visitorBodyBytes: z
    .int()
    .positive()
    .default(256 * 1024),
  /** Maximum response body in bytes: a library of 30 images of 4 MiB fits. */
  answerBytes: z
    .int()
    .positive()
    .default(160 * 1024 * 1024),
  /**
   * Maximum bytes that the database builds at once: a row of a read, or the whole response of a write or function. It
   * is held several times over while it is built, and the embedded database never releases memory.
   */
  builtBytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** Writes of visitors without an account, per network and five minutes. */
  visitorWrites: z.int().positive().default(30),
  /** Maximum milliseconds of a caller's statement. */
  statementTimeoutMs: z.int().positive().default(8_000),
});

export type RestSettings = z.output<typeof restSettings>;
export type RestSettingsInput = z.input<typeof restSettings>;

export type RestMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

interface RestTarget {
  kind: 'table' | 'function';
  name: string;
}

/** `/table` or `/rpc/function`, from the path after the mount point. Throws RestError PGRST125. */
export function parsePath(path: string): RestTarget {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first, second, ...rest] = segments.map(decoded);
  if (first === 'rpc' && second !== undefined && rest.length === 0) return { kind: 'function', name: second };
  if (first !== undefined && second === undefined) return { kind: 'table', name: first };
  throw new RestError(404, 'PGRST125', 'Invalid path specified in request URL', {
    hint: 'Tables are at /rest/v1/<table>, functions at /rest/v1/rpc/<function>.',
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new RestError(400, 'PGRST125', 'Invalid path specified in request URL', { cause });
  }
}

/** Pairs of a query string, in order, with repeated names. Invalid UTF-8 becomes replacement characters. */
export function queryPairs(url: string): [string, string][] {
  const mark = url.indexOf('?');
  return mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1))];
}

/** Throws RestError PGRST106 for a profile other than the exposed schema. */
export function checkProfile(profile: string | undefined, schema: string): void {
  if (profile === undefined || profile === schema) return;
  throw new RestError(406, 'PGRST106', `Invalid schema: ${profile.slice(0, 200)}`, {
    hint: `Only the following schemas are exposed: ${schema}`,
  });
}

/** Limit and offset of `Range: 0-9`; undefined if the header is absent or unusable. */
export function parseRange(
  header: string | undefined,
): { limit: number | undefined; offset: number } | undefined {
  const match = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const first = Number(match[1]);
  if (match[2] === '') return { limit: undefined, offset: first };
  const last = Number(match[2]);
  if (last < first) {
    throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    });
  }
  return { limit: last - first + 1, offset: first };
}
