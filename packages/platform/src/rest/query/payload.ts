import { RestError } from '../rest-error.ts';

/** Rows in a request body. The text goes to the database unchanged, so that no number loses digits on the way. */
export interface Payload {
  text: string;
  length: number;
  /** Keys of its objects; all have the same, unless the request names its columns. */
  keys: readonly string[];
}

/** Parses a body with an object or an array of objects. Throws RestError PGRST102. */
export function parsePayload(body: string, { sameKeys }: { sameKeys: boolean }): Payload {
  const parsed = parseJson(body);
  const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (!rows.every(isObject)) throw invalid('The body must be an object, or an array of objects.');
  const keys = Object.keys(rows[0] ?? {});
  if (sameKeys) {
    const keySet = new Set(keys);
    for (const row of rows) {
      const others = Object.keys(row);
      if (others.length !== keySet.size || !others.every((key) => keySet.has(key))) {
        throw new RestError(400, 'PGRST102', 'All object keys must match', {
          hint: 'Name the columns with the columns parameter, or send the same keys in each object.',
        });
      }
    }
  }
  return { text: Array.isArray(parsed) ? body : `[${body}]`, length: rows.length, keys };
}

/** Named arguments of a function; an empty body has none. Throws RestError PGRST102. */
export function parseArguments(body: string): { text: string; keys: readonly string[] } {
  if (body.trim() === '') return { text: '{}', keys: [] };
  const parsed = parseJson(body);
  if (!isObject(parsed)) throw invalid('The body must be an object that names the arguments.');
  return { text: body, keys: Object.keys(parsed) };
}

function parseJson(body: string): unknown {
  if (body.trim() === '') throw invalid('The body is empty.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw invalid('The body is not JSON.', cause);
  }
  if (isDeeperThan(parsed, maxDepth)) throw invalid(`The body is nested deeper than ${maxDepth} levels.`);
  return parsed;
}

/** No legitimate data is deeper, and the database's parser is recursive: the embedded one has a small stack. */
const maxDepth = 200;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(details: string, cause?: unknown): RestError {
  return new RestError(400, 'PGRST102', 'Empty or invalid json', { details, cause });
}
