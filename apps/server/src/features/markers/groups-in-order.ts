import type { CategoryDisplay } from '@cellfolio/contract';
import { displayOrder, labelIn } from '../../runtime/compute/category-display.ts';
import { crossedName } from '../group-sums/index.ts';
import type { Markers, NamedGroup } from './rank-markers.ts';

export interface GroupDisplays {
  group: CategoryDisplay | undefined;
  part: CategoryDisplay | undefined;
}

export function groupLabel({ group, part }: GroupDisplays): (of: NamedGroup['of']) => string {
  const [labelOf, partLabel] = [labelIn(group), labelIn(part)];
  return (of) => crossedName(labelOf(of.group), of.part === undefined ? undefined : partLabel(of.part));
}

/** Reorders the groups as the caller displays them: tests and cached results use the dataset's order. */
export function inOrder(markers: Markers, displays: GroupDisplays): Markers {
  if (!displays.group && !displays.part) return markers;
  const { groups, dots } = markers;
  const columns = placesOf(dots.groups, displays);
  const moved = (values: Float64Array) =>
    values.map((_, at) => {
      const column = at % columns.length;
      return values[at - column + columns[column]!]!;
    });
  return {
    ...markers,
    groups: placesOf(groups, displays).map((at) => groups[at]!),
    dots: {
      rows: dots.rows,
      groups: columns.map((at) => dots.groups[at]!),
      means: moved(dots.means),
      fractions: moved(dots.fractions),
    },
  };
}

function placesOf(list: readonly NamedGroup[], { group, part }: GroupDisplays): number[] {
  const groups = ranks(
    list.map(({ of }) => of.group),
    group,
  );
  // Parts that nobody moved stay as they are.
  const parts =
    part &&
    ranks(
      list.map(({ of }) => of.part ?? ''),
      part,
    );
  return [...list.keys()].sort(
    (a, b) => groups[a]! - groups[b]! || (parts ? parts[a]! - parts[b]! : 0) || a - b,
  );
}

function ranks(names: readonly string[], display: CategoryDisplay | undefined): number[] {
  const unique = [...new Set(names)];
  const rankOf = new Map(displayOrder(unique, display).map((at, rank) => [unique[at]!, rank]));
  return names.map((name) => rankOf.get(name)!);
}
