import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowMs, testedDatabases } from '../database/test-databases.ts';
import { ada, type Library, openLibrary } from './testing/open-library.ts';

const mebibyte = 1024 * 1024;
const asking =
  'GET /rest/v1/generated_images HTTP/1.1\r\nhost: x\r\napikey: key\r\nauthorization: ada\r\n\r\n';
const long = 'order=id&id=gte.5000';

describe.each(testedDatabases())('large answers of a database of kind %s', (kind, open) => {
  let library: Library;
  let call: Library['call'];
  beforeAll(async () => {
    library = await openLibrary(open, { answerBytes: 16 * mebibyte, builtBytes: 2 * mebibyte });
    ({ call } = library);
    // Three megabytes, with one row above the batch size, empty rows, and characters that CSV and JSON escape.
    await library.database.pool.query(
      `create table public.texts (id int primary key, title text, copies int, tags text[], author_id int references public.authors (id));
       grant select on public.texts to authenticated, service_role;
       insert into public.texts (id, title, copies, tags)
       select 5000 + n, case n when 17 then repeat('long, "é" ', 150000) else repeat(chr(97 + n % 26) || ',"' || chr(10), 10000) || n end,
         nullif(n % 3, 0), case when n % 2 = 0 then array['x', n::text] end
       from generate_series(1, 40) n`,
    );
    await library.database.pool.query(
      `insert into public.generated_images (user_id, title, image_type, image_data)
       select $1, 'i' || n, 'gene', repeat('QUJD', 250000) from generate_series(1, 12) n`,
      [ada],
    );
  }, slowMs);
  afterAll(() => library?.close());

  test.each([
    ['application/json', `json_agg(r.*)::text`],
    ['application/vnd.pgrst.array+json;nulls=stripped', `json_agg(json_strip_nulls(row_to_json(r.*)))::text`],
    [
      'text/csv',
      `'id,title,copies,tags' || chr(10) || string_agg(concat_ws(',', id::text,
         '"' || replace(title, '"', '""') || '"', coalesce(copies::text, ''),
         coalesce('"' || tags::text || '"', '')), chr(10))`,
    ],
  ])('%s has the bytes that the database gives in one piece', async (accept, body) => {
    const { rows } = await library.database.pool.query<{ body: string }>(
      `select ${body} as body from (select id, title, copies, tags from public.texts where id >= 5000 order by id) r`,
    );
    const answer = await call('GET', `/texts?select=id,title,copies,tags&${long}`, { accept });
    expect(answer).toMatchObject({ status: 200, range: '0-39/*' });
    expect(answer.text.length).toBeGreaterThan(3 * mebibyte);
    expect(answer.text === rows[0]!.body).toBe(true);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(rows[0]!.body)));
  });

  const many = '/generated_images?select=id,title,image_data&order=id';

  test('a long read does not block other requests', async () => {
    const done: string[] = [];
    const noteRead = async (what: string, path: string) => {
      expect(await call('GET', path)).toMatchObject({ status: 200 });
      done.push(what);
    };
    const reading = noteRead('long', many);
    while (!done.includes('long')) await noteRead('short', '/books?select=id');
    await reading;
    expect(done.filter((what) => what === 'short').length).toBeGreaterThan(3);
    expect(done.slice(0, 3)).toEqual(['short', 'short', 'short']);
  });

  test('a row changed during a read appears exactly once, old or new', async () => {
    const { pool } = library.database;
    const before = await call('GET', '/generated_images?select=id,title&order=id');
    const last = (before.body as { id: string; title: string }[]).at(-1)!;
    let released = 0;
    const change = (): void => {
      // Behind the transaction that measured and the first megabyte.
      released += 1;
      if (released !== 2) return;
      void pool.query(`update public.generated_images set title = 'other' where id = $1`, [last.id]);
    };
    pool.on('release', change);
    const { status, body } = await call('GET', many);
    pool.off('release', change);
    expect(status).toBe(200);
    const ids = (rows: unknown) => (rows as { id: string }[]).map(({ id }) => id);
    expect(ids(body)).toEqual(ids(before.body));
    // The embedded database has one connection, so the read was restarted.
    const title = kind === 'embedded' ? 'other' : last.title;
    expect((body as { title: string }[]).at(-1)!.title).toBe(title);
    await pool.query(`update public.generated_images set title = $2 where id = $1`, [last.id, last.title]);
  });

  test.runIf(kind === 'embedded')('constantly changing rows are refused with Retry-After', async () => {
    const { pool } = library.database;
    let isChanging = false;
    const change = async (): Promise<void> => {
      if (isChanging) return;
      isChanging = true;
      await pool.query(`update public.generated_images set title = title || '.'`);
      isChanging = false;
    };
    const onRelease = (): void => void change();
    pool.on('release', onRelease);
    const answer = await call('GET', many);
    pool.off('release', onRelease);
    expect(answer).toMatchObject({ status: 503, body: { code: '40001' }, headers: { 'retry-after': '1' } });
    await pool.query(`update public.generated_images set title = rtrim(title, '.')`);
    expect(await call('GET', many)).toMatchObject({ status: 200 });
  });

  test.runIf(kind === 'embedded')(
    'a caller who may see some columns only is answered all the same',
    async () => {
      const { pool } = library.database;
      await pool.query(
        `revoke select on public.texts from authenticated; grant select (id, title) on public.texts to authenticated`,
      );
      const { status, body } = await call('GET', `/texts?select=title&id=gte.5015&order=id&limit=5`);
      expect({ status, rows: (body as unknown[]).length }).toEqual({ status: 200, rows: 5 });
      // What has to come in one transaction is no longer than what the database builds at once.
      expect(await call('GET', `/texts?select=title&${long}`)).toMatchObject({
        status: 413,
        body: { details: 'At most 2097152 bytes in one answer.' },
      });
      await pool.query('grant select on public.texts to authenticated');
    },
  );

  test('one long row is an object on request, and counted with the others on request', async () => {
    const accept = 'application/vnd.pgrst.object+json';
    const one = await call('GET', '/texts?select=id,title&id=eq.5017', { accept });
    expect(one).toMatchObject({ status: 200, body: { id: 5017, title: 'long, "é" '.repeat(150_000) } });
    const counted = await call('GET', `/texts?${long}&limit=30`, { prefer: 'count=exact' });
    expect(counted).toMatchObject({ status: 206, range: '0-29/40' });
    expect(counted.body).toHaveLength(30);
    expect(await call('GET', `/texts?${long}`, { accept })).toMatchObject({ status: 406 });
  });

  test('a row or an answer above the size limit is never built, in any format', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `a${n}:image_data`).join(',');
    for (const [path, what] of [
      [`/generated_images?select=${names(3)}&limit=1`, '2097152 bytes in one row'],
      [`/generated_images?select=${names(2)}`, '16777216 bytes in one answer'],
    ] as const) {
      const statements = await statementsOf(library, () => call('GET', path));
      expect(statements.answer).toMatchObject({
        status: 413,
        body: { code: '54000', details: `At most ${what}.` },
      });
      expect(
        statements.texts.filter((text) => text.includes('row_to_json') || text.includes('json_agg("r"')),
      ).toEqual([]);
    }
    const changed = { body: { title: 'changed' }, prefer: 'return=representation' };
    expect(await call('PATCH', '/generated_images?title=neq.x', changed)).toMatchObject({
      status: 413,
      body: { code: '54000', details: 'At most 2097152 bytes in one answer.' },
    });
    expect(await call('GET', '/generated_images?select=title&title=eq.changed')).toMatchObject({ body: [] });
    expect(await call('HEAD', `/generated_images?select=${names(5)}`)).toMatchObject({
      status: 200,
      range: '0-11/*',
    });
  });

  test('the size of a row includes its embedded rows', async () => {
    await library.database.pool.query(
      `insert into public.texts (id, title, author_id) select n, repeat('x', 100000), 3 from generate_series(1, 30) n`,
    );
    const path = '/authors?select=name,texts(title)&id=eq.3';
    expect(await call('GET', path)).toMatchObject({
      status: 413,
      body: { details: 'At most 2097152 bytes in one row.' },
    });
    expect(await call('GET', `${path}&texts.limit=10`)).toMatchObject({ status: 200 });
    await library.database.pool.query('delete from public.texts where author_id = 3');
  });

  test(
    'text that becomes six times as long as JSON is refused all the same',
    async () => {
      await library.database.pool.query(
        `insert into public.genres select n, repeat(chr(1), 1900000) from generate_series(100, 101) n`,
      );
      const refused = {
        status: 413,
        body: { code: '54000', details: 'At most 16777216 bytes in one answer.' },
      };
      expect(await call('GET', '/genres?id=gte.100')).toMatchObject(refused);
      expect(await call('GET', '/genres?id=eq.100')).toMatchObject({ status: 200 });
      await library.database.pool.query('delete from public.genres where id >= 100');
    },
    slowMs,
  );

  test(
    'callers who do not read their answers keep no other caller from the database',
    async () => {
      const { port } = new URL(await library.listen());
      const stalled = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const socket = connect(Number(port), '127.0.0.1');
          socket.write(asking);
          const head = await new Promise<string>((resolve) => {
            socket.once('readable', () => resolve((socket.read(100) as Buffer).toString()));
          });
          return { socket, status: head.slice(9, 12) };
        }),
      );
      // One caller's share is two of the longest answers.
      const statuses = stalled.map(({ status }) => status).sort();
      expect(statuses).toEqual(['200', '200', '429', '429', '429', '429']);
      expect(library.database.pool.totalCount - library.database.pool.idleCount).toBe(0);
      expect(await call('GET', '/books?select=id&id=eq.1')).toMatchObject({ status: 200, body: [{ id: 1 }] });
      expect(await call('GET', '/generated_images')).toMatchObject({ status: 429 });
      // Another caller has a share of their own.
      expect(await call('GET', `/texts?${long}`, { as: 'service' })).toMatchObject({ status: 200 });
      for (const { socket } of stalled) socket.destroy();
      const isServed = () => call('GET', '/generated_images').then(({ status }) => status === 200);
      await expect.poll(isServed).toBe(true);

      // A client that disconnects before the response leaves nothing behind either.
      for (let n = 0; n < 6; n += 1) {
        const socket = connect(Number(port), '127.0.0.1');
        socket.write(asking);
        await pause(5 * n);
        socket.destroy();
      }
      await expect.poll(isServed).toBe(true);
    },
    slowMs,
  );
});

