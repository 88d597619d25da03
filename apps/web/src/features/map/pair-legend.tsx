import { pairGroups, pairLevels, pairShade } from '@cellfolio/plots/content';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { formatCount } from '@/lib/format.ts';
import type { PairFigure } from './pair-layer.ts';

const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const maxLevel = pairLevels - 1;

export function PairLegend({ figure }: { figure: PairFigure }) {
  const { first, second, unit, colours } = figure;
  const colour = (right: number, up: number) => colours.shades[pairShade(right, up)]!;
  const endOf = ({ high, clipped }: PairFigure['first']) => `${clipped ? '≥ ' : ''}${format.format(high)}`;
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="text-muted text-[11px] leading-4 wrap-anywhere">{unit}</p>
      <div className="grid max-w-40 grid-cols-[auto_minmax(0,1fr)] gap-x-1.5 gap-y-0.5">
        <div className="flex max-h-32 flex-col items-end justify-between tabular-nums">
          <span>{endOf(second)}</span>
          <span className="max-h-20 min-h-0 rotate-180 truncate italic [writing-mode:vertical-rl]">
            {second.label}
          </span>
          <span>0</span>
        </div>
        <div
          role="img"
          aria-label={`Colours: ${first.label} from 0 to ${endOf(first)} rightwards, ${second.label} from 0 to ${endOf(second)} upwards`}
          className="grid aspect-square"
          style={{ gridTemplateColumns: `repeat(${pairLevels}, 1fr)` }}
        >
          {Array.from({ length: pairLevels ** 2 }, (_, place) => {
            const [right, down] = [place % pairLevels, Math.floor(place / pairLevels)];
            return <span key={place} aria-hidden style={{ background: colour(right, maxLevel - down) }} />;
          })}
        </div>
        <span aria-hidden />
        <div className="flex min-w-0 justify-between gap-1 tabular-nums">
          <span>0</span>
          <span className="truncate italic">{first.label}</span>
          <span>{endOf(first)}</span>
        </div>
      </div>
      <ul aria-label="Cells" className="mt-1 flex flex-col gap-1">
        {pairGroups(figure).map(({ label, cells, colour: shown }) => (
          <li key={label} className="flex min-w-0 items-center gap-1.5">
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-full border"
              style={{ borderColor: shown, background: shown }}
            />
            <MiddleTruncated text={label} />
            <span className="text-muted ml-auto shrink-0 text-[11px] tabular-nums">{formatCount(cells)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
