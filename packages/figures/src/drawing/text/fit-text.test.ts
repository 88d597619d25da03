import { expect, test } from 'vitest';
import { categoryLabel, cleanLabel, ellipsised, ellipsisedInside, wrappedLines } from './fit-text.ts';
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
  expect(wrappedLines('CD4+/CD45RA+/CD25- Naive T', 130, 15)).toEqual(['CD4+/CD45RA+/', 'CD25- Naive T']);
  const [first, second] = wrappedLines(`${'word '.repeat(30)}`.trim(), 130, 15);
  expect(first).toMatch(/^word( word)*$/);
  expect(second).toMatch(/…/);
  expect(wrappedLines('x'.repeat(100), 130, 15)).toHaveLength(1);
});

test('an ellipsis stands between words where there is a break that keeps enough of a name', () => {
  expect(ellipsised('Positive regulation of T cell activation', 170, 15)).toBe('Positive regulation…');
  for (const width of [180, 200, 220, 240]) {
    const cut = ellipsisedInside('Neoadjuvant chemotherapy, before surgery', width, 15);
    for (const word of cut.split(/[ …]/))
      expect(['Neoadjuvant', 'chemotherapy', 'chemotherapy,', 'before', 'surgery']).toContain(word);
  }
  expect(ellipsisedInside('HALLMARK_INTERFERON_GAMMA_RESPONSE', 200, 15)).toMatch(/^HALLMARK_…\w+$/);
  // Words alone would leave nearly nothing.
  expect(ellipsisedInside('A supercalifragilisticexpialidocious', 120, 15)).toMatch(/^A super\w*…\w+$/);
});

test('a name has as many lines as there are, each broken at a word', () => {
  const name = 'Regulation Of Transcription By RNA Polymerase II In Response To Stress';
  expect(wrappedLines(name, 160, 15, 4).join(' ')).toBe(name);
  expect(wrappedLines(name, 160, 15, 2)[1]).toContain('…');
  const word = 'supercalifragilisticexpialidocious';
  expect(wrappedLines(`T ${word}`, textWidth(word, 15) + 2, 15)).toEqual(['T', word]);
});

test('a number is not broken at its separator', () => {
  expect(wrappedLines('950 to below 1,399', 100, 15)).toEqual(['950 to below', '1,399']);
});

test('names that differ in their end only still differ when cut inside', () => {
  const cut = [1, 2].map((layer) =>
    ellipsisedInside(`Excitatory neurons of cortical layer ${layer}`, 120, 15),
  );
  expect(cut[0]).toBe('Excitatory…1');
  expect(cut[0]).not.toBe(cut[1]);
  for (const label of cut) expect(textWidth(label, 15)).toBeLessThanOrEqual(120);
});

test('markup becomes text and characters that XML forbids are left out', () => {
  expect(escapeXml(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;');
  expect(escapeXml('a\u0000\u001f\uffffb')).toBe('ab');
});
