import { typeColumn } from '@cellfolio/model';
import type { CategoryDisplay, FigureSource } from '@cellfolio/contract';
import type { PlotInput } from '@cellfolio/figures';
import { inputsOf } from '@cellfolio/figures/content';
import type { Selection, SubsetFilter } from './selection.ts';

export function sourceOf(selection: Selection, content: FigureSource['content']): FigureSource {
  const { manifest, own } = selection;
  // The same cells make the same figure, whenever their filter was saved.
  const { kept: _, ...subset } = selection.subset ?? {};
  const displays = displaysIn(selection, content);
  return {
    dataset_filename: manifest.id,
    version: manifest.version,
    ...(selection.subset && { subset: subset as SubsetFilter }),
    ...(own?.length && { annotations: own.map(({ id, revision, name }) => ({ id, revision, name })) }),
    ...(displays.length && { displays: displays.map(({ column, revision }) => ({ column, revision })) }),
    content,
  };
}

export function displaysIn(
  { manifest: { roles }, displays = [] }: Selection,
  content: FigureSource['content'],
): readonly CategoryDisplay[] {
  if (displays.length === 0) return [];
  const columns = new Set<string | undefined>();
  for (const input of Object.values(inputsOf(content)).flat() as PlotInput[]) {
    if (input.from === 'obs') columns.add(input.column);
    if (input.from === 'column') {
      columns.add(input.of === 'groups' ? typeColumn({ roles }) : roles[input.of]);
    }
    if (input.from === 'markers') {
      // By its name, by the one it is shown under, or by the part it plays.
      const { groupby } = input.parameters;
      const metadata = new Map(Object.entries(roles.metadata)).get(groupby);
      columns.add(groupby).add(metadata).add(roles.cellType).add(roles.cluster);
    }
    if (input.from === 'comparison') columns.add(input.parameters.within);
  }
  return displays.filter(({ column }) => columns.has(column));
}
