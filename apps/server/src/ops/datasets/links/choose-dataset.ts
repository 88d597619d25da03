import { countText } from '@cellfolio/model';
import { fileSize } from '@cellfolio/contract';
import { CommandFailure, exitCode } from '../../command.ts';
import { alignedRows } from '../../terminal.ts';
import type { LinkedDataset, LinkedDatasets } from '../../../runtime/archives/linked-datasets.ts';

/** Value of `--pick` for all datasets of a link as the samples of one. */
export const pickAll = 'all';
const maxListed = 60;

/**
 * The picked datasets: the only one, one by its number or name, or all. Throws CommandFailure with the list of choices.
 */
export function pickDatasets(
  link: string,
  { title, datasets, unreadable }: LinkedDatasets,
  pick: string | undefined,
): readonly LinkedDataset[] {
  if (datasets.length === 0) {
    const reason =
      unreadable.length === 0 ? 'it has no files' : `its files are ${unreadable.slice(0, 8).join(', ')}`;
    throw new CommandFailure(exitCode.badInput, `${title} has nothing that can be read: ${reason}.`);
  }
  if (pick === undefined) {
    if (datasets.length === 1) return datasets;
    throw new CommandFailure(
      exitCode.usage,
      `${title} has ${countText(datasets.length)} datasets. Pick one by its number or name with --pick, or combine them as samples with --pick ${pickAll}:`,
      [
        ...listed(datasets),
        ...(unreadable.length === 0 ? [] : [`Not readable: ${unreadable.slice(0, 8).join(', ')}`]),
      ],
    );
  }
  if (pick === pickAll && datasets.length > 1) return datasets;
  const named = datasets.find(({ name }) => name === pick || name.startsWith(`${pick} `));
  const match = named ?? (/^\d+$/.test(pick) ? datasets[Number(pick) - 1] : undefined);
  if (match !== undefined) return [match];
  throw new CommandFailure(exitCode.usage, `${link} has no dataset '${pick}'. It has:`, listed(datasets));
}

function listed(datasets: readonly LinkedDataset[]): string[] {
  const rows = datasets.slice(0, maxListed).map(({ name, files, cells }, at): [string, string] => {
    const bytes = files.reduce((sum, file) => sum + (file.bytes ?? NaN), 0);
    const facts = [
      cells === undefined ? '' : `${countText(cells)} cells`,
      Number.isNaN(bytes) ? '' : fileSize(bytes),
      files.length === 1 ? '' : `${files.length} files`,
    ];
    return [`  ${at + 1}`, [name, ...facts.filter(Boolean)].join(', ')];
  });
  const more = datasets.length - rows.length;
  return [...alignedRows(rows), ...(more > 0 ? [`  and ${countText(more)} more`] : [])];
}
