import { columnTitle } from './column-title.ts';
import type { ResultCaution as Caution } from './result-cautions.ts';
import { countText, listedNames, plural, pluralWord } from './text.ts';

interface LeftOutGroups {
  leftOut: readonly { name: string; cells: number }[];
  empty: readonly string[];
  unlabelled: number;
}

const maxNamesListed = 5;

/** `nowhere` names what the cells of small groups are not part of, such as `permutation`. */
export function leftOutCautions(
  { leftOut: few, empty, unlabelled }: LeftOutGroups,
  { minCells, column, nowhere }: { minCells: number; column: string; nowhere: string },
): Caution[] {
  const cautions: Caution[] = [];
  if (few.length > 0) {
    const words = few.map(({ name, cells }) => `${name} (${countText(cells)})`);
    cautions.push({
      code: 'groups-left-out',
      message: `Left out, with fewer than ${minCells} cells: ${listedNames(words, maxNamesListed)}. Their cells are in no ${nowhere}: lower the minimum to include them.`,
      numbers: {
        minimumCells: minCells,
        groups: few.slice(0, maxNamesListed).map(({ name }) => name),
        groupCount: few.length,
      },
    });
  }
  if (empty.length > 0) {
    cautions.push({
      code: 'groups-without-cells',
      message: `No active cell is in ${listedNames(empty, maxNamesListed)}: choose other groups or cells.`,
      numbers: { groups: empty.slice(0, maxNamesListed), groupCount: empty.length },
    });
  }
  if (unlabelled > 0) {
    cautions.push({
      code: 'unlabelled-cells',
      message: `${plural(unlabelled, 'active cell has', 'active cells have')} no value in ${columnTitle(column)} and ${pluralWord(unlabelled, 'is', 'are')} in no group: label them to include them.`,
      numbers: { unlabelled },
    });
  }
  return cautions;
}

/**
 * Says which groups have a name that says that their cells have none, such as `Unknown`, and what became of them.
 * @param words `otherwise` says what they are where they are not left out
 */
export function unassignedCautions(
  groups: readonly { name: string; cells: number }[],
  { column, isLeftOut, otherwise }: { column: string; isLeftOut: boolean; otherwise: string },
): Caution[] {
  if (groups.length === 0) return [];
  const words = listedNames(
    groups.map(({ name, cells }) => `${name} (${countText(cells)})`),
    maxNamesListed,
  );
  return [
    {
      code: isLeftOut ? 'unassigned-left-out' : 'unassigned-groups',
      message: isLeftOut
        ? `Left out of ${column}, as cells without a group: ${words}.`
        : `Groups of ${column} that are not cell types: ${words}. They are ${otherwise}: leave them out.`,
      numbers: {
        groups: groups.slice(0, maxNamesListed).map(({ name }) => name),
        groupCount: groups.length,
        cells: groups.reduce((sum, { cells }) => sum + cells, 0),
      },
    },
  ];
}
