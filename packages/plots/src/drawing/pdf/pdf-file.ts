import { deflateSync } from 'node:zlib';
import { type FontFile, fontFile } from '../text/font-file.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { subsetFont } from './subset-font.ts';

/** Objects of a PDF file (ISO 32000-1), in the order in which they are written; the first is its catalogue. */
export class PdfFile {
  readonly #objects: Buffer[] = [];

  /** Reference to an object that is written later. */
  reserve(): number {
    return this.#objects.push(Buffer.alloc(0));
  }

  write(reference: number, text: string): void {
    this.#objects[reference - 1] = Buffer.from(text, 'latin1');
  }

  add(text: string): number {
    const reference = this.reserve();
    this.write(reference, text);
    return reference;
  }

  addStream(dictionary: string, bytes: Uint8Array): number {
    const reference = this.reserve();
    this.#objects[reference - 1] = Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`, 'latin1'),
      bytes,
      Buffer.from('\nendstream', 'latin1'),
    ]);
    return reference;
  }

  addDeflated(dictionary: string, bytes: Uint8Array): number {
    return this.addStream(`${dictionary} /Filter /FlateDecode`, deflateSync(bytes));
  }

  bytes(info: number): Uint8Array {
    // Four bytes above 127 tell programs that the file is not text.
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
    const offsets: number[] = [];
    let length = parts[0]!.length;
    const push = (part: Buffer): void => {
      parts.push(part);
      length += part.length;
    };
    this.#objects.forEach((object, i) => {
      offsets.push(length);
      push(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
    });
    const start = length;
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    const size = offsets.length + 1;
    push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

/** Text as a string object: UTF-16 with its byte order mark, in hexadecimal. */
export function pdfText(text: string): string {
  return `<FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')}>`;
}

/** Glyphs of one style that a page uses, each with its character, for copying and searching. */
export class PdfFont {
  readonly #font: FontFile;
  readonly #style: FontStyle;
  readonly #characters = new Map<number, string>();

  constructor(style: FontStyle) {
    this.#style = style;
    this.#font = fontFile(style);
  }

  /** A line as a string object: two bytes a glyph. */
  encode(text: string): string {
    const glyphs = Array.from(text, (character) => {
      const glyph = this.#font.glyphOf[character.codePointAt(0)!] ?? 0;
      if (!this.#characters.has(glyph)) this.#characters.set(glyph, character);
      return glyph.toString(16).padStart(4, '0');
    });
    return `<${glyphs.join('')}>`;
  }

  /** Writes the font with the glyphs that were encoded. */
  addTo(file: PdfFile): number {
    const glyphs = [...this.#characters.keys()].sort((a, b) => a - b);
    const { unitsPerEm, advanceOf, table } = this.#font;
    const milli = (units: number): number => Math.round((1000 * units) / unitsPerEm);
    const [head, hhea] = [table('head')!, table('hhea')!];
    const box = [36, 38, 40, 42].map((at) => milli(head.readInt16BE(at)));
    const [ascent, descent] = [4, 6].map((at) => milli(hhea.readInt16BE(at)));
    const isItalic = this.#style.endsWith('italic');
    // Six letters before the name mark a font with some of its glyphs.
    const name = `CELLFO+Inter-${this.#style.replaceAll('-', '')}`;
    const program = subsetFont(this.#font, glyphs);
    const embedded = file.addDeflated(`/Length1 ${program.length}`, program);
    const flags = 4 + (isItalic ? 64 : 0);
    const descriptor = file.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags ${flags} /FontBBox [${box.join(' ')}] /ItalicAngle ${isItalic ? -9.4 : 0} /Ascent ${ascent} /Descent ${descent} /CapHeight ${ascent} /StemV 80 /FontFile2 ${embedded} 0 R >>`,
    );
    const widths = glyphs.map((glyph) => `${glyph} [${milli(advanceOf(glyph))}]`).join(' ');
    const descendant = file.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /W [${widths}] /CIDToGIDMap /Identity >>`,
    );
    const unicode = file.addDeflated('', Buffer.from(this.#unicodeMap(glyphs), 'latin1'));
    return file.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
    );
  }

  #unicodeMap(glyphs: readonly number[]): string {
    const hex = (glyph: number): string => glyph.toString(16).padStart(4, '0');
    const characters = glyphs.map(
      (glyph) =>
        `<${hex(glyph)}> <${Buffer.from(this.#characters.get(glyph)!, 'utf16le').swap16().toString('hex')}>`,
    );
    // A block has at most 100 lines.
    const blocks = Array.from({ length: Math.ceil(characters.length / 100) }, (_, i) => {
      const lines = characters.slice(100 * i, 100 * (i + 1));
      return `${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar\n`;
    });
    return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Unicode def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks.join('')}endcmap\nend\nend\n`;
  }
}
