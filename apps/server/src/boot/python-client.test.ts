import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedModules, synchronous } from '../../../../scripts/python-client.mjs';
import { clientAnalyses } from '../testing/client-analyses.ts';
import { startTestServer } from '../testing/running-server.ts';

const packageFolder = fileURLToPath(new URL('../../../../clients/python/src/cellfolio/', import.meta.url));

// `vitest run` with `-u` writes the files.
test('the Python client has the calls and the analyses of the server, in both forms', async () => {
  const server = await startTestServer({}, async () => undefined);
  const document = (await (await fetch(`${server.siteUrl}/api/openapi.json`)).json()) as object;
  await server.close();
  const generated = generatedModules(document, clientAnalyses());
  const names = (await readdir(`${packageFolder}_async`)).filter((name) => name.endsWith('.py'));
  for (const [path, text] of generated) await expect(text, path).toMatchFileSnapshot(packageFolder + path);
  for (const name of names) {
    const path = `_async/${name}`;
    const text = generated.get(path) ?? (await readFile(packageFolder + path, 'utf8'));
    await expect(synchronous(path, text), name).toMatchFileSnapshot(`${packageFolder}_sync/${name}`);
  }
  const synchronousNames = await readdir(`${packageFolder}_sync`);
  expect(synchronousNames.filter((name) => name.endsWith('.py'))).toEqual(names);
});
