import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('the numbers of jobs and the age of the oldest are of one look, and of now', async () => {
  const metrics = new Metrics();
  let looks = 0;
  metrics.watchDatabase({
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
    jobs: async () => {
      looks += 1;
      return [{ kind: 'build', state: 'queued', count: looks, oldest: 10 * looks }];
    },
  });
  for (const look of [1, 2]) {
    const { body } = await metrics.text();
    expect(body).toContain(`cellfolio_jobs{kind="build",state="queued"} ${look}\n`);
    expect(body).toContain(`cellfolio_job_oldest_seconds{kind="build",state="queued"} ${10 * look}\n`);
    expect(looks).toBe(look);
  }
});