test(
  'a library of thirty images of the largest size is one answer',
  async () => {
    const [, open] = testedDatabases()[0]!;
    const library = await openLibrary(open);
    // One that the others copy, as it is compressed.
    const insert = `insert into public.generated_images (user_id, title, image_type, image_data)`;
    await library.database.pool.query(`${insert} values ($1, 'i', 'gene', repeat('QUJD', 1048576))`, [ada]);
    await library.database.pool.query(
      `${insert} select user_id, title, image_type, image_data from public.generated_images, generate_series(2, 30)`,
    );
    const { status, range, body } = await library.call('GET', '/generated_images');
    expect({ status, range }).toEqual({ status: 200, range: '0-29/*' });
    const lengths = (body as { image_data: string }[]).map(({ image_data: data }) => data.length);
    expect(lengths).toEqual(Array(30).fill(4 * mebibyte));
    await library.close();
  },
  slowMs,
);

async function statementsOf<T>(
  { database }: Library,
  work: () => Promise<T>,
): Promise<{ answer: T; texts: string[] }> {
  const texts: string[] = [];
  const watch = (client: { query: unknown }): void => {
    const query = client.query as (...args: unknown[]) => unknown;
    client.query = function watched(this: unknown, ...args: unknown[]) {
      texts.push(String((args[0] as { text?: string }).text ?? args[0]));
      return query.apply(this, args);
    };
  };
  const restored: (() => void)[] = [];
  const onAcquire = (client: object): void => {
    watch(client as { query: unknown });
    restored.push(() => delete (client as { query?: unknown }).query);
  };
  database.pool.on('acquire', onAcquire);
  const answer = await work();
  database.pool.off('acquire', onAcquire);
  for (const restore of restored) restore();
  return { answer, texts };
}
