import { meanColour } from '../drawing/gene-matrix/scales.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { CommonSpec } from '../drawing/figure.ts';

export interface ModuleHeatmapSpec extends CommonSpec {
  readonly kind: 'module-heatmap';
  readonly version: 1;
  readonly subtitle: string;
  readonly genes: readonly string[];
  /** In row order; genes without a module follow. */
  readonly modules: readonly ModuleRows[];
  /** Scores beyond it take the end colours. */
  readonly limit: number;
  readonly ramp: readonly string[];
}

interface ModuleRows {
  readonly label: string;
  readonly size: number;
  readonly hubs: readonly string[];
  readonly colour: string;
}

const gutter = 158;
const strip = 8;
const foot = 62;
const lineHeight = 17;

export function roomOfModules(spec: Parameters<typeof panelTop>[0], width: number): number {
  return panelTop(spec) + width - 2 * margin - gutter - strip + foot;
}

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

/** `levels`: those of the scores, genes × genes, 128 for 0. */
export function moduleHeatmapScene(spec: ModuleHeatmapSpec, levels: Uint8Array): VectorScene {
  const { size, genes } = spec;
  const top = panelTop(spec);
  // Names give way where there is little room.
  const left = margin + Math.min(gutter, size.width * 0.27) + strip;
  const side = Math.max(0, Math.min(size.width - margin - left, size.height - top - foot));
  // In a wide figure it stands in the middle, with its names beside it.
  const spare = Math.max(0, size.width - margin - left - side);
  const panel = { x: left + spare / 2, y: top, width: side, height: side };
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...(genes.length < 2
        ? [nothingMark(panel)]
        : [
            {
              kind: 'pixels',
              ...panel,
              columns: genes.length,
              rows: genes.length,
              levels,
              shades: Array.from({ length: 256 }, (_, level) => meanColour(level, [0, 255], spec.ramp)),
            } as const,
            ...moduleMarks(spec, panel),
          ]),
      ...rampMarks(spec, panel),
    ],
  };
}

function nothingMark({ x, y }: Rectangle): VectorMark {
  return {
    ...small,
    text: 'Fewer than two genes have local autocorrelation.',
    x,
    y: y + 22,
    colour: softInk,
    anchor: 'start',
  };
}

function moduleMarks({ modules, genes }: ModuleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const perGene = panel.height / genes.length;
  const marks: VectorMark[] = [];
  let row = 0;
  let free = panel.y;
  for (const { label, size, hubs, colour } of modules) {
    const [y, height] = [panel.y + row * perGene, size * perGene];
    row += size;
    marks.push({
      kind: 'rectangle',
      x: panel.x - strip,
      y,
      width: strip - 2,
      height: Math.max(1, height - 1),
      colour,
    });
    const top = Math.max(free, y + height / 2 - lineHeight);
    const width = panel.x - strip - 4 - margin;
    const lines = [`${label} · ${size}`, ...(height >= 2 * lineHeight ? [hubs.join(', ')] : [])];
    if (top + lines.length * lineHeight > panel.y + panel.height) continue;
    lines.forEach((text, line) => {
      const style = line === 0 ? 'regular' : 'italic';
      const shown = ellipsised(text, width, smallSize, style);
      marks.push({
        ...small,
        style,
        text: shown,
        ...(shown !== text && { full: text }),
        x: panel.x - strip - 4,
        y: top + (line + 0.8) * lineHeight,
        colour: line === 0 ? inkColour : softInk,
        anchor: 'end',
      });
    });
    free = top + lines.length * lineHeight;
  }
  return marks;
}

function rampMarks({ ramp, limit, size }: ModuleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const y = panel.y + panel.height + 14;
  const width = Math.min(120, panel.width * 0.4);
  const x = panel.x;
  const text = { ...small, y: y + 28, colour: softInk, anchor: 'middle' } as const;
  const room = size.width - margin - (x + width + 12);
  return [
    { kind: 'ramp', x, y, width, height: 12, shades: ramp, across: true },
    { ...text, text: `−${limit}`, x },
    { ...text, text: '0', x: x + width / 2 },
    { ...text, text: `${limit}`, x: x + width },
    ...(textWidth('local correlation, Z', smallSize) <= room
      ? [{ ...text, text: 'local correlation, Z', x: x + width + 12, y: y + 11, anchor: 'start' } as const]
      : []),
  ];
}
