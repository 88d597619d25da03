import { randomId } from '@/lib/session-id.ts';
import type { ApiRequestSeen, FakeServices } from './fakes.ts';
import { json } from './fakes.ts';

export type Row = Record<string, unknown>;

export function fakeTable(fake: FakeServices, table: string, rows: Row[] = []): Row[] {
  fake.answer(`/rest/v1/${table}`, (request) => {
    const chosen = rows.filter((row) => matches(row, request));
    switch (request.method) {
      case 'POST': {
        const row = { id: randomId(), ...(request.body as Row) };
        rows.unshift(row);
        return answered(request, [row], 201);
      }
      case 'PATCH':
        for (const row of chosen) Object.assign(row, request.body);
        return answered(request, chosen);
      case 'DELETE':
        for (const row of chosen) rows.splice(rows.indexOf(row), 1);
        return new Response(null, { status: 204 });
      case 'HEAD':
        return new Response(null, { headers: { 'content-range': `*/${chosen.length}` } });
      default:
        return answered(request, chosen);
    }
  });
  return rows;
}

function matches(row: Row, { path }: ApiRequestSeen): boolean {
  const query = new URL(path, 'http://cellfolio.test').searchParams;
  return Array.from(query).every(([column, condition]) => {
    const value = /^eq\.(.*)$/s.exec(condition)?.[1];
    return value === undefined || !(column in row) || String(row[column]) === value;
  });
}

function answered({ headers }: ApiRequestSeen, rows: readonly Row[], status = 200): Response {
  if (headers.get('accept')?.includes('vnd.pgrst.object') !== true) return json(rows, status);
  return rows.length === 1 ? json(rows[0], status) : json({ code: 'PGRST116', message: 'No rows.' }, 406);
}
