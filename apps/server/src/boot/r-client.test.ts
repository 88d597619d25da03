import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analysesModule, documentation } from '../../../../scripts/r-client.mjs';
import { clientAnalyses } from '../testing/client-analyses.ts';
import { openApiDocument } from './openapi-document.ts';

const packageFolder = fileURLToPath(new URL('../../../../clients/r/', import.meta.url));

// `vitest run` with `-u` writes the files.
test('the R client has the analyses of the server, and a page for each of its functions', async () => {
  const analyses = analysesModule(JSON.parse(JSON.stringify(await openApiDocument())), clientAnalyses());
  await expect(analyses).toMatchFileSnapshot(`${packageFolder}R/analyses.R`);
  const names = (await readdir(`${packageFolder}R`)).filter((name) => name !== 'analyses.R').toSorted();
  const written = await Promise.all(names.map((name) => readFile(`${packageFolder}R/${name}`, 'utf8')));
  const generated = documentation([...written, analyses]);
  for (const [path, text] of generated) await expect(text, path).toMatchFileSnapshot(packageFolder + path);
  const pages = await readdir(`${packageFolder}man`);
  expect(pages.map((name) => `man/${name}`).toSorted()).toEqual(
    [...generated.keys()].filter((path) => path !== 'NAMESPACE').toSorted(),
  );
});
