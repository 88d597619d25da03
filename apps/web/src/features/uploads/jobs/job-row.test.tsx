import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { endedJob, testId, testJob } from '@/testing/own-jobs.ts';
import { opened } from '../own-data.fixture.tsx';

const atlasId = testId(1);

test('the log of a job opens by itself when the job fails', async () => {
  const running = testJob({ file_ids: [atlasId] });
  const { tell, client } = opened([], { jobs: [running] });
  const log = () => screen.findByRole('button', { name: 'Log of: Dataset of atlas.h5ad' });
  expect(await log()).toHaveAttribute('aria-expanded', 'false');
  tell({ jobs: [endedJob('failed', { file_ids: [atlasId] })] });
  await client.invalidateQueries();
  await waitFor(async () => expect(await log()).toHaveAttribute('aria-expanded', 'true'));
});
