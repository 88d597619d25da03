import { plural } from '@cellfolio/model';
import type { MapShown } from '../shown.ts';
import { FigureInputError } from './checked-input.ts';
import type { HiddenGroups, RestOfGroups } from './figure.ts';

/**
 * Codes of the categories that are not drawn. Throws FigureInputError for one that the column does not have. `unnamed`:
 * the groups that the legend would merge if none were hidden.
 */
export function hiddenCodes(
  categories: readonly string[],
  shown: MapShown | undefined,
  unnamed: () => RestOfGroups | undefined = () => undefined,
): ReadonlySet<number> {
  const names = new Set(shown?.hidden);
  const codes = new Set<number>(shown?.hide_rest === true ? unnamed()?.codes : []);
  if (names.size === 0) return codes;
  categories.forEach((category, code) => {
    if (names.delete(category)) codes.add(code);
  });
  const [unknown] = names;
  if (unknown === undefined) return codes;
  throw new FigureInputError(
    'hidden',
    `No category can be hidden that the column does not have: ${JSON.stringify(unknown)}.`,
  );
}

export function hiddenGroups(
  codes: ReadonlySet<number>,
  { perCategory, missing }: { perCategory: Uint32Array; missing: number },
  hidesMissing: boolean,
): HiddenGroups | undefined {
  if (codes.size === 0 && !hidesMissing) return undefined;
  let cells = 0;
  for (const code of codes) cells += perCategory[code]!;
  return { groups: codes.size, cells, missing: hidesMissing ? missing : 0 };
}

export function hiddenText(hidden: HiddenGroups | undefined): string[] {
  if (hidden === undefined) return [];
  const { groups, cells, missing } = hidden;
  const parts = [
    ...(groups > 0 ? [`${cellsText(cells)} of ${plural(groups, 'group')}`] : []),
    ...(missing > 0 ? [`${cellsText(missing)} without a group`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(' and ')} hidden`];
}

function cellsText(cells: number): string {
  return plural(cells, 'cell');
}
