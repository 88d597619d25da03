import { expect, test } from 'vitest';
import { categoryLabel, cleanLabel, ellipsised, ellipsisedInside, wrappedOnTwo } from './fit-text.ts';
import { textWidth } from './text-width.ts';
import { escapeXml } from './svg-text.ts';

test('control and direction characters leave a label, scripts and emoji stay', () => {
  expect(cleanLabel('a\u0000b\n\tc\u202Ed\u2066')).toBe('a b c d');
  expect(cleanLabel('\ud800x')).toBe('x');
  expect(cleanLabel('תאי B 👩‍🔬 細胞')).toBe('תאי B 👩‍🔬 細胞');
});

test('a category of no visible character is called blank', () => {
  expect(categoryLabel(' \u0000 ')).toBe('(blank)');
});

test('widths are those of the font: digits of 15 px are about 9 px wide', () => {
  expect(textWidth('0000000000', 15)).toBeGreaterThan(80);
  expect(textWidth('0000000000', 15)).toBeLessThan(110);
  expect(textWidth('W', 15)).toBeGreaterThan(2 * textWidth('i', 15));
});

test('a long text ends in an ellipsis and fits', () => {
  const cut = ellipsised('a'.repeat(400), 100, 15);
  expect(cut).toMatch(/^a+…$/);
  expect(textWidth(cut, 15)).toBeLessThanOrEqual(100);
  expect(ellipsised('short', 100, 15)).toBe('short');
});

test('an emoji of several parts is not torn', () => {
  const family = '👩‍👩‍👧';
  expect(ellipsised(`ab${family}${family}`, textWidth(`ab${family}…`, 15), 15)).toBe(`ab${family}…`);
});

test('a long name breaks after a slash or a space, and its second line fits', () => {
  expect(wrappedOnTwo('CD4+/CD45RA+/CD25- Naive T', 130, 15)).toEqual(['CD4+/CD45RA+/', 'CD25- Naive T']);
  const [first, second] = wrappedOnTwo(`${'word '.repeat(30)}`.trim(), 130, 15);
  expect(first).toMatch(/^word( word)*$/);
  expect(second).toMatch(/…/);
  expect(wrappedOnTwo('x'.repeat(100), 130, 15)).toHaveLength(1);
});

test('a number is not broken at its separator', () => {
  expect(wrappedOnTwo('950 to below 1,399', 100, 15)).toEqual(['950 to below', '1,399']);
});

test('names that differ in their end only still differ when cut inside', () => {
  const cut = [1, 2].map((layer) =>
    ellipsisedInside(`Excitatory neurons of cortical layer ${layer}`, 120, 15),
  );
  expect(cut[0]).toMatch(/^Exc.*….* 1$/);
  expect(cut[0]).not.toBe(cut[1]);
  for (const label of cut) expect(textWidth(label, 15)).toBeLessThanOrEqual(120);
});

test('markup becomes text and characters that XML forbids are left out', () => {
  expect(escapeXml(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;');
  expect(escapeXml('a\u0000\u001f\uffffb')).toBe('ab');
});
