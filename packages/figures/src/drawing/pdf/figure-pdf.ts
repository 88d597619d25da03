import { descriptionOf } from '../../words-of-file.ts';
import { parseHex } from '../colour/oklab.ts';
import type { CommonSpec } from '../figure.ts';
import { pixelsPng } from '../figure-svg.ts';
import type { DotMark, Rectangle, TextMark, VectorMark, VectorScene } from '../scene/scene.ts';
import { paperColour } from '../scene/style.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { textWidth } from '../text/text-width.ts';
import { PdfFile, PdfFont, pdfText } from './pdf-file.ts';

/** Points per inch and millimetres per inch. */
const pointsPerMm = 72 / 25.4;

interface PdfSetting {
  widthMm: number;
  /** PNG of the points, below the marks: an indexed one whose first colour is transparent. */
  points?: Uint8Array | undefined;
}

/** A figure as one page of its width: type is text in the embedded font, points and heat maps are pictures. */
export function scenePdf(
  { title, datasetName, summary, words }: CommonSpec,
  scene: VectorScene,
  { widthMm, points }: PdfSetting,
): Uint8Array {
  const file = new PdfFile();
  const [catalogue, pages, page] = [file.reserve(), file.reserve(), file.reserve()];
  const scale = (widthMm * pointsPerMm) / scene.width;
  const [width, height] = [scene.width * scale, scene.height * scale];
  const paint = new PagePaint(file);
  paint.rectangle({ x: 0, y: 0, width: scene.width, height: scene.height }, paperColour);
  if (points !== undefined) paint.image(scene.panel, points);
  for (const mark of scene.marks) paint.mark(mark);
  // A scene is measured from the top left, a page from the bottom left.
  const flip = `${number(scale)} 0 0 ${number(-scale)} 0 ${number(height)} cm\n`;
  const contents = file.addDeflated('', Buffer.from(flip + paint.operators.join('\n'), 'latin1'));
  file.write(catalogue, `<< /Type /Catalog /Pages ${pages} 0 R /Lang (en) >>`);
  file.write(pages, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  file.write(
    page,
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${number(width)} ${number(height)}] /Resources << ${paint.resources()} >> /Contents ${contents} 0 R >>`,
  );
  const [named, described] = words
    ? [words.title, descriptionOf(words)]
    : [`${title} in ${datasetName}`, summary];
  return file.bytes(file.add(`<< /Title ${pdfText(named)} /Subject ${pdfText(described)} >>`));
}

/** Operators of a page, in CSS pixels from the top left, with the fonts and pictures that they name. */
class PagePaint {
  readonly operators: string[] = [];
  readonly #file: PdfFile;
  readonly #fonts = new Map<FontStyle, PdfFont>();
  readonly #images: number[] = [];

  constructor(file: PdfFile) {
    this.#file = file;
  }

  mark(mark: VectorMark): void {
    switch (mark.kind) {
      case 'text':
        return this.#text(mark);
      case 'rectangle':
        return this.rectangle(mark, mark.colour);
      case 'dot':
        return this.#dot(mark);
      case 'triangle': {
        const [ax, ay, bx, by, cx, cy] = mark.corners;
        return this.#polygon([ax, bx, cx], [ay, by, cy], mark.colour);
      }
      case 'area':
        return this.#polygon(
          [...mark.xs, ...mark.xs.toReversed()],
          [...mark.tops, ...mark.bottoms.toReversed()],
          mark.colour,
        );
      case 'ramp': {
        // Each shade reaches to the end, so that no seam shows between two.
        const { x, y, width, height, shades, across } = mark;
        return shades.forEach((colour, i) => {
          const rest = 1 - i / shades.length;
          const part =
            across === true
              ? { x: x + width * (1 - rest), y, width: width * rest, height }
              : { x, y, width, height: height * rest };
          this.rectangle(part, colour);
        });
      }
      case 'pixels':
        return this.image(mark, pixelsPng(mark));
    }
  }

  rectangle({ x, y, width, height }: Rectangle, colour: string): void {
    this.operators.push(`${fill(colour)} ${[x, y, width, height].map(number).join(' ')} re f`);
  }

  image({ x, y, width, height }: Rectangle, png: Uint8Array): void {
    const name = `I${this.#images.push(addIndexedPng(this.#file, png))}`;
    const place = [width, 0, 0, -height, x, y + height].map(number).join(' ');
    this.operators.push(`q ${place} cm /${name} Do Q`);
  }

  resources(): string {
    const fonts = Array.from(this.#fonts, ([style, font]) => `/${style} ${font.addTo(this.#file)} 0 R`);
    const images = this.#images.map((reference, i) => `/I${i + 1} ${reference} 0 R`);
    return `/Font << ${fonts.join(' ')} >> /XObject << ${images.join(' ')} >>`;
  }

  #text({ text, x, y, size, style, colour, anchor, upright }: TextMark): void {
    const font = this.#fonts.get(style) ?? new PdfFont(style);
    this.#fonts.set(style, font);
    const width = textWidth(text, size, style);
    const before = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
    // Letters stand upright in a page that is measured downwards.
    const place = upright === true ? [0, -1, -1, 0, x, y + before] : [1, 0, 0, -1, x - before, y];
    this.operators.push(
      `BT ${fill(colour)} /${style} ${number(size)} Tf ${place.map(number).join(' ')} Tm ${font.encode(text)} Tj ET`,
    );
  }

  #dot({ edge, ...dot }: DotMark): void {
    if (edge === undefined) return this.#circle(dot, dot.radius, dot.colour);
    this.#circle(dot, dot.radius, edge.colour);
    if (dot.radius > edge.width) this.#circle(dot, dot.radius - edge.width, dot.colour);
  }

  #circle({ x, y }: { x: number; y: number }, radius: number, colour: string): void {
    // Control points of the four curves that come nearest to a circle.
    const k = 0.5523 * radius;
    const curves = [
      [x + radius, y + k, x + k, y + radius, x, y + radius],
      [x - k, y + radius, x - radius, y + k, x - radius, y],
      [x - radius, y - k, x - k, y - radius, x, y - radius],
      [x + k, y - radius, x + radius, y - k, x + radius, y],
    ].map((curve) => `${curve.map(number).join(' ')} c`);
    this.operators.push(`${fill(colour)} ${number(x + radius)} ${number(y)} m ${curves.join(' ')} f`);
  }

  #polygon(xs: readonly number[], ys: readonly number[], colour: string): void {
    const corners = xs.map((x, i) => `${number(x)} ${number(ys[i]!)} ${i === 0 ? 'm' : 'l'}`);
    this.operators.push(`${fill(colour)} ${corners.join(' ')} f`);
  }
}

function fill(colour: string): string {
  return `${Array.from(parseHex(colour), (part) => number(part / 255)).join(' ')} rg`;
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** An indexed PNG as a picture: its rows and their compression are those of PDF as well. */
function addIndexedPng(file: PdfFile, png: Uint8Array): number {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    chunks.set(type, [...(chunks.get(type) ?? []), data]);
  }
  const header = chunks.get('IHDR')![0]!;
  const palette = chunks.get('PLTE')![0]!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const mask = chunks.has('tRNS') ? '/Mask [0 0]' : '';
  return file.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB ${palette.length / 3 - 1} <${palette.toString('hex')}>] ${mask} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns ${width} >>`,
    Buffer.concat(chunks.get('IDAT')!),
  );
}
