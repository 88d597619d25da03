import { pointsPng, scatterScene } from '../raster/paint-scatter.ts';
import type { ScatterFigure } from '../raster/paint-scatter.ts';
import type { Mark } from '../scene/scene.ts';
import { fontAttributes } from '../text/font-files.ts';
import { escapeXml } from './escape-xml.ts';

/** Type stays text where Inter is installed, and where it is not. */
export const SVG_FONTS = 'Inter, Helvetica, Arial, sans-serif';

/** Points are one embedded PNG at `scale` pixels a CSS pixel; everything else is vector. */
export function scatterSvg(figure: ScatterFigure, scale: number): string {
  const scene = scatterScene(figure);
  const { width, height, panel } = scene;
  const points = Buffer.from(pointsPng(figure, scene, scale)).toString('base64');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${SVG_FONTS}">`,
    `<title>${escapeXml(scene.description)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<image x="${short(panel.x)}" y="${short(panel.y)}" width="${short(panel.width)}" height="${short(panel.height)}" preserveAspectRatio="none" href="data:image/png;base64,${points}"/>`,
    ...scene.marks.map(markSvg),
    '</svg>',
    '',
  ].join('\n');
}

function markSvg(mark: Mark): string {
  switch (mark.kind) {
    case 'text': {
      const at = `x="${short(mark.x)}" y="${short(mark.y)}"`;
      const turn = mark.upright === true ? ` transform="rotate(-90 ${short(mark.x)} ${short(mark.y)})"` : '';
      const anchor = mark.anchor === 'start' ? '' : ` text-anchor="${mark.anchor}"`;
      const whole = mark.full === undefined ? '' : `<title>${escapeXml(mark.full)}</title>`;
      return `<text ${at}${turn}${anchor} font-size="${mark.size}" ${fontAttributes[mark.style]} fill="${mark.colour}">${whole}${escapeXml(mark.text)}</text>`;
    }
    case 'rectangle':
      return `<rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="${mark.colour}"/>`;
    case 'dot':
      return `<circle cx="${short(mark.x)}" cy="${short(mark.y)}" r="${short(mark.radius)}" fill="${mark.colour}"/>`;
    case 'triangle':
      return `<polygon points="${mark.corners.map(short).join(' ')}" fill="${mark.colour}"/>`;
    case 'ramp': {
      const stops = mark.shades.map(
        (shade, i) => `<stop offset="${short(i / (mark.shades.length - 1))}" stop-color="${shade}"/>`,
      );
      return `<defs><linearGradient id="ramp" x1="0" y1="1" x2="0" y2="0">${stops.join('')}</linearGradient></defs><rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="url(#ramp)"/>`;
    }
  }
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}
