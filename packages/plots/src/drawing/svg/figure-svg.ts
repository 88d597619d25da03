import { pointsPng } from '../raster/paint-scatter.ts';
import type { ScatterFigure } from '../raster/paint-scatter.ts';
import type { VectorScene } from '../scene/scene.ts';
import { escapeXml } from './escape-xml.ts';
import { SVG_FONTS, markSvg, short } from './mark-svg.ts';

/** A scene without points, vector from edge to edge. */
export function sceneSvg(scene: VectorScene): string {
  return document(
    scene,
    scene.marks.map((mark, i) => markSvg(mark, `ramp-${i}`)),
  );
}

/** Points are one embedded PNG at `scale` pixels a CSS pixel; everything else is vector. */
export function scatterSvg(figure: ScatterFigure, scale: number): string {
  const scene = figure.drawing.scene(figure.spec);
  const { panel } = scene;
  const points = Buffer.from(pointsPng(figure, scene, scale)).toString('base64');
  return document(scene, [
    `<image x="${short(panel.x)}" y="${short(panel.y)}" width="${short(panel.width)}" height="${short(panel.height)}" preserveAspectRatio="none" href="data:image/png;base64,${points}"/>`,
    ...scene.marks.map((mark) => markSvg(mark)),
  ]);
}

function document({ width, height, description }: VectorScene, contents: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${SVG_FONTS}">`,
    `<title>${escapeXml(description)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...contents,
    '</svg>',
    '',
  ].join('\n');
}
