import type { Mark } from '../scene/scene.ts';
import { softInk } from '../scene/style.ts';
import type { Merge } from '@cellfolio/analysis';

const line = { kind: 'rectangle', colour: softInk } as const;
const thickness = 1;

interface TreePlace {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly rowPitch: number;
}

/** Dendrogram of the rows beside them: each merge is a stroke at its height with an arm to either node. */
export function dendrogramMarks(merges: readonly Merge[], { x, y, depth, rowPitch }: TreePlace): Mark[] {
  const count = merges.length + 1;
  const highest = Math.max(0, ...merges.map(([, , height]) => height));
  const across = (height: number): number => x + (highest > 0 ? height / highest : 1) * depth;
  const middles = Array.from({ length: count }, (_, row) => y + (row + 0.5) * rowPitch);
  const ends = new Array<number>(count).fill(x);
  return merges.flatMap(([one, other, height]): Mark[] => {
    const at = across(height);
    const [top, bottom] = [middles[one]!, middles[other]!].sort((a, b) => a - b) as [number, number];
    const arm = (node: number): Mark => ({
      ...line,
      x: ends[node]!,
      y: middles[node]! - thickness / 2,
      width: Math.max(thickness, at - ends[node]!),
      height: thickness,
    });
    const marks = [
      arm(one),
      arm(other),
      {
        ...line,
        x: at - thickness / 2,
        y: top - thickness / 2,
        width: thickness,
        height: bottom - top + thickness,
      },
    ];
    middles.push((top + bottom) / 2);
    ends.push(at);
    return marks;
  });
}
