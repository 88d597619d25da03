import { expect, test } from 'vitest';
import { describeJobs } from './testing/describe-jobs.ts';
import { hasEnded } from './testing/own-data-client.ts';

describeJobs('a dataset that is made beside another of the same file', (at) => {
  const order = { processing: { resolution: 0.6 }, beside: { name: 'A (MNN, resolution 0.6)' } };

  test('has a copy of the file and the new choices; the dataset that was there stays as it is', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    // A dataset is made of it only when its owner asks for one.
    const fileId = await world.addFile(owner, 'a.h5ad', world.saying('review'));
    await world.file(jobs, owner, ({ file_id, report }) => file_id === fileId && report !== null);
    await jobs.own.build(owner, fileId, { processing: { resolution: 1 } });
    const before = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    await at.database.pool.query('insert into cellfolio.combined_files (file_id, record) values ($1, $2)', [
      fileId,
      { genes: { kept: 'all', matchedBy: 'names', shared: 5, ofAny: 5 }, files: [] },
    ]);

    const { id, kind } = await jobs.own.build(owner, fileId, order);
    expect(kind).toBe('copy');
    const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
    expect(job).toMatchObject({ state: 'done', file_ids: [fileId] });
    const copy = await world.file(
      jobs,
      owner,
      ({ file_id, dataset }) => file_id === job.result_file_id && dataset?.state === 'ready',
    );
    expect(copy).toMatchObject({
      copy_of: { file_id: fileId, name: 'a.h5ad', made_with: { processing: { resolution: 1 } } },
      combined: { genes: { kept: 'all' } },
      dataset: { made_with: { processing: { resolution: 0.6 } }, made_before: null },
    });
    const { rows } = await at.database.pool.query(
      'select file_name, original_filename, file_size from public.user_files order by created_at',
    );
    expect(rows[1]).toEqual({
      file_name: 'A (MNN, resolution 0.6)',
      original_filename: 'A (MNN, resolution 0.6).h5ad',
      file_size: rows[0].file_size,
    });
    // It is inspected with the choices that it is built with.
    await world.file(jobs, owner, ({ file_id, report }) => file_id === copy.file_id && report !== null);
    const { files } = await jobs.own.list(owner);
    expect(files.find(({ file_id }) => file_id === fileId)?.dataset).toEqual(before.dataset);
    expect((await world.runs()).filter((run) => run.startsWith('build'))).toHaveLength(2);
  });

  test('fails with a reason where there is no room for the copy, and leaves nothing behind', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    const fileId = await world.addFile(owner, 'a.h5ad', world.saying('x'.repeat(6000)));
    const { dataset } = await world.file(jobs, owner, (file) => file.dataset?.state === 'ready');
    const { id } = await jobs.own.build(owner, fileId, order);
    const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'quota_exceeded' }, result_file_id: null });
    const { files } = await jobs.own.list(owner);
    expect(files.map((file) => [file.file_id, file.dataset])).toEqual([[fileId, dataset]]);
    // With room again it needs no new choices.
    expect(await jobs.own.again({ userId: owner }, id)).toMatchObject({
      kind: 'copy',
      name: 'A (MNN, resolution 0.6)',
    });
  });
});
