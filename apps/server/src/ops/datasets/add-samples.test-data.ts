import { generator } from '../../features/uploads/work/work.test-data.ts';

/** A sample as a sequencer gives it: counts of cells × genes. */
export interface SeededSample {
  name: string;
  rows: readonly Int32Array[];
  types: readonly string[];
  geneNames: readonly string[];
}

const GENES = 700;
const CELLS = 120;
const types = ['T cell', 'B cell', 'monocyte'];

/**
 * Three samples of three types: each sample multiplies every gene by its own factor, one cell in fifteen is a doublet
 * of different types, one in forty is damaged, and the third sample lacks the last ten genes.
 */
export function seededRows(): readonly SeededSample[] {
  const random = generator(23);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const base = Float64Array.from({ length: GENES }, () => Math.exp(normal() - 1));
  const ofTypes = types.map(() => base.map((rate) => rate * (random() < 0.08 ? 8 : 1)));
  return ['S1', 'S2', 'S3'].map((name, sample) => {
    const factors = base.map(() => Math.exp(0.5 * normal()));
    const width = sample === 2 ? GENES - 10 : GENES;
    const draw = (type: number, depth: number) =>
      Int32Array.from({ length: width }, (_, gene) =>
        poisson(ofTypes[type]![gene]! * factors[gene]! * depth, random),
      );
    const rows = Array.from({ length: CELLS }, (_, cell) => {
      if (cell % 40 === 39) return draw(cell % 3, 0.04);
      const row = draw(cell % 3, 0.7 + 0.6 * random());
      if (cell % 15 !== 7) return row;
      const second = draw((cell + 1) % 3, 1);
      return row.map((count, gene) => count + second[gene]!);
    });
    return {
      name,
      rows,
      types: rows.map((_, cell) => types[cell % 3]!),
      geneNames: Array.from({ length: width }, (_, gene) => (gene < 5 ? `MT-${gene}` : `GENE${gene}`)),
    };
  });
}

function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
