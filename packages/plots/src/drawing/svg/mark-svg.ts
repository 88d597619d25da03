import type { AreaMark, Mark } from '../scene/scene.ts';
import { fontAttributes } from '../text/font-files.ts';
import { escapeXml } from './escape-xml.ts';

/** Type stays text where Inter is installed, and where it is not. */
export const SVG_FONTS = 'Inter, Helvetica, Arial, sans-serif';

/** One mark as an SVG element. Ramps need an `id` that no other ramp of the document has. */
export function markSvg(mark: Mark | AreaMark, id = 'ramp'): string {
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
    case 'dot': {
      const { edge } = mark;
      if (edge === undefined) return circle(mark.x, mark.y, mark.radius, `fill="${mark.colour}"`);
      // SVG strokes the middle of the rim; the edge belongs inside. A dot smaller than its edge is all edge.
      const width = Math.min(edge.width, mark.radius);
      const paint = `fill="${mark.colour}" stroke="${edge.colour}" stroke-width="${short(width)}"`;
      return circle(mark.x, mark.y, mark.radius - width / 2, paint);
    }
    case 'triangle':
      return `<polygon points="${mark.corners.map(short).join(' ')}" fill="${mark.colour}"/>`;
    case 'ramp': {
      const stops = mark.shades.map(
        (shade, i) => `<stop offset="${short(i / (mark.shades.length - 1))}" stop-color="${shade}"/>`,
      );
      const direction = mark.across === true ? 'x1="0" y1="0" x2="1" y2="0"' : 'x1="0" y1="1" x2="0" y2="0"';
      return `<defs><linearGradient id="${id}" ${direction}>${stops.join('')}</linearGradient></defs><rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="url(#${id})"/>`;
    }
    case 'area': {
      const there = mark.xs.map((x, i) => `${short(x)} ${short(mark.tops[i]!)}`);
      const back = mark.xs.map((x, i) => `${short(x)} ${short(mark.bottoms[i]!)}`).toReversed();
      return `<polygon points="${[...there, ...back].join(' ')}" fill="${mark.colour}"/>`;
    }
  }
}

function circle(x: number, y: number, radius: number, paint: string): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" ${paint}/>`;
}

export function short(value: number): string {
  return String(Number(value.toFixed(3)));
}
