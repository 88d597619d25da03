import type { markers } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureContent } from '@cellfolio/contract';
import { type AnalysisView, defineView } from '@/features/analyses/index.ts';
import { textAt, textsOf } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';

/** As the content of a figure takes them. */
const maxFigureGroups = 5000;

/** The parts of a page of markers that the declaration does not say. */
export const markersView: AnalysisView = defineView<AnalysisAnswer<typeof markers>>({
  searchPlaceholder: 'Search genes and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'gene' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: ({ groups, parameters: { groupby, split } }) => ({
    groups,
    groupedBy: groupby,
    ...(split && { splitBy: split.column }),
  }),
  figureOfRows: (source, { columns }, rows) => {
    const [groups, names] = [textsOf(columns, 'group'), textsOf(columns, 'names')];
    if (source.content.kind !== 'dot-plot' || !groups || !names || rows.length === 0) return null;
    const genesOf = new Map<string, string[]>();
    for (const row of Array.from(rows)) {
      const group = textAt(groups, row);
      const genes = genesOf.get(group) ?? [];
      genes.push(textAt(names, row));
      genesOf.set(group, genes);
    }
    if (genesOf.size > maxFigureGroups) return null;
    const markers = Array.from(genesOf, ([group, genes]) => ({ group, genes }));
    const content: FigureContent = { ...source.content, markers };
    return { ...source, content };
  },
});
