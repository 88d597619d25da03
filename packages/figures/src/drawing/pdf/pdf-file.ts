import { deflateSync } from 'node:zlib';
import { type FontFile, fontFile } from '../text/font-file.ts';
import type { FontStyle } from '../text/svg-text.ts';

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

const keptTables = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'] as const;

/** The font with the outlines of some glyphs alone, which keep their numbers: a tenth of its size. */
function subsetFont(font: FontFile, glyphs: Iterable<number>): Buffer {
  const head = Buffer.from(font.table('head')!);
  const isLong = head.readInt16BE(50) === 1;
  const loca = font.table('loca')!;
  const glyf = font.table('glyf')!;
  const offsetOf = (glyph: number): number =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const outlineOf = (glyph: number): Buffer => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
  const usedGlyphs = new Set<number>();
  const pending = [0, ...glyphs];
  for (let glyph = pending.pop(); glyph !== undefined; glyph = pending.pop()) {
    if (usedGlyphs.has(glyph)) continue;
    usedGlyphs.add(glyph);
    pending.push(...componentsOf(outlineOf(glyph)));
  }
  const outlines: Buffer[] = [];
  const offsets = Buffer.alloc(4 * (font.glyphCount + 1));
  let length = 0;
  for (let glyph = 0; glyph < font.glyphCount; glyph++) {
    offsets.writeUInt32BE(length, 4 * glyph);
    if (!usedGlyphs.has(glyph)) continue;
    const outline = outlineOf(glyph);
    outlines.push(outline);
    length += outline.length;
  }
  offsets.writeUInt32BE(length, 4 * font.glyphCount);
  // Offsets are written in their long form.
  head.writeInt16BE(1, 50);
  const own: Readonly<Record<string, Buffer>> = { head, loca: offsets, glyf: Buffer.concat(outlines) };
  return joined(
    keptTables.flatMap((tag) => {
      const table = own[tag] ?? font.table(tag);
      return table === undefined ? [] : [[tag, table] as const];
    }),
  );
}

/** Glyphs that a composite one is made of: each with flags that say how long its record is. */
function componentsOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return [];
  const components: number[] = [];
  for (let at = 10, flags = 0x20; (flags & 0x20) !== 0;) {
    flags = outline.readUInt16BE(at);
    components.push(outline.readUInt16BE(at + 2));
    const scale = (flags & 0x08) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
    at += 4 + ((flags & 0x01) !== 0 ? 4 : 2) + scale;
  }
  return components;
}

function joined(tables: readonly (readonly [tag: string, bytes: Buffer])[]): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.length);
  const power = Math.floor(Math.log2(tables.length));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(16 * 2 ** power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(16 * (tables.length - 2 ** power), 10);
  let at = directory.length;
  const padded = tables.map(([tag, bytes], i) => {
    const entry = 12 + 16 * i;
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(checksumOf(bytes), entry + 4);
    directory.writeUInt32BE(at, entry + 8);
    directory.writeUInt32BE(bytes.length, entry + 12);
    const whole = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    at += whole.length;
    return whole;
  });
  return Buffer.concat([directory, ...padded]);
}

function checksumOf(bytes: Buffer): number {
  const whole = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}
