import { expect, test } from 'vitest';
import type { SubclusteringRecord } from '@cellfolio/contract';
import { insertJob } from '../job-table.ts';
import { describeJobs } from '../testing/describe-jobs.ts';
import { hasEnded } from '../testing/own-data-client.ts';

describeJobs('taking cells of a dataset', (at) => {
  const part: SubclusteringRecord = {
    dataset_filename: 'a.h5ad',
    version: 'v',
    name: 'A',
    subset: 'T',
    definition: 'T cells',
    cells: 1234,
    of_cells: 5000,
  };

  const order = (name: string) =>
    at.database.transaction(async (client) => {
      const annotations = [{ id: '00000000-0000-4000-8000-000000000000', revision: 1, name: 'Mine' }];
      const job = await insertJob(client, {
        owner: at.owner,
        kind: 'subset',
        fileIds: [],
        name: 'T cells',
        request: {
          subset: { part: { ...part, name }, annotations, processing: { resolution: 0.5 } },
        },
      });
      await client.query('insert into cellfolio.job_cells (job_id, cells) values ($1, $2)', [job.id, 'AAE']);
      return job.id;
    });

  test('a server that stops hands it back, and the next makes the file, whose dataset is built with the choices', async () => {
    const { world, owner } = at;
    const gate = world.gate();
    const first = world.start();
    const id = await order(`wait ${gate.path}`);
    await world.job(first, owner, (job) => job.id === id && job.stage !== null && job.state === 'running');
    await first.close();
    expect((await first.own.get({ userId: owner }, id)).state).toBe('queued');
    await gate.open();
    const second = world.start();
    const job = await world.job(second, owner, (one) => one.id === id && hasEnded(one));
    expect(job).toMatchObject({ state: 'done', attempts: 1, problem: null });
    // Labels that are gone are told, and no reason to make nothing.
    expect(job.log.map(({ text }) => text)).toContain('Your labels Mine have been changed and are left out.');
    const file = await world.file(
      second,
      owner,
      ({ file_id, dataset }) => file_id === job.result_file_id && dataset?.state === 'ready',
    );
    expect(file.part_of).toMatchObject({ dataset_filename: 'a.h5ad', cells: 1234, of_cells: 5000 });
    expect(file.dataset).toMatchObject({
      processing: { resolution: 0.5 },
      version: 'v1',
      made_with: { version: 'v1', processing: { resolution: 0.5 } },
      made_before: null,
    });
  });

  test('a failed job reports its reason, and can be started again with the same cells', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    const id = await order('refuse');
    const failed = await world.job(jobs, owner, (job) => job.id === id && hasEnded(job));
    expect(failed).toMatchObject({ state: 'failed', problem: { message: 'The file is of no use.' } });
    const again = await jobs.own.again({ userId: owner }, id);
    const { rows } = await at.database.pool.query('select cells from cellfolio.job_cells where job_id = $1', [
      again.id,
    ]);
    expect(rows).toEqual([{ cells: 'AAE' }]);
  });

  test('a build that fails leaves the version before and what that was made with', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    const fileId = await world.addFile(owner, 'a.h5ad', world.saying());
    await world.file(jobs, owner, ({ file_id, dataset }) => file_id === fileId && dataset?.state === 'ready');
    const { id } = await jobs.own.build(owner, fileId, { processing: { neighbours: 30 } });
    await jobs.own.cancel({ userId: owner }, id);
    const file = await world.file(jobs, owner, ({ dataset }) => dataset?.problem !== null);
    expect(file.dataset).toMatchObject({
      state: 'ready',
      processing: { neighbours: 30 },
      made_with: { version: 'v1', processing: {} },
      problem: { code: 'cancelled' },
    });
  });
});
