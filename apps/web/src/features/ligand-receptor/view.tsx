import type { ligandReceptor } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureContent, FigureSource } from '@cellfolio/contract';
import { maxNamedInteractions } from '@cellfolio/figures/content';
import { type AnalysisView, defineView } from '@/features/analyses/index.ts';
import { plural } from '@/lib/format.ts';
import { columnNamed, type TableColumns, textAt } from '@/features/tables/index.ts';

export const ligandReceptorView: AnalysisView = defineView<AnalysisAnswer<typeof ligandReceptor>>({
  pValueBounds: ({ parameters: { permutations } }) => new Map([['cellphone_pvals', 1 / permutations]]),
  furtherFigures: [
    {
      figure: 'Heatmap',
      file: 'ligand_receptor_heatmap',
      sourceOf: (source) => {
        if (source.content.kind !== 'ligand-receptor-dots') return source;
        const { interactions: _, ...content } = source.content;
        return { ...source, content: { ...content, kind: 'ligand-receptor-heatmap' } };
      },
    },
  ],
  searchPlaceholder: 'Search genes and groups',
  rowNoun: () => 'row',
  allRows: (rowCount) => `all interactions (${plural(rowCount, 'row')})`,
  figuresOfRow: [
    {
      name: 'Map',
      about:
        'Ligand and receptor in each cell of the result; for a complex, the subunit with the lowest expression.',
      source: (source, table, row) => {
        const pair = genesOfRow(source, table, row);
        if (pair === null) return null;
        const content: FigureContent = { kind: 'pair-umap', first: pair.ligand, second: pair.receptor };
        return { source: { ...source, content }, title: pair.title };
      },
    },
    {
      name: 'Violins',
      about: 'The cells of the result, in all groups of the column.',
      source: (source, table, row) => {
        const { content } = source;
        const pair = genesOfRow(source, table, row);
        if (pair === null || content.kind !== 'ligand-receptor-dots') return null;
        const genes = [...new Set([...pair.ligand, ...pair.receptor])];
        const violins: FigureContent = { kind: 'stacked-violin', genes, by: { column: content.groupby } };
        return { source: { ...source, content: violins }, title: pair.title };
      },
    },
  ],
  figureOfRows: (source, table, rows) => {
    if (source.content.kind !== 'ligand-receptor-dots' || rows.length === 0) return null;
    const count = Math.min(rows.length, maxNamedInteractions);
    const interactions = Array.from({ length: count }, (_, at) => interactionAt(table, rows[at]!));
    const content: FigureContent = { ...source.content, interactions };
    return { ...source, content };
  },
});

/** Subunits of both sides of a row; null if its figure cannot be named. */
function genesOfRow({ content }: FigureSource, table: TableColumns, row: number) {
  const { ligand, receptor } = interactionAt(table, row);
  if (content.kind !== 'ligand-receptor-dots' || !ligand || !receptor) return null;
  const title = `${ligand} and ${receptor}`;
  return { ligand: ligand.split('+'), receptor: receptor.split('+'), title };
}

function interactionAt({ columns }: TableColumns, row: number) {
  const text = (heading: string) => {
    const column = columnNamed(columns, heading);
    return column === undefined ? '' : textAt(column, row);
  };
  const [ligand, receptor] = [text('ligand_complex'), text('receptor_complex')];
  return { source: text('source'), target: text('target'), ligand, receptor };
}
