import type { CoExpressionAnswer, FigureContent } from '@cellfolio/contract';
import { FigureChoice, type FigurePanelProps, type OfferedFigure } from '@/features/analyses/index.ts';
import { plural } from '@/lib/format.ts';

export function CoExpressionPanel({ answer, group }: FigurePanelProps<CoExpressionAnswer>) {
  const { source, modules } = answer;
  const of = `, ${plural(modules.length, 'module')}`;
  const sourceOf = (content: object) => ({ ...source, content: content as FigureContent });
  const maps = modules.map(({ name, genes }): OfferedFigure => ({
    id: name,
    label: `${name} on the map`,
    word: 'map of the score',
    file: `${name.toLowerCase().replaceAll(' ', '_')}_map`,
    source: sourceOf({ kind: 'score-umap', of: 'signature', score_name: name, genes }),
    of: `, score of ${genes.length} genes`,
  }));
  const whole: OfferedFigure[] = [
    {
      id: 'module-heatmap',
      label: 'Heatmap of the modules',
      word: 'heatmap',
      file: 'module_heatmap',
      source,
      of,
    },
    {
      id: 'gene-network',
      label: 'Network of genes',
      word: 'network',
      file: 'gene_network',
      source: sourceOf({ ...source.content, kind: 'gene-network' }),
      of,
    },
  ];
  // The module that the table shows first.
  const first = maps.filter(({ id }) => id === group);
  const others = maps.filter(({ id }) => id !== group);
  return <FigureChoice key={group} figures={[...first, ...whole, ...others]} />;
}
