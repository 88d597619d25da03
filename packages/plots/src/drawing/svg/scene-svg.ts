import type { VectorScene } from '../scene/scene.ts';
import { escapeXml } from './escape-xml.ts';
import { SVG_FONTS, markSvg } from './mark-svg.ts';

/** A scene without points, vector from edge to edge. */
export function sceneSvg(scene: VectorScene): string {
  const { width, height } = scene;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${SVG_FONTS}">`,
    `<title>${escapeXml(scene.description)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...scene.marks.map((mark, i) => markSvg(mark, `ramp-${i}`)),
    '</svg>',
    '',
  ].join('\n');
}
