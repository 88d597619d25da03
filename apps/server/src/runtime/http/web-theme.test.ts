import { readFile } from 'node:fs/promises';
import { cellTypePalette } from '@cellfolio/figures';
import { expect, test } from 'vitest';

test('the web app and the figures have the same ten cell-type colours', async () => {
  const theme = await readFile(new URL('../../../../web/src/app/brand.css', import.meta.url), 'utf8');
  const colours = Object.fromEntries(
    [...theme.matchAll(/^\s*--cell-([a-z-]+): (#[0-9a-f]{6});/gm)].map(([, type, colour]) => [type, colour]),
  );
  expect(colours).toEqual(cellTypePalette);
});
