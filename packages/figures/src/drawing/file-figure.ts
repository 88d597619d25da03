import type { CommonSpec, Drawing, Figure } from './figure.ts';
import { headOverflow, headStrip, panelTop } from './scene/panel.ts';
import type { VectorMark, VectorScene } from './scene/scene.ts';
import { cleanLabel } from './text/fit-text.ts';

export interface TitleBlock {
  /** Title instead of the figure's own. */
  readonly title?: string | undefined;
  /** False leaves title, dataset and summary out. Default true. */
  readonly titleBlock?: boolean | undefined;
}

/**
 * A figure whose file has room for all lines of its title block, or none for a file without one. Its layout stays; only
 * the figure begins higher or lower. In a page, which names it, nothing changes.
 */
export function fileFigure(figure: Figure, { title, titleBlock = true }: TitleBlock = {}): Figure {
  const own: CommonSpec = {
    ...figure.spec,
    ...(title !== undefined && { title: cleanLabel(title) }),
    ...(!titleBlock && { titleBlock: false }),
  };
  const shift = titleBlock ? headOverflow(own) : headStrip(own) - panelTop(own);
  if (shift === 0 && title === undefined) return figure;
  const { size } = own;
  return {
    ...figure,
    spec: { ...figure.spec, size: { ...size, height: size.height + shift } },
    drawing: shiftedDrawing(figure.drawing, own, shift),
  };
}

function shiftedDrawing(drawing: Drawing, { title, titleBlock, size }: CommonSpec, shift: number): Drawing {
  const laidOut = (spec: CommonSpec): CommonSpec =>
    spec.fitted === undefined ? { ...spec, title, size, ...(titleBlock === false && { titleBlock }) } : spec;
  return {
    ...drawing,
    scene: (spec) => {
      const scene = drawing.scene(laidOut(spec));
      return spec.fitted === undefined ? shiftedScene(scene, shift) : scene;
    },
    fit: (spec, room) => drawing.fit({ ...spec, size }, room),
    ...(drawing.points && {
      points: (figure) => {
        const layers = drawing.points!({ ...figure, spec: laidOut(figure.spec) });
        if (figure.spec.fitted !== undefined) return layers;
        return layers.map((layer) =>
          layer.panel ? Object.assign({}, layer, { panel: lower(layer.panel, shift) }) : layer,
        );
      },
    }),
  };
}

function shiftedScene(scene: VectorScene, shift: number): VectorScene {
  return {
    ...scene,
    height: scene.height + shift,
    panel: lower(scene.panel, shift),
    marks: scene.marks.map((mark) => shiftedMark(mark, shift)),
  };
}

function shiftedMark(mark: VectorMark, shift: number): VectorMark {
  switch (mark.kind) {
    case 'triangle': {
      const [ax, ay, bx, by, cx, cy] = mark.corners;
      return { ...mark, corners: [ax, ay + shift, bx, by + shift, cx, cy + shift] };
    }
    case 'area':
      return {
        ...mark,
        tops: mark.tops.map((top) => top + shift),
        bottoms: mark.bottoms.map((bottom) => bottom + shift),
      };
    default:
      return lower(mark, shift);
  }
}

function lower<Placed extends { y: number }>(placed: Placed, shift: number): Placed {
  return { ...placed, y: placed.y + shift };
}
