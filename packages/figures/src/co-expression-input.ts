import type { CoExpressionFigure } from '@cellfolio/analyses';
import { type Caution, countText, plural } from '@cellfolio/model';

export interface CoExpressionInput extends CoExpressionFigure {
  readonly cautions: readonly Caution[];
}

export function modulesText({ modules, genes }: Pick<CoExpressionInput, 'modules' | 'genes'>): string {
  const inModules = modules.reduce((sum, { size }) => sum + size, 0);
  const words = plural(modules.length, 'module');
  return `${words} of ${countText(inModules)} genes, ${countText(genes.length - inModules)} genes in none`;
}
