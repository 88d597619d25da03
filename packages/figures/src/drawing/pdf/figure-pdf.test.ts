import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { plots } from '../../all-plots.ts';
import { figureOfKind } from '../../every-kind.test-data.ts';
import { hostileNames, mixture } from '../../mixture.test-data.ts';
import { categoryUmapFigure } from '../../umap/category-umap.ts';
import type { Figure } from '../figure.ts';
import { renderPdf } from '../render-figure.ts';

/** Objects of a file by its table of offsets. */
function objectsOf(pdf: Buffer): Map<number, { text: string; stream: Buffer }> {
  const text = pdf.toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
  expect(text.slice(start, start + 5)).toBe('xref\n');
  const offsets = Array.from(text.slice(start).matchAll(/(\d{10}) 00000 n /g), ([, offset]) =>
    Number(offset),
  );
  return new Map(
    offsets.map((offset, i) => {
      expect(text.slice(offset, offset + 20)).toMatch(new RegExp(`^${i + 1} 0 obj\n`));
      const object = text.slice(offset, text.indexOf('\nendobj\n', offset));
      const at = object.indexOf('>>\nstream\n');
      const length = Number(/\/Length (\d+) >>\nstream/.exec(object)?.[1] ?? 0);
      const from = offset + at + 10;
      return [i + 1, { text: object, stream: pdf.subarray(from, from + length) }];
    }),
  );
}

/** Lines of text of a page, as a reader copies them. */
function linesOf(pdf: Buffer): string[] {
  const objects = [...objectsOf(pdf).entries()];
  const find = (pattern: RegExp) => objects.find(([, { text }]) => pattern.test(text))![1].text;
  const inflated = (reference: string): string =>
    inflateSync(new Map(objects).get(Number(reference))!.stream).toString('latin1');
  const page = find(/\/Type \/Page /);
  const fonts = new Map(
    Array.from(page.matchAll(/\/([a-z-]+) (\d+) 0 R/g), ([, style, reference]) => {
      const [, unicode] = /ToUnicode (\d+)/.exec(new Map(objects).get(Number(reference))?.text ?? '') ?? [];
      const lines = unicode === undefined ? '' : inflated(unicode);
      const characters = Array.from(
        lines.matchAll(/^<([0-9a-f]{4})> <([0-9a-f]+)>$/gm),
        ([, glyph, hex]) => [glyph!, Buffer.from(hex!, 'hex').swap16().toString('utf16le')] as const,
      );
      return [style!, new Map(characters)];
    }),
  );
  const contents = inflated(/Contents (\d+)/.exec(page)![1]!);
  return Array.from(contents.matchAll(/\/([a-z-]+) [\d.]+ Tf .*? <([0-9a-f]*)> Tj/g), ([, style, glyphs]) =>
    glyphs!
      .match(/.{4}/g)!
      .map((glyph) => fonts.get(style!)!.get(glyph))
      .join(''),
  );
}

test.each([...plots.keys()])('a PDF of a %s is one page with the texts of its figure', (kind) => {
  const figure = figureOfKind(kind, 'usual');
  const pdf = Buffer.from(renderPdf(figure, 120));
  const { marks, width, height } = figure.drawing.scene(figure.spec);
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(linesOf(pdf)).toEqual(texts);
  const [, across, up] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1'))!;
  expect(Number(across)).toBeCloseTo((120 / 25.4) * 72, 2);
  expect(Number(up) / Number(across)).toBeCloseTo(height / width, 3);
  expect(pdf.toString('latin1')).not.toMatch(/NaN|undefined|Infinity/);
  expect(Buffer.from(renderPdf(figure, 120)).equals(pdf)).toBe(true);
});

test('fonts are embedded with the letters that are used alone, and points are a picture', () => {
  const pdf = Buffer.from(renderPdf(figureOfKind('gene-umap', 'usual')));
  const text = pdf.toString('latin1');
  expect(text.match(/FontFile2/g)!.length).toBe(text.match(/Subtype \/Type0/g)!.length);
  expect(text).toContain('/Mask [0 0]');
  expect(pdf.length).toBeLessThan(120_000);
});

test('hostile names make a sound page', () => {
  const figure = categoryUmapFigure({
    ...mixture(400, hostileNames),
    title: '(\\) >> endobj',
    datasetName: '<b>',
  });
  const lines = linesOf(Buffer.from(renderPdf(figure as unknown as Figure)));
  expect(lines).toContain('(\\) >> endobj');
});
