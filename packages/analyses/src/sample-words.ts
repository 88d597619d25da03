import type { SampleChecks } from '@cellfolio/analysis';
import { plural, replicatesOfValues } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';

const sampleNouns =
  /^(patient|donor|subject|individual|participant|animal|mouse|rat|fish|pig|pup|embryo|larva|specimen|replicate|hashtag|batch)(?:[ _.-]?(?:id|number|name))?$/i;
const plurals = new Map([
  ['batch', 'batches'],
  ['mouse', 'mice'],
  ['fish', 'fish'],
  ['larva', 'larvae'],
]);

/** Noun for a value of the column: 'patient' for `patient_id`, 'sample' when the name does not say. */
export function sampleNoun(column: string): { one: string; many: string } {
  const one = sampleNouns.exec(column)?.[1]?.toLowerCase() ?? 'sample';
  return { one, many: plurals.get(one) ?? `${one}s` };
}

/** '2 patients', or '2 samples (Region)' when the column's name does not say what they are. */
export function samplesText(count: number, column: string): string {
  const { one, many } = sampleNoun(column);
  const title = columnTitle(column);
  const named = one !== 'sample' || title === 'Sample';
  return `${plural(count, one, many)}${named ? '' : ` (${title})`}`;
}

/** How samples were tested, as the end of a sentence. Differing depth shifts means of values and not sums of counts. */
export function replicateTestWords(
  { ofCounts }: Pick<SampleChecks, 'ofCounts'>,
  dataset: Parameters<typeof replicatesOfValues>[0],
): string {
  const corrected = replicatesOfValues(dataset);
  if (ofCounts) return `by sums of counts: prefer these.${corrected}`;
  return `by means of values, a check that differences in depth alone can pass.${corrected}`;
}
