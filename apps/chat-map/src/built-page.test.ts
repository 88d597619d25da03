import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

test('the page is one file that loads nothing and has no eval', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const built = await build({ root, logLevel: 'silent', build: { write: false } });
  const { output } = built as { output: { fileName: string; source?: string | Uint8Array }[] };
  expect(output.map(({ fileName }) => fileName)).toEqual(['map.html']);
  const page = String(output[0]!.source);
  expect(page.match(/<(script|style|link|img|iframe|base)\b[^>]*>/g)).toEqual([
    '<style>',
    '<script type="module">',
  ]);
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page)!;
  expect(style).not.toMatch(/@import|url\(/);
  // A match and not the page, which a failure would print.
  expect(/\beval\(|new Function\b|\bimport\(/.exec(page)?.[0]).toBeUndefined();
  expect(page.length).toBeLessThan(400_000);
});
