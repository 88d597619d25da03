import { type Caution, countText } from '@cellfolio/model';

/** Modules of genes that vary together, as figures need them. */
export interface CoExpressionInput {
  /** Genes whose pairs were correlated: by module, those of none last. */
  readonly genes: readonly ModuleGene[];
  /** Local correlations in that order, in standard deviations, row after row; 0 on the diagonal. */
  readonly scores: Float32Array;
  readonly modules: readonly GeneModule[];
  /** Clusters of a lower mean local correlation were not joined. */
  readonly threshold: number;
  /** Cells analysed, genes tested and genes that passed. */
  readonly cells: number;
  readonly tested: number;
  readonly passing: number;
  readonly cautions: readonly Caution[];
}

interface ModuleGene {
  readonly gene: string;
  /** From 1 on; 0 for none. */
  readonly module: number;
  /** Mean local correlation with the others of the module; NaN for genes of none. */
  readonly withinModule: number;
}

interface GeneModule {
  readonly name: string;
  readonly size: number;
  /** Those of the highest mean local correlation within the module, the highest first. */
  readonly hubs: readonly string[];
}

/** What the figures of modules say below their titles. */
export function modulesText({ modules, genes }: Pick<CoExpressionInput, 'modules' | 'genes'>): string {
  const inModules = modules.reduce((sum, { size }) => sum + size, 0);
  const words = modules.length === 1 ? '1 module' : `${modules.length} modules`;
  return `${words} of ${countText(inModules)} genes, ${countText(genes.length - inModules)} genes in none`;
}
