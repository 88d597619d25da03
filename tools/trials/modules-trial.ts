import { analysed, axisOf, simulatedModules } from '../../bench/src/cases/co-expression-case.ts';
import { tally, type Trial } from './trial.ts';

const size = { cells: 800, genes: 300 };

/** Five modules of twenty genes, each rising along a component, among 200 genes that follow none. */
export const modulesTrial: Trial = {
  name: 'co-expression',
  planted: 'genes in a module that mostly has genes of their own',
  nothing: 'genes in any module where none follows a component',
  run(seed) {
    const { modules } = analysed(simulatedModules({ ...size, slope: 0.6 }, seed));
    const nothing = analysed(simulatedModules({ ...size, slope: 0 }, seed));
    const genes = [...modules.keys()];
    const isFound = (gene: number): boolean => {
      if (modules[gene] === 0) return false;
      const together = genes.filter((other) => modules[other] === modules[gene]);
      return 2 * together.filter((other) => axisOf(other) === axisOf(gene)).length > together.length;
    };
    return {
      planted: tally(
        genes.filter((gene) => axisOf(gene) >= 0),
        isFound,
      ),
      nothing: tally(genes, (gene) => nothing.modules[gene]! > 0),
    };
  },
};
