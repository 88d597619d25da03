import { connect } from 'node:net';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '@cellfolio/server';
import { databases } from './databases.ts';
import { type Person, type StorageWorld, storageWorld } from './storage-world.ts';

const bucket = 'user-files';

describe.each(databases)('malformed requests on the $name database', ({ malformedRequests, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: StorageWorld;
  let owner: Person;
  let stranger: Person;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await storageWorld(database, undefined, { lockWaitSeconds: 1 });
    owner = await world.person('Professional');
    stranger = await world.person('Professional');
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  const json = (value: unknown) => JSON.stringify(value);
  const templates = (folder: string, upload: string): RawRequest[] => {
    const name = `${folder}/1_cells.tsv`;
    const typed = { 'content-type': 'application/json' };
    const tus = { 'tus-resumable': '1.0.0' };
    const metadata = `bucketName ${btoa(bucket)},objectName ${btoa(`${folder}/t.tsv`)}`;
    return [
      {
        method: 'POST',
        path: `/object/${bucket}/${folder}/2.tsv`,
        headers: { 'x-upsert': 'true' },
        body: 'bytes',
      },
      {
        method: 'PUT',
        path: `/object/${bucket}/${name}`,
        headers: { 'x-metadata': btoa('{"a":1}') },
        body: 'bytes',
      },
      {
        method: 'POST',
        path: `/object/${bucket}/${folder}/3.tsv`,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\ncontent-disposition: form-data; name="cacheControl"\r\n\r\n60\r\n--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\n\r\nbytes\r\n--x--\r\n',
      },
      {
        method: 'GET',
        path: `/object/${bucket}/${name}?download=a`,
        headers: { range: 'bytes=0-1' },
        body: '',
      },
      { method: 'HEAD', path: `/object/${bucket}/${name}`, headers: { 'if-none-match': '"a"' }, body: '' },
      { method: 'GET', path: `/object/info/${bucket}/${name}`, headers: {}, body: '' },
      { method: 'GET', path: `/object/sign/${bucket}/${name}?token=a.b.c`, headers: {}, body: '' },
      {
        method: 'PUT',
        path: `/object/upload/sign/${bucket}/${name}?token=a.b.c`,
        headers: {},
        body: 'bytes',
      },
      { method: 'GET', path: `/object/public/${bucket}/${name}`, headers: {}, body: '' },
      {
        method: 'POST',
        path: `/object/sign/${bucket}/${name}`,
        headers: typed,
        body: json({ expiresIn: 60 }),
      },
      {
        method: 'POST',
        path: `/object/sign/${bucket}`,
        headers: typed,
        body: json({ expiresIn: 60, paths: [name] }),
      },
      { method: 'POST', path: `/object/upload/sign/${bucket}/${folder}/4.tsv`, headers: typed, body: '{}' },
      {
        method: 'POST',
        path: `/object/list/${bucket}`,
        headers: typed,
        body: json({ prefix: folder, limit: 10 }),
      },
      {
        method: 'POST',
        path: `/object/list-v2/${bucket}`,
        headers: typed,
        body: json({ prefix: folder, cursor: 'e30' }),
      },
      {
        method: 'POST',
        path: '/object/copy',
        headers: typed,
        body: json({ bucketId: bucket, sourceKey: name, destinationKey: `${folder}/5.tsv` }),
      },
      {
        method: 'POST',
        path: '/object/move',
        headers: typed,
        body: json({ bucketId: bucket, sourceKey: `${folder}/2.tsv`, destinationKey: `${folder}/6.tsv` }),
      },
      {
        method: 'DELETE',
        path: `/object/${bucket}`,
        headers: typed,
        body: json({ prefixes: [`${folder}/2.tsv`] }),
      },
      { method: 'DELETE', path: `/object/${bucket}/${folder}/9.tsv`, headers: {}, body: '' },
      { method: 'GET', path: '/bucket?limit=1&sortColumn=name', headers: {}, body: '' },
      { method: 'POST', path: '/bucket', headers: typed, body: json({ name: 'b', file_size_limit: '1MB' }) },
      { method: 'PUT', path: `/bucket/${bucket}`, headers: typed, body: json({ public: true }) },
      {
        method: 'POST',
        path: '/upload/resumable',
        headers: { ...tus, 'upload-length': '10', 'upload-metadata': metadata },
        body: '',
      },
      {
        method: 'PATCH',
        path: `/upload/resumable/${upload}`,
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: 'bytes',
      },
      { method: 'HEAD', path: `/upload/resumable/${upload}`, headers: tus, body: '' },
    ];
  };

  test(`${malformedRequests} of them cause no internal error and disclose nothing`, async () => {
    const { uniform: random } = createRandom('storage');
    const secret = 'the secret of the owner';
    const files = owner.client.storage.from(bucket);
    const protectedNames = [`${owner.id}/1_cells.tsv`, `${owner.id}/2.tsv`];
    for (const name of protectedNames) await files.upload(name, Buffer.from(secret));
    const begun = await fetch(`${world.server.url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        ...world.headers(owner),
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(`${owner.id}/t.tsv`)}`,
      },
    });
    const upload = begun.headers.get('location')!.slice(-36);
    // Half of them by a stranger against the owner's files, half by the owner.
    const failures: { request: RawRequest; status: number }[] = [];
    const statusCounts = new Map<number, number>();
    for (let count = 0; count < malformedRequests; count += 1) {
      const asStranger = count % 2 === 0;
      const all = templates(asStranger ? owner.id : stranger.id, upload);
      const request = malformed(all[Math.floor(random() * all.length)]!, random);
      const { status } = await send(
        world.server.url,
        { ...request, path: `/storage/v1${request.path}` },
        world.headers(asStranger ? stranger : owner),
      );
      statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
      if (status < 200 || status >= 500) failures.push({ request, status });
    }
    expect(failures).toEqual([]);
    // Most must have been refused, or they were not malformed.
    const refused = [...statusCounts]
      .filter(([status]) => status >= 400)
      .reduce((sum, [, count]) => sum + count, 0);
    expect(refused).toBeGreaterThan(malformedRequests / 2);
    for (const name of protectedNames) expect(await (await files.download(name)).data?.text()).toBe(secret);
    const { rows } = await database.pool.query(
      'select name from storage.objects where owner_id = $1 and not starts_with(name, $2)',
      [stranger.id, stranger.id],
    );
    expect(rows).toEqual([]);
    expect((await world.service.storage.getBucket(bucket)).data?.public).toBe(false);
  });
});

interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const hostileTexts = [
  '',
  '..',
  '../../etc/passwd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%00',
  '%',
  '%zz',
  '%c3%28',
  '\\',
  "' or 1=1 --",
  '"><script>alert(1)</script>',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '$(id)',
  'null',
  'NaN',
  '-1',
  '1e309',
  '99999999999999999999',
  '💥',
  'x'.repeat(5000),
  '[]',
  '{}',
  '{"__proto__":{"a":1}}',
  '\u0000',
  '{"prefix":"\\u0000"}',
  '{"prefixes":["\\ud800"]}',
  '{"expiresIn":1e999}',
];

function malformed(request: RawRequest, random: () => number): RawRequest {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const corrupted = (text: string): string => {
    const at = Math.floor(random() * (text.length + 1));
    const kind = random();
    if (kind < 0.3) return text.slice(0, at) + pick(hostileTexts) + text.slice(at);
    if (kind < 0.5) return text.slice(0, at);
    if (kind < 0.6) return text.slice(0, at) + text.slice(at + 1);
    if (kind < 0.8) return pick(hostileTexts);
    return text.replace(/"[^"]*"|\d+/, JSON.stringify(pick(hostileTexts)));
  };
  const changed = { ...request, headers: { ...request.headers } };
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) {
    const names = Object.keys(changed.headers);
    const kind = random();
    if (kind < 0.35) {
      const segments = changed.path.split('/');
      const at = 1 + Math.floor(random() * (segments.length - 1));
      segments[at] = corrupted(segments[at] ?? '');
      changed.path = segments.join('/');
    } else if (kind < 0.7) changed.body = corrupted(changed.body);
    else if (kind < 0.8) changed.method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
    else if (names.length > 0) changed.headers[pick(names)] = corrupted(changed.headers[pick(names)] ?? '');
    else
      changed.headers[pick(['range', 'content-type', 'x-upsert', 'x-metadata', 'x-signature'])] =
        pick(hostileTexts);
  }
  return changed;
}

interface RawAnswer {
  /** 0 if the connection ended without a response. */
  status: number;
  text: string;
}

/** Sends a request over a plain socket, since fetch would correct parts of it. */
function send(
  base: string,
  { method, path, headers, body }: RawRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { port, host } = new URL(base);
  const clean = (text: string) => [...text].filter((c) => c >= ' ' && c !== '\u007f').join('');
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${clean(value)}`);
  const payload = Buffer.from(body);
  // A space would end the address.
  const target = clean(path).replaceAll(' ', '%20');
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    // The connection may be closed after a response that came before the body was read.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: ${payload.byteLength}\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    socket.write(payload);
  });
}
