import { countText } from '@cellfolio/model';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import type { ComparedGenes } from '@cellfolio/analyses';
import { type ComparedGene, countOf, genesOf, namedGenes } from './compared-genes.ts';
import { pointsPanel, pointsSize } from './points-scene.ts';

export interface PointsInput extends Omit<ComparedGenes, 'scores' | 'means' | 'meanTitle'> {
  datasetName: string;
  wanted?: readonly string[] | undefined;
}

interface PlacedGene {
  row: number;
  gene: ComparedGene;
}

export function pointsBase<Gene extends PlacedGene>(
  input: PointsInput,
  placed: (genes: PlacedGene[]) => Gene[],
  maxNamed: number,
) {
  const genes = placed(genesOf(input));
  const [a, b, part] = [cleanLabel(input.a), cleanLabel(input.b), cleanLabel(input.part)];
  const [higher, lower] = [countOf(genes, 1), countOf(genes, -1)];
  const subtitle = [part, cleanLabel(input.test)].filter(Boolean).join(' · ');
  const tested = input.adjustedPs.reduce((count, p) => count + (Number.isNaN(p) ? 0 : 1), 0);
  return {
    genes,
    named: namedGenes(genes, input.wanted, maxNamed),
    spec: (beyond: number) => ({
      version: 1 as const,
      title: `${a} against ${b}`,
      subtitle,
      datasetName: cleanLabel(input.datasetName),
      summary: `${countText(input.cells.a)} against ${countText(input.cells.b)} cells · ${countText(higher)} genes higher, ${countText(lower)} lower of ${countText(tested)}${beyond > 0 ? ` · ${countText(beyond)} beyond the axis` : ''}`,
      size: pointsSize,
      sides: { a, b },
      cells: input.cells,
      thresholds: input.thresholds,
      tested,
      higher,
      lower,
      beyond,
      panel: pointsPanel({ subtitle, size: pointsSize }),
      ...(input.cautions && { cautions: input.cautions }),
    }),
  };
}
