import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('tests on real data without the data fail, and say which folder is absent and how to name it', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'test-real.mjs')],
    { encoding: 'utf8', env: { ...process.env, CELLFOLIO_SHARED: '/nonexistent' } },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('/nonexistent/data is absent: CELLFOLIO_SHARED names the folder');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
});
