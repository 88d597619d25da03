import { seededRandom } from '../random.ts';
import { poisson, type SimulatedCounts } from './simulated-counts.ts';

export interface SimulatedSamples extends SimulatedCounts {
  /** Sample and type of each cell; a doublet has the type of its first parent. */
  samples: Int32Array;
  types: Int32Array;
  /** Per cell 1 if it consists of two cells of different types. */
  doublets: Uint8Array;
}

export interface SamplesShape {
  samples: number;
  cellsOfSample: number;
  types: number;
  genes: number;
  /** Share of the cells of each sample that are doublets. */
  doubletShare: number;
  /** Standard deviation of the logarithm of each sample's factor per gene. */
  batchEffect: number;
  /** The last type is only in the first sample, instead of the type before it. */
  ownType?: boolean;
}

export function simulateSamples(shape: SamplesShape): SimulatedSamples {
  const random = seededRandom(17);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const base = Float64Array.from({ length: shape.genes }, () => Math.exp(normal() - 1.2));
  const ofTypes = Array.from({ length: shape.types }, () =>
    base.map((rate) => rate * (random() < 0.08 ? 8 : 1)),
  );
  const [rows, samples, types, doublets]: [Int32Array[], number[], number[], number[]] = [[], [], [], []];
  for (let sample = 0; sample < shape.samples; sample++) {
    const factors = base.map(() => Math.exp(shape.batchEffect * normal()));
    const typeOf = (cell: number) => {
      const type = cell % shape.types;
      if (shape.ownType !== true || shape.types < 2) return type;
      const last = shape.types - 1;
      return sample === 0 ? (type === last - 1 ? last : type) : type === last ? last - 1 : type;
    };
    const draw = (type: number) => {
      const depth = 0.7 + 0.6 * random();
      return Int32Array.from(ofTypes[type]!, (rate, gene) => poisson(rate * factors[gene]! * depth, random));
    };
    for (let cell = 0; cell < shape.cellsOfSample; cell++) {
      const type = typeOf(cell);
      const twice = random() < shape.doubletShare;
      const row = draw(type);
      if (twice) {
        let other = type;
        while (other === type) other = typeOf(Math.floor(random() * shape.types));
        const second = draw(other);
        for (let gene = 0; gene < row.length; gene++) row[gene]! += second[gene]!;
      }
      rows.push(row);
      samples.push(sample);
      types.push(type);
      doublets.push(Number(twice));
    }
  }
  return {
    geneNames: Array.from(base, (_, gene) => (gene < 5 ? `MT-${gene}` : `GENE${gene}`)),
    groups: types,
    rows,
    samples: Int32Array.from(samples),
    types: Int32Array.from(types),
    doublets: Uint8Array.from(doublets),
  };
}
