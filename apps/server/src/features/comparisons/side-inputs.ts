import { nameOfB } from '@cellfolio/analyses';
import type { ComparedCells } from '@cellfolio/analysis';
import type { CategoricalColumn } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { labelIn } from '../../runtime/compute/category-display.ts';
import { cellsOn, type Comparisons, groupNotCompared } from '../gene-comparisons/index.ts';
import type { Selection } from '../selection/index.ts';

type SidesInput = Extract<PlotInput, { from: 'compared-sides' }>;

export function sideInputs({ comparisons }: { comparisons: Comparisons }) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters, part }: SidesInput,
      call: CallContext,
    ): Promise<InputValues['compared-sides']> {
      const compared = await comparisons.sides(selection, parameters, call);
      const place = part === undefined ? -1 : compared.parts.findIndex(({ name }) => name === part);
      if (part !== undefined && place < 0) throw groupNotCompared();
      const display = selection.displays?.find(({ column }) => column === parameters.within);
      const column = sideColumn(compared, place < 0 ? undefined : place, labelIn(display));
      return { column, a: parameters.a.name, b: nameOfB(parameters, cellsOn(compared.parts, 'b')) };
    },
  };
}

/** Two categories, or two per part: A before B. */
function sideColumn(
  { sides, partOf, parts }: ComparedCells,
  only: number | undefined,
  nameOf: (category: string) => string,
): CategoricalColumn {
  const isParted = only === undefined && parts.length > 1;
  const codes = Int32Array.from(sides, (side, cell) => {
    const part = partOf?.[cell] ?? 0;
    if (side > 1 || part >= parts.length || (only !== undefined && part !== only)) return -1;
    return isParted ? 2 * part + side : side;
  });
  const names = ['A', 'B'];
  const categories = isParted
    ? parts.flatMap(({ name }) => names.map((one) => `${nameOf(name)} · ${one}`))
    : names;
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
