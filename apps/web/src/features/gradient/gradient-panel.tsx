import type { GradientAnswer } from '@cellfolio/contract';
import { FigureChoice, type FigurePanelProps, figuresOfKinds } from '@/features/analyses/index.ts';

const kinds = [
  { kind: 'gradient-heatmap', label: 'Heatmap of genes', word: 'heatmap' },
  { kind: 'gradient-curve', label: 'Curves of genes', word: 'curves' },
  { kind: 'gradient-umap', label: 'The axis on the UMAP', word: 'map of the axis' },
] as const;

export function GradientPanel({ answer }: FigurePanelProps<GradientAnswer>) {
  const offered = answer.has_map ? kinds : kinds.slice(0, 2);
  return <FigureChoice figures={figuresOfKinds(offered, answer.source, `, along ${answer.axis.name}`)} />;
}
