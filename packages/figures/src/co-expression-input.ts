import { type Caution, countText, plural } from '@cellfolio/model';

export interface CoExpressionInput {
  /** Genes whose pairs were correlated: by module, genes without one last. */
  genes: readonly ModuleGene[];
  /** Local correlations in gene order, in standard deviations, row-major; 0 on the diagonal. */
  scores: Float32Array;
  modules: readonly GeneModule[];
  /** Clusters with a lower mean local correlation were not joined. */
  threshold: number;
  /** Numbers of analysed cells, tested genes and passing genes. */
  cells: number;
  tested: number;
  passing: number;
  cautions: readonly Caution[];
}

interface ModuleGene {
  gene: string;
  /** From 1; 0 for none. */
  module: number;
  /** Mean local correlation with the other genes of the module; NaN for genes without one. */
  withinModule: number;
}

interface GeneModule {
  name: string;
  size: number;
  /** Genes with the highest mean local correlation within the module, in descending order. */
  hubs: readonly string[];
}

export function modulesText({ modules, genes }: Pick<CoExpressionInput, 'modules' | 'genes'>): string {
  const inModules = modules.reduce((sum, { size }) => sum + size, 0);
  const words = plural(modules.length, 'module');
  return `${words} of ${countText(inModules)} genes, ${countText(genes.length - inModules)} genes in none`;
}
