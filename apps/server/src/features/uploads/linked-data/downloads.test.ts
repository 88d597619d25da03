import type { Owner } from '../../../runtime/owners.ts';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobsOptions } from '../jobs.ts';
import { describeJobs } from '../testing/describe-jobs.ts';
import { hasEnded } from '../testing/own-data-client.ts';
import { tarOf } from '../../../runtime/archives/tar.test-data.ts';
import { downloadPlaces } from '../worker/job-worker.ts';
import { sendFile, TestArchive } from './archive.test-data.ts';

const { signal } = new AbortController();
/** Compressed, a thousandth of its unpacked size. */
const bomb = gzipSync(await tarOf([['zeros.h5', Buffer.alloc(68e6)]]));

describeJobs('links', (at) => {
  let archive: TestArchive;
  beforeEach(async () => {
    archive = new TestArchive();
    await archive.listen();
  });
  afterEach(() => archive.close());

  const start = (more: Partial<JobsOptions> = {}) =>
    at.world.start({
      linkOrigins: [archive.origin],
      archives: archive.archives,
      downloadPauses: [1, 1],
      ...more,
    });
  const text = (...lines: string[]) => Buffer.from(at.world.saying(...lines));
  const trio = () => ({
    GSM1: new Map([
      ['GSM1_matrix.mtx.gz', text()],
      ['GSM1_barcodes.tsv.gz', text()],
      ['GSM1_features.tsv.gz', text()],
    ]),
    GSM2: new Map([['GSM2_cells.h5ad', text()]]),
  });
  const leftBehind = () => readdir(join(at.world.folder, 'scratch', 'downloads', at.owner)).catch(() => []);
  const nothingLeft = () => at.world.until('an empty folder', async () => (await leftBehind()).length === 0);

  test('a preview of a link names its datasets, and each becomes a file with the facts of the archive', async () => {
    const { database, world, owner } = at;
    const jobs = start();
    archive.addSeries('GSE1', trio());
    const preview = await jobs.linkedData.preview(owner, 'gse1', signal);
    expect(preview).toMatchObject({
      title: 'GSE1 Two donors',
      datasets: [
        { name: 'GSM1 Donor 1', files: { length: 3 }, bytes: null, cells: null },
        { name: 'GSM2 Donor 2', files: [{ name: 'GSM2_cells.h5ad' }], file_name: 'Donor 2' },
      ],
    });
    expect(preview.datasets[0]!.facts).toContainEqual({ name: 'Organism', value: 'Homo sapiens' });
    const datasets = preview.datasets.map(({ name }) => name);
    const begun = await jobs.linkedData.download(owner, { link: 'GSE1', datasets }, signal);
    expect(begun.map(({ name, kind }) => [kind, name])).toEqual([
      ['download', 'Donor 1'],
      ['download', 'Donor 2'],
    ]);
    for (const { id } of begun) {
      const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
      expect(job).toMatchObject({ state: 'done', problem: null, result_file_id: expect.any(String) });
      const file = await world.file(
        jobs,
        owner,
        ({ file_id, report }) => file_id === job.result_file_id && report !== null,
      );
      expect(file.said).toMatchObject({
        condition: expect.stringMatching(/^c[12]$/),
        organism: 'Homo sapiens',
      });
    }
    const { rows } = await database.pool.query(
      'select file_name, original_filename, description from public.user_files order by file_name',
    );
    expect(rows).toEqual([
      {
        file_name: 'Donor 1',
        original_filename: 'Donor 1.h5ad',
        description: expect.stringContaining('What was done.'),
      },
      { file_name: 'Donor 2', original_filename: 'GSM2_cells.h5ad', description: expect.any(String) },
    ]);
    await nothingLeft();
  });

  test('where the last of three files fails, another start fetches only that one', async () => {
    const { world, owner } = at;
    const jobs = start();
    archive.addSeries('GSE1', trio());
    const [, , last] = [...trio().GSM1.keys()].map((name) => `/geo/samples/GSM1/suppl/${name}`);
    const content = archive.pages.get(last!);
    archive.pages.delete(last!);
    const [begun] = await jobs.linkedData.download(
      owner,
      { link: 'GSE1', datasets: ['GSM1 Donor 1'] },
      signal,
    );
    const failed = await world.job(jobs, owner, ({ id, state }) => id === begun!.id && state === 'failed');
    expect(failed.problem).toMatchObject({
      code: 'download_failed',
      message: expect.stringMatching(/GSM1_features\.tsv\.gz: the server answered 404\.$/),
    });
    archive.pages.set(last!, content!);
    let bytes = 0;
    for (const [path, page] of archive.pages) {
      if (!Buffer.isBuffer(page) || path.startsWith('/geo/query')) continue;
      archive.pages.set(path, (request, response) => {
        if (request.headers['if-none-match'] === undefined) bytes += page.length;
        sendFile(request, response, page);
      });
    }
    const again = await jobs.own.again({ userId: owner }, begun!.id);
    await world.job(jobs, owner, ({ id, state }) => id === again.id && state === 'done');
    expect(bytes).toBe((content as Buffer).length);
    await nothingLeft();
    await expect(jobs.own.again({ userId: owner }, again.id)).rejects.toMatchObject({
      code: 'not_restartable',
    });
    const stranger = await world.addUser('Professional');
    await expect(jobs.own.again({ userId: stranger }, begun!.id)).rejects.toMatchObject({
      code: 'job_not_found',
    });
  });

  test('a download goes on where it was when the server stopped', async () => {
    const { world, owner } = at;
    const content = Buffer.concat([text(), Buffer.alloc(5000, '\n')]);
    const ranges: (string | undefined)[] = [];
    archive.pages.set('/cells.h5ad', (request, response) => {
      ranges.push(request.headers.range);
      if (ranges.length > 2) return sendFile(request, response, content, '"one"');
      // The first look, and a download that stalls.
      response.writeHead(200, { etag: '"one"', 'content-length': content.length });
      response.write(content.subarray(0, 3000));
    });
    const link = `${archive.origin}/cells.h5ad`;
    const first = start();
    const [begun] = await first.linkedData.download(owner, { link, datasets: ['cells.h5ad'] }, signal);
    await world.job(first, owner, ({ state, progress }) => state === 'running' && progress > 0.5);
    await first.close();
    const second = start();
    const job = await world.job(second, owner, (one) => one.id === begun!.id && hasEnded(one));
    expect(job).toMatchObject({ state: 'done', attempts: 1 });
    expect(ranges).toEqual([undefined, undefined, 'bytes=3000-']);
  });

  test('a download begins beside those of others from servers that stall, of which each user has one at a time', async () => {
    const { world } = at;
    const jobs = start();
    const stall = (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { etag: '"one"', 'content-length': 9000 });
      response.write(Buffer.alloc(3000));
    };
    for (const name of ['one', 'two']) archive.pages.set(`/${name}.h5ad`, stall);
    archive.pages.set('/good.h5ad', text());
    const fetchAs = (owner: Owner, name: string) =>
      jobs.linkedData.download(
        owner,
        { link: `${archive.origin}/${name}.h5ad`, datasets: [`${name}.h5ad`] },
        signal,
      );
    const others: Owner[] = [];
    for (let n = 1; n < downloadPlaces; n++) {
      const other = await world.addUser('Professional');
      others.push(other);
      for (const name of ['one', 'two']) await fetchAs(other, name);
      await world.job(jobs, other, ({ state }) => state === 'running');
    }
    const [begun] = await fetchAs(at.owner, 'good');
    await world.job(jobs, at.owner, ({ id, state }) => id === begun!.id && state === 'done');
    for (const other of others) {
      const states = (await jobs.own.list(other)).jobs.map(({ state }) => state);
      expect(states.toSorted()).toEqual(['queued', 'running']);
    }
  });

  test('of downloads that are converted, one at a time is', async () => {
    const { world } = at;
    const jobs = start();
    const gate = world.gate();
    const files = ['matrix.mtx.gz', 'barcodes.tsv.gz', 'features.tsv.gz'];
    archive.addSeries('GSE1', {
      GSM1: new Map(files.map((name) => [`GSM1_${name}`, text(`convert: wait ${gate.path}`)])),
    });
    const owners = [at.owner, await world.addUser('Professional')];
    for (const owner of owners)
      await jobs.linkedData.download(owner, { link: 'GSE1', datasets: ['GSM1 Donor 1'] }, signal);
    // Both have what they convert.
    for (const owner of owners) await world.job(jobs, owner, ({ progress }) => progress >= 0.8);
    const conversions = async () => (await world.runs()).filter((run) => run.startsWith('convert'));
    await world.until('the first conversion', async () => (await conversions()).length > 0);
    // A process that begins later has ended by then: a second conversion would have begun.
    const later = await world.addFile(at.owner, 'later.tsv', world.saying());
    await world.file(jobs, at.owner, ({ file_id, report }) => file_id === later && report !== null);
    expect(await conversions()).toHaveLength(1);
    await gate.open();
    for (const owner of owners)
      await world.job(jobs, owner, ({ kind, state }) => kind === 'download' && state === 'done');
    expect(await conversions()).toHaveLength(2);
  });

  test('members of an archive are chosen by sample, and each is fetched by its part', async () => {
    const { world, owner } = at;
    const jobs = start();
    const tar = await tarOf([
      ['GSM1_cells.h5ad', text()],
      ['large.bin', Buffer.alloc(5_000_000)],
      ['GSM2_matrix.mtx.gz', text()],
      ['GSM2_barcodes.tsv.gz', text()],
      ['GSM2_features.tsv.gz', text()],
    ]);
    let sent = 0;
    archive.pages.set('/GSE1_RAW.tar', ({ headers }, response) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const part = tar.subarray(Number(first), Number(last) + 1);
      sent += part.length;
      const range = `bytes ${first}-${Number(first) + part.length - 1}/${tar.length}`;
      response.writeHead(206, { etag: '"one"', 'content-range': range }).end(part);
    });
    const link = `${archive.origin}/GSE1_RAW.tar`;
    const preview = await jobs.linkedData.preview(owner, link, signal);
    expect(preview.datasets.map(({ name, files }) => [name, files.length])).toEqual([
      ['GSM1_cells.h5ad', 1],
      ['GSM2', 3],
    ]);
    expect(preview.unreadable).toEqual(['large.bin (no format that can be read)']);
    const datasets = preview.datasets.map(({ name }) => name);
    for (const { id } of await jobs.linkedData.download(owner, { link, datasets }, signal)) {
      const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
      expect(job).toMatchObject({ state: 'done', problem: null });
    }
    expect(sent).toBeLessThan(1_000_000);
    await nothingLeft();
  });

  describe('an archive that is packed as a whole', () => {
    const members = () =>
      tarOf([
        ['GSM1_cells.h5ad', text()],
        ['large.bin', Buffer.alloc(3_000_000)],
        ['GSM2_matrix.mtx.gz', text()],
        ['GSM2_barcodes.tsv.gz', text()],
        ['GSM2_features.tsv.gz', text()],
      ]);
    const roomy = { fileLimits: { quotaBytes: 5e6, objects: 100 } };
    const look = (jobs: ReturnType<typeof start>, path: string) =>
      jobs.linkedData.preview(at.owner, archive.origin + path, signal);

    test('is read once to see what it has, and fetched once for all that is chosen of it', async () => {
      const { world, owner } = at;
      const jobs = start();
      const content = gzipSync(await members());
      let whole = 0;
      archive.pages.set('/GSE1.tar.gz', (request, response) => {
        if (request.headers['if-none-match'] === undefined) whole++;
        sendFile(request, response, content, '"one"');
      });
      const preview = await look(jobs, '/GSE1.tar.gz');
      expect(preview.datasets.map(({ name, files, bytes }) => [name, files.length, bytes])).toEqual([
        ['GSM1_cells.h5ad', 1, text().length],
        ['GSM2', 3, 3 * text().length],
      ]);
      expect(preview.unreadable).toEqual(['large.bin (no format that can be read)']);
      expect(await leftBehind()).toEqual([]);
      const link = `${archive.origin}/GSE1.tar.gz`;
      const datasets = preview.datasets.map(({ name }) => name);
      for (const { id } of await jobs.linkedData.download(owner, { link, datasets }, signal)) {
        const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
        expect(job).toMatchObject({ state: 'done', problem: null });
      }
      expect(whole).toBe(2);
      await nothingLeft();
    });

    test('is read on where the connection was lost', async () => {
      const content = gzipSync(await members(), { level: 0 });
      const ranges: (string | undefined)[] = [];
      archive.pages.set('/a.tgz', (request, response) => {
        ranges.push(request.headers.range);
        if (ranges.length > 1) return sendFile(request, response, content, '"one"');
        response.writeHead(200, { etag: '"one"', 'content-length': content.length });
        response.write(content.subarray(0, 1_000_000), () => setTimeout(() => response.destroy(), 30));
      });
      const preview = await look(start(roomy), '/a.tgz');
      expect(preview.datasets).toHaveLength(2);
      expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
    });

    test('that has changed since it was looked into is not taken apart', async () => {
      const { world, owner } = at;
      const jobs = start(roomy);
      archive.pages.set('/a.tar.gz', gzipSync(await members()));
      const link = `${archive.origin}/a.tar.gz`;
      await look(jobs, '/a.tar.gz');
      archive.pages.set('/a.tar.gz', gzipSync(await members(), { level: 0 }));
      await jobs.linkedData.download(owner, { link, datasets: ['GSM1_cells.h5ad'] }, signal);
      const failed = await world.job(jobs, owner, ({ state }) => state === 'failed');
      expect(failed.problem!.message).toMatch(/the archive has changed since it was read/);
    });

    test('is refused in words where it is damaged, cut off, no archive, a bomb or too large', async () => {
      const jobs = start(roomy);
      const tar = await members();
      const refused: [content: Buffer, says: RegExp][] = [
        [
          gzipSync(tar).subarray(0, -20),
          /cannot be unpacked: it is not a gzip file, is incomplete or is damaged/,
        ],
        [Buffer.from('not gzip at all'), /cannot be unpacked/],
        [gzipSync('words and words'), /is not a \.tar archive/],
        [gzipSync(tar.subarray(0, 2000)), /ends within .*large\.bin.*: it is incomplete/],
        [bomb, /more than 100 times its size/],
        [randomBytes(6_000_000), /it is larger than the 5(?:\.00)? MB that your files may have together/],
      ];
      for (const [content, says] of refused) {
        archive.pages.set('/a.tar.gz', content);
        await expect(look(jobs, '/a.tar.gz'), says.source).rejects.toMatchObject({
          status: 422,
          code: 'link_unreadable',
          message: expect.stringMatching(says),
        });
      }
      expect(await leftBehind()).toEqual([]);
    });
  });

  test('a cancelled download leaves nothing, and sends no more requests', async () => {
    const { world, owner } = at;
    archive.pages.set('/cells.h5ad', (_request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': 9000 });
      response.write(Buffer.alloc(3000));
    });
    const jobs = start();
    const link = `${archive.origin}/cells.h5ad`;
    const [begun] = await jobs.linkedData.download(owner, { link, datasets: ['cells.h5ad'] }, signal);
    await world.job(jobs, owner, ({ state, progress }) => state === 'running' && progress > 0.2);
    await jobs.own.cancel({ userId: owner }, begun!.id);
    await nothingLeft();
    expect((await jobs.own.get({ userId: owner }, begun!.id)).state).toBe('cancelled');
  });

  test('what is larger than the room that is left is refused, announced or not', async () => {
    const { world, owner } = at;
    const jobs = start();
    archive.pages.set('/large.h5ad', Buffer.alloc(20_000));
    const link = `${archive.origin}/large.h5ad`;
    await expect(
      jobs.linkedData.download(owner, { link, datasets: ['large.h5ad'] }, signal),
    ).rejects.toMatchObject({ status: 409, code: 'quota_exceeded' });
    archive.pages.set(
      '/large.h5ad',
      (_request, response) => void response.writeHead(200).end(Buffer.alloc(20_000)),
    );
    await jobs.linkedData.download(owner, { link, datasets: ['large.h5ad'] }, signal);
    const failed = await world.job(jobs, owner, ({ state }) => state === 'failed');
    expect(failed.problem!.message).toMatch(/it is larger than the room left in your storage \(10 KB\)/);
  });

  test('private addresses, other protocols and pages are refused, also behind a redirect', async () => {
    const { world, owner } = at;
    const jobs = start();
    const look = (link: string) => jobs.linkedData.preview(owner, link, signal);
    archive.pages.set(
      '/inside',
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/x.h5ad' }).end(),
    );
    archive.pages.set(
      '/page',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    for (const status of [403, 429, 500])
      archive.pages.set(`/${status}.h5ad`, (_request, response) => void response.writeHead(status).end());
    archive.pages.set('/workspace.rdata', Buffer.from('a'));
    const refused: [link: string, status: number, message: RegExp][] = [
      [
        'https://127.0.0.1:1/x.h5ad',
        422,
        /the link leads to https:\/\/127\.0\.0\.1:1, which is a private address/,
      ],
      ['https://[::ffff:10.0.0.1]/x.h5ad', 422, /which is a private address/],
      ['https://localhost/x.h5ad', 422, /the link leads to localhost, which is a private address/],
      ['http://example.org/x.h5ad', 400, /over https only/],
      ['file:///etc/passwd', 400, /over https only/],
      ['https://ada:secret@example.org/x.h5ad', 400, /a user name or password/],
      ['hello', 400, /This is not a link/],
      [`${archive.origin}/inside`, 422, /redirects to http:\/\/127\.0\.0\.1:1, which is a private address/],
      [`${archive.origin}/page`, 400, /leads to a web page/],
      [`${archive.origin}/nothing.h5ad`, 404, /the server answered 404/],
      [`${archive.origin}/403.h5ad`, 404, /the server answered 403: this file is not public/],
      [`${archive.origin}/429.h5ad`, 422, /the server answered 429. Try again later/],
      [`${archive.origin}/500.h5ad`, 422, /the server answered 500. Try again later/],
      [`${archive.origin}/workspace.rdata`, 422, /an R workspace/],
      ['GSE404', 404, /GEO has no public record GSE404/],
      ['https://cellxgene.cziscience.com/datasets', 400, /is not a collection or dataset page/],
    ];
    for (const [link, status, message] of refused)
      await expect(look(link), link).rejects.toMatchObject({
        status,
        message: expect.stringMatching(message),
      });
    const free = await world.addUser();
    await expect(jobs.linkedData.preview(free, 'GSE1', signal)).rejects.toMatchObject({ status: 403 });
  });

  test('a name that a server gives becomes a file of this user alone, whatever is in it', async () => {
    const { database, world, owner } = at;
    const jobs = start();
    archive.pages.set('/get?id=7', (_request, response) => {
      const content = text();
      response
        .writeHead(200, {
          etag: '"x"',
          'content-length': content.length,
          'content-disposition': `attachment; filename="../../<b>evil\u202e</b>.h5ad"`,
        })
        .end(content);
    });
    const link = `${archive.origin}/get?id=7`;
    const { datasets } = await jobs.linkedData.preview(owner, link, signal);
    const { name } = datasets[0]!;
    await jobs.linkedData.download(owner, { link, datasets: [name] }, signal);
    await world.job(jobs, owner, ({ kind, state }) => kind === 'download' && state === 'done');
    const { rows } = await database.pool.query<{ original_filename: string; file_path: string }>(
      'select original_filename, file_path from public.user_files',
    );
    expect(rows[0]!.original_filename).not.toMatch(/[/\\\u202e]/);
    expect(rows[0]!.file_path).toMatch(new RegExp(`^${owner}/\\d+_[\\w.-]+\\.h5ad$`));
  });
});
