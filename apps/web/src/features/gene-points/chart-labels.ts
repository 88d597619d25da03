import type { ChartPoints, ChartScales, Tones } from './chart-points.ts';

export interface ChartLabel {
  at: number;
  gene: string;
  left: number;
  top: number;
  /** Right edge of its space, estimated with a fixed letter width. */
  right: number;
  /** The label ends at the point instead of starting there. */
  isLeft: boolean;
}

const maxLabels = 24;
const maxLetters = 24;
/** In dense charts no further label fits after this many attempts. */
const maxTries = 400;
const label = { height: 15, letter: 7.2, gap: 6 } as const;
/** Radius of a point, in pixels. */
const dotRadius = 3;

interface LabelledPoints {
  points: ChartPoints;
  tones: Tones;
  scales: ChartScales;
  /** Rows that are labelled before all others. */
  selected: ReadonlySet<number>;
  geneOf(row: number): string;
}

/**
 * Labels of the selected genes, then of the first passing genes, each only if it covers no other label; the latter also
 * cover no passing point.
 */
export function chartLabels({ points, tones, scales, selected, geneOf }: LabelledPoints): ChartLabel[] {
  const placed: ChartLabel[] = [];
  const { panel } = scales;
  const dots = dotsToSpare({ points, tones, scales });
  const middle = (panel.left + panel.right) / 2;
  const place = (at: number, isChosen: boolean) => {
    const name = geneOf(points.rows[at]!);
    const gene = name.length > maxLetters ? `${name.slice(0, maxLetters - 1)}…` : name;
    const [x, y] = [scales.x(points.x[at]!), scales.y(points.y[at]!)];
    const width = gene.length * label.letter;
    const sides = [x + label.gap, x - label.gap - width];
    // Away from the middle, else towards it.
    const lefts = x >= middle ? sides : sides.toReversed();
    const top = Math.max(panel.top, Math.min(panel.bottom - label.height, y - label.height / 2));
    const left = lefts.find(
      (one) =>
        one >= panel.left &&
        one + width <= panel.right &&
        placed.every(
          (other) =>
            Math.abs(other.top - top) >= label.height || one >= other.right || other.left >= one + width,
        ) &&
        dots.every(
          (dot) =>
            isChosen ||
            dot.at === at ||
            dot.x <= one - dotRadius ||
            dot.x >= one + width + dotRadius ||
            dot.y <= top ||
            dot.y >= top + label.height,
        ),
    );
    if (left !== undefined) placed.push({ at, gene, left, top, right: left + width, isLeft: left < x });
  };
  for (const isChosen of [true, false]) {
    if (isChosen && selected.size === 0) continue;
    let tries = 0;
    for (let at = 0; at < points.rows.length && placed.length < maxLabels && tries < maxTries; at++) {
      if (selected.has(points.rows[at]!) !== isChosen || (!isChosen && tones[at] === 0)) continue;
      tries++;
      place(at, isChosen);
    }
  }
  return placed;
}

const maxDots = 60;

function dotsToSpare({ points, tones, scales }: Pick<LabelledPoints, 'points' | 'tones' | 'scales'>) {
  const dots: { at: number; x: number; y: number }[] = [];
  for (let at = 0; at < tones.length && dots.length < maxDots; at++) {
    if (tones[at] !== 0) dots.push({ at, x: scales.x(points.x[at]!), y: scales.y(points.y[at]!) });
  }
  return dots;
}
