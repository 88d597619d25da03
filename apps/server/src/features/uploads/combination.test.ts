import { expect, test } from 'vitest';
import { describeJobs } from './testing/describe-jobs.ts';
import { hasEnded } from './testing/own-data-client.ts';

describeJobs('combining samples', (at) => {
  const order = (ids: readonly string[]) => ({
    file_name: 'Both/sides',
    samples: ids.map((file_id, at) => ({ file_id, sample: `S${at}`, values: { condition: `c${at}` } })),
    genes: 'shared' as const,
    choices: { doublets: 'mark' as const },
  });

  test('files become one, whose dataset is built with what was chosen for the samples', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    const ids = [
      await world.addFile(owner, 'a.h5ad', world.saying()),
      await world.addFile(owner, 'b.h5ad', world.saying()),
    ];
    const begun = await jobs.own.combine(owner, order(ids));
    expect(begun).toMatchObject({ kind: 'combine', name: 'Both_sides.h5ad', file_ids: ids });
    const job = await world.job(jobs, owner, (one) => one.id === begun.id && hasEnded(one));
    expect(job).toMatchObject({ state: 'done', problem: null });
    expect(job.log.map(({ text }) => text)).toContain('Eight cells.');
    const file = await world.file(
      jobs,
      owner,
      ({ file_id, dataset }) => file_id === job.result_file_id && dataset?.state === 'ready',
    );
    expect(file.combined).toEqual({
      genes: { kept: 'shared', matchedBy: 'names', shared: 5, ofAny: 5 },
      files: ['a.h5ad', 'b.h5ad'].map((name, at) => ({ sample: `S${at}`, file: name, cells: 4, genes: 5 })),
    });
    expect(file.dataset!.processing).toEqual({ samples: { doublets: 'mark' } });
  });

  test('files of somebody else, the same file twice and files without cells are refused', async () => {
    const { world, owner } = at;
    const jobs = world.start();
    const mine = await world.addFile(owner, 'a.h5ad', world.saying());
    const table = await world.addFile(owner, 'a.tsv', world.saying());
    const theirs = await world.addFile(await world.addUser('Professional'), 'b.h5ad', world.saying());
    const combining = (ids: readonly string[], user = owner) => jobs.own.combine(user, order(ids));
    await expect(combining([mine, theirs])).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    await expect(combining([mine, mine])).rejects.toMatchObject({ status: 400, code: 'not_combinable' });
    await expect(combining([mine, table])).rejects.toMatchObject({ status: 400, code: 'not_combinable' });
    const free = await world.addUser();
    await expect(combining([mine, theirs], free)).rejects.toMatchObject({ status: 403 });
  });
});
