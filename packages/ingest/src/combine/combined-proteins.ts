import { type Column, countText, plural, pluralWord, type ProteinScale } from '@cellfolio/model';
import type { ReadProteins } from '../proteins/read-proteins.ts';
import type { Spill } from '../transpose/spill.ts';
import type { H5adContent } from '../write-h5ad/h5ad-content.ts';

/** Proteins of one sample; values wait on disk until those of all samples are known. */
export interface SampleProteins {
  scale: ProteinScale;
  names: readonly string[];
  /** Position of the first protein's values; each protein has a float32 per cell. */
  position: number;
}

export async function keepProteins(
  { scale, names, each }: Pick<ReadProteins, 'scale' | 'names' | 'each'>,
  spill: Spill,
): Promise<SampleProteins> {
  let position: number | undefined;
  await each((_, values) => {
    const at = spill.append(values);
    position ??= at;
  });
  return { scale, names, position: position ?? 0 };
}

interface Sample {
  sample: { name: string };
  cells: number;
  proteins?: SampleProteins | undefined;
}

export interface CombinedProteins {
  content: H5adContent['proteins'];
  ofSample: readonly number[];
  notes: readonly string[];
}

/**
 * Matches proteins by name: all that any sample has, in order of first occurrence. Cells of a sample without a protein
 * have NaN for it. Ratios are per cell and stay valid for each sample; if some samples have ratios and others values of
 * an unknown unit, only the ratios are used.
 */
export function combinedProteins(samples: readonly Sample[], spill: Spill): CombinedProteins {
  const having = samples.filter(({ proteins }) => proteins !== undefined);
  const scale = having.some(({ proteins }) => proteins!.scale === 'clr') ? 'clr' : 'stored';
  const sameScale = having.filter(({ proteins }) => proteins!.scale === scale);
  const placesOf = new Map(
    sameScale.map((sample) => [sample, new Map(sample.proteins!.names.map((name, place) => [name, place]))]),
  );
  const ofSample = samples.map((sample) => placesOf.get(sample)?.size ?? 0);
  const names = [...new Set(sameScale.flatMap(({ proteins }) => proteins!.names))];
  if (names.length === 0) return { content: undefined, ofSample, notes: [] };
  const cellCount = samples.reduce((sum, { cells }) => sum + cells, 0);
  async function* columns(): AsyncGenerator<Column> {
    for (const name of names) {
      const values = new Float32Array(cellCount).fill(NaN);
      let from = 0;
      for (const sample of samples) {
        const place = placesOf.get(sample)?.get(name);
        const { cells, proteins } = sample;
        if (place !== undefined) {
          const bytes = new Uint8Array(
            values.buffer,
            from * values.BYTES_PER_ELEMENT,
            cells * values.BYTES_PER_ELEMENT,
          );
          spill.read(proteins!.position + place * bytes.length, bytes);
        }
        from += cells;
      }
      yield { kind: 'numeric', dtype: 'float32', values };
    }
  }
  const shared = names.filter((name) => samples.every((sample) => placesOf.get(sample)?.has(name)));
  const left = having.filter((sample) => !placesOf.has(sample));
  return {
    content: { scale, names, values: { [Symbol.asyncIterator]: columns } },
    ofSample,
    notes: [
      matchedText(names.length, shared.length),
      ...left.map(
        ({ sample }) =>
          `The proteins of ${sample.name} were left out: their values are no counts, and those of other samples are centered log ratios of counts.`,
      ),
    ],
  };
}

function matchedText(any: number, shared: number): string {
  const some = `${plural(any, 'protein was', 'proteins were')} matched by name`;
  if (shared === any) return `${some}; all samples have ${pluralWord(any, 'it', 'them')}.`;
  return `${some}; ${countText(shared)} of them ${pluralWord(shared, 'is', 'are')} in all samples. Cells of a sample without a protein have a missing value of it.`;
}
