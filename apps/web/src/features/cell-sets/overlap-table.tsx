import type { CellSetsAnswer } from '@cellfolio/contract';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { formatCount, percent } from '@/lib/format.ts';
import { setColours } from './chosen-sets.ts';
import { type Combination, combinationWords, keyOf } from './set-words.ts';

interface OverlapTableProps {
  names: readonly string[];
  overlap: CellSetsAnswer;
  checkedKeys: ReadonlySet<string>;
  onKeep: (combination: Combination, on: boolean) => void;
}

export const letterOf = (place: number) => String.fromCharCode('A'.charCodeAt(0) + place);

/** Combinations of sets, as the rows of an UpSet plot: a dot for each set that contains the cells, and their number. */
export function OverlapTable({ names, overlap, checkedKeys, onKeep }: OverlapTableProps) {
  const { combinations, dataset_cells: all } = overlap;
  const maxCount = Math.max(
    ...combinations.filter(({ inside }) => inside.length > 0).map(({ count }) => count),
  );
  return (
    <table className="w-full text-xs tabular-nums">
      <caption className="sr-only">Cells in each combination of the sets</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="w-6">
            <span className="sr-only">Choose</span>
          </th>
          {names.map((name, place) => (
            <th key={name} scope="col" title={name} className="w-5 font-medium">
              {letterOf(place)}
            </th>
          ))}
          <th scope="col" className="pl-2 text-left font-normal">
            Cells
          </th>
          <th aria-hidden />
          <th scope="col" className="text-right font-normal">
            Of all
          </th>
        </tr>
      </thead>
      <tbody>
        {combinations.map(({ inside, count }) => (
          <tr key={keyOf(inside)} className="hover:bg-surface-2">
            <td className="py-1 leading-none">
              <Checkbox
                aria-label={`${combinationWords(names, inside)}: ${formatCount(count)} cells`}
                checked={checkedKeys.has(keyOf(inside))}
                onCheckedChange={(on) => onKeep(inside, on === true)}
              />
            </td>
            {names.map((name, place) => (
              <td key={name} className="text-center">
                <span
                  className="bg-border inline-block size-2.5 rounded-full"
                  style={inside.includes(place) ? { backgroundColor: setColours[place] } : undefined}
                />
                <span className="sr-only">{inside.includes(place) ? 'in' : 'not in'}</span>
              </td>
            ))}
            <td className="w-14 pl-2 text-left">{formatCount(count)}</td>
            <td aria-hidden className="pr-1">
              {inside.length > 0 && (
                <span
                  className="bg-accent block h-2 rounded-sm"
                  style={{ width: `${(100 * count) / maxCount}%` }}
                />
              )}
            </td>
            <td className="text-muted w-12 text-right">{percent(count, all)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
