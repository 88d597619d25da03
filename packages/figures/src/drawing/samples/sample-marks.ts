import type { Mark } from '../scene/scene.ts';
import { paperColour } from '../scene/style.ts';

export const sampleShapes = 4;
export type SampleShape = 0 | 1 | 2 | 3;

interface SamplePlace {
  x: number;
  y: number;
  radius: number;
  colour: string;
}

/** A sample as a shape with a rim in the background colour, so that overlapping ones stay distinct. */
export function sampleMark(shape: SampleShape, { x, y, radius, colour }: SamplePlace): Mark[] {
  const rim = 1;
  if (shape === 0) {
    return [{ kind: 'dot', x, y, radius: radius + rim, colour, edge: { width: rim, colour: paperColour } }];
  }
  return [
    { reach: radius + 1.5 * rim, ink: paperColour },
    { reach: radius, ink: colour },
  ].flatMap(({ reach, ink }): Mark[] => {
    if (shape === 1) {
      const half = 0.89 * reach;
      return [
        { kind: 'rectangle', x: x - half, y: y - half, width: 2 * half, height: 2 * half, colour: ink },
      ];
    }
    const wide = 1.2 * reach;
    const corner = (up: number): Mark => ({
      kind: 'triangle',
      corners: [x, y - up * wide, x - wide, y, x + wide, y],
      colour: ink,
    });
    if (shape === 3) return [corner(1), corner(-1)];
    const foot = 0.8 * reach;
    return [
      {
        kind: 'triangle',
        corners: [x, y - 1.3 * reach, x - wide, y + foot, x + wide, y + foot],
        colour: ink,
      },
    ];
  });
}
