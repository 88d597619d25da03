import { createRandom } from '@cellfolio/analysis';
import type { PerturbationsFigure } from '@cellfolio/analyses';

const geneNames = ['TSC22D3', 'HBG1', 'HBG2', 'MT2A', 'DDIT3', 'TRIB3', 'ATF4', 'CDKN1A', 'MDM2', 'LMNB1'];

/** A screen of perturbations in three programs of genes; `silent`: none changes a gene. */
export function screenOf(count: number, silent = false): PerturbationsFigure {
  const random = createRandom('figure of a screen');
  const perturbations = Array.from({ length: count }, (_, at) => {
    const changed = silent ? 0 : Math.round(900 * Math.exp(-at / (0.14 * count + 1)));
    return {
      name: at === 1 ? 'KLF1+<b>BAK1</b>' : `GENE${at + 1}`,
      cells: 40 + 7 * (at % 11),
      changed,
      distance: changed / 60 + 0.3 * random.normal(),
      adjustedP: changed > 20 ? 0.002 : 0.6,
    };
  });
  const compared = perturbations
    .filter(({ changed }) => changed >= 10)
    .map(({ name }, at) => ({ name, program: at % 3 }))
    .sort((a, b) => a.program - b.program);
  const names = compared.length < 2 ? [] : compared.map(({ name }) => name);
  const genes = names.length === 0 ? [] : geneNames.flatMap((gene) => [gene, `${gene}-AS1`]);
  const programOf = (place: number) => compared[place]!.program;
  const differences = names.flatMap((_, row) =>
    genes.map(
      (_gene, gene) => (gene % 3 === programOf(row) ? (gene % 2 ? 1 : -1) * 0.9 : 0) + 0.15 * random.normal(),
    ),
  );
  const correlations = names.flatMap((_, row) =>
    names.map((_name, column) =>
      row === column ? 1 : programOf(row) === programOf(column) ? 0.7 : 0.1 - 0.05 * ((row + column) % 5),
    ),
  );
  const expected = Array.from({ length: 60 }, (_, at) => (5 * at) / 59);
  return {
    perturbations,
    limit: 0.05,
    null: {
      by: 'guides',
      changed: silent ? [0, 0, 0] : [0, 2, 5],
      inflation: 1.08,
      expected,
      observed: expected.map((own) => own * (1 + 0.02 * own)),
    },
    names,
    genes,
    differences,
    correlations,
  };
}
