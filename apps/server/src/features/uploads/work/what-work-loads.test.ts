import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the process of a job loads no schema of a call and no figure', async () => {
  const work = new URL('./index.ts', import.meta.url).href;
  const program = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    await import(${JSON.stringify(work)});
    console.log(JSON.stringify(urls));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const loaded = JSON.parse(stdout) as string[];
  const of = (folder: string): string[] => loaded.filter((url) => url.includes(folder));
  expect(of('/packages/ingest/')).not.toEqual([]);
  expect(
    of('/packages/contract/')
      .map((url) => url.split('/').at(-1)!)
      .sort(),
  ).toEqual(['processing-defaults.ts', 'samples-done.ts', 'upload-kinds.ts', 'work.ts']);
  for (const folder of ['/node_modules/zod/', '/packages/figures/', '/packages/analysis/']) {
    expect(of(folder), folder).toEqual([]);
  }
});
