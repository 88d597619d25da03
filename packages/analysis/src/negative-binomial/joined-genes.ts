import type { GenewiseDispersions } from './dispersions.ts';
import type { GeneFits } from './gene-fits.ts';

export function joinedDispersions(blocks: readonly GenewiseDispersions[]): GenewiseDispersions {
  return {
    baseMeans: joined(blocks.map(({ baseMeans }) => baseMeans)),
    dispersions: joined(blocks.map(({ dispersions }) => dispersions)),
    fitted: joined(blocks.map(({ fitted }) => fitted)),
  };
}

export function joinedFits(blocks: readonly GeneFits[]): GeneFits {
  const contrasts = blocks[0]?.effects ?? [];
  return {
    baseMeans: joined(blocks.map(({ baseMeans }) => baseMeans)),
    genewise: joined(blocks.map(({ genewise }) => genewise)),
    expected: joined(blocks.map(({ expected }) => expected)),
    final: joined(blocks.map(({ final }) => final)),
    effects: contrasts.map((_, at) => joined(blocks.map(({ effects }) => effects[at]!))),
    errors: contrasts.map((_, at) => joined(blocks.map(({ errors }) => errors[at]!))),
    distances: joined(blocks.map(({ distances }) => distances)),
  };
}

export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all;
}
