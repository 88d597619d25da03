import type { MediaType, Preferences } from './query/headers.ts';
import type { BufferedAnswer } from './answer-store.ts';
import type { AnswerRow } from './plan/answer-text.ts';
import { RestError } from './rest-error.ts';
import type { RestMethod } from './rest-request.ts';

export interface RestAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Empty for none; a buffered one must be released. */
  body: string | BufferedAnswer;
}

export interface AnswerContext {
  method: RestMethod;
  kind: 'table' | 'function';
  table: string;
  media: MediaType;
  preferences: Preferences;
  offset: number;
  /** Whether the rows are one value returned by a function. */
  single?: boolean;
}

/** Throws RestError PGRST116, PGRST124 or 54000, so that the write is rolled back. */
export function checkRows(
  row: Pick<AnswerRow, 'page' | 'oversized'>,
  { media, preferences }: AnswerContext,
  maxBytes: number,
): void {
  if (row.oversized) throw tooLarge('answer', maxBytes);
  if (media.form === 'object' && row.page !== 1) {
    throw new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${row.page} rows`,
    });
  }
  const { maxAffected } = preferences;
  if (maxAffected !== undefined && row.page > maxAffected) {
    throw new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${row.page} rows`,
    });
  }
}

export function tooLarge(what: 'answer' | 'row', maxBytes: number): RestError {
  return new RestError(413, '54000', `The ${what} is larger than this service sends`, {
    details: `At most ${maxBytes} bytes in one ${what}.`,
    hint: what === 'answer' ? 'Ask for fewer rows or columns at a time.' : 'Ask for fewer columns at a time.',
  });
}

/** Status, headers and body for a statement's result. Throws RestError PGRST103 for a page beyond the last. */
export function answerOf(row: AnswerRow, context: AnswerContext): RestAnswer {
  const { method, kind, media, preferences } = context;
  const represents = preferences.return === 'representation';
  const applied = preferenceApplied(context);
  const total = row.total === null ? '*' : String(row.total);
  const common: Record<string, string> = applied === '' ? {} : { 'preference-applied': applied };
  if (kind === 'function' && context.single) {
    const headers = { ...common, 'content-range': `0-0/${total}` };
    return row.body === null
      ? { status: 204, headers, body: '' }
      : {
          status: 200,
          headers: { ...headers, 'content-type': media.contentType },
          body: method === 'HEAD' ? '' : row.body,
        };
  }
  if (kind === 'function' || method === 'GET' || method === 'HEAD') {
    checkOffset(row, context);
    return {
      status: row.total !== null && row.page < row.total ? 206 : 200,
      headers: {
        ...common,
        'content-type': media.contentType,
        'content-range': `${rangeText(context.offset, row.page)}/${total}`,
      },
      body: method === 'HEAD' ? '' : (row.body ?? ''),
    };
  }
  const headers = {
    ...common,
    // Only a PATCH says which rows it changed, as if they were a page.
    'content-range': `${method === 'PATCH' ? rangeText(0, row.page) : '*'}/${total}`,
  };
  if (method === 'POST') {
    const merged = preferences.resolution === 'merge-duplicates' && row.inserted === 0;
    const location = preferences.return === 'headers-only' ? locationOf(context.table, row) : undefined;
    return {
      status: merged ? 200 : 201,
      headers: {
        ...headers,
        ...(location !== undefined && { location }),
        ...(represents && { 'content-type': media.contentType }),
      },
      body: represents ? (row.body ?? '') : '',
    };
  }
  return represents
    ? { status: 200, headers: { ...headers, 'content-type': media.contentType }, body: row.body ?? '' }
    : { status: 204, headers, body: '' };
}

function checkOffset(row: AnswerRow, { offset }: AnswerContext): void {
  if (row.total === null || offset === 0 || offset <= row.total) return;
  throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
    details: `An offset of ${offset} was requested, but there are only ${row.total} rows.`,
    headers: { 'content-range': `*/${row.total}` },
  });
}

function rangeText(offset: number, length: number): string {
  return length === 0 ? '*' : `${offset}-${offset + length - 1}`;
}

function locationOf(table: string, row: AnswerRow): string | undefined {
  if (row.page !== 1 || row.body === null) return undefined;
  const key = Object.entries(JSON.parse(row.body) as Record<string, unknown>);
  const filters = key.map(
    ([name, value]) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(String(value))}`,
  );
  return `/${encodeURIComponent(table)}?${filters.join('&')}`;
}

function preferenceApplied({ method, kind, preferences }: AnswerContext): string {
  const writes = kind === 'table' && method !== 'GET' && method !== 'HEAD';
  const applied: string[] = [];
  if (method === 'POST' && writes && preferences.resolution)
    applied.push(`resolution=${preferences.resolution}`);
  if (method === 'POST' && writes && preferences.missing) applied.push(`missing=${preferences.missing}`);
  if (writes && preferences.return) applied.push(`return=${preferences.return}`);
  if (preferences.count) applied.push('count=exact');
  if (preferences.handling) applied.push(`handling=${preferences.handling}`);
  if (preferences.maxAffected !== undefined) applied.push(`max-affected=${preferences.maxAffected}`);
  return applied.join(', ');
}
