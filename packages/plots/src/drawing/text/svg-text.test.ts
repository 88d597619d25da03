import { expect, test } from 'vitest';
import { escapeXml } from './svg-text.ts';

test('markup becomes text and characters that XML forbids are left out', () => {
  expect(escapeXml(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;');
  expect(escapeXml('a\u0000\u001f\uffffb')).toBe('ab');
});
