import { z } from 'zod';
import { minPValue, percentText, plural, pluralWord } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { type CommonSpec, type DrawOrder, drawOrders } from './drawing/figure.ts';
import { valueText } from './drawing/text/number-text.ts';

export { percentText as percent } from '@cellfolio/model';

// Figures come back from browsers, so everything is checked and bounded again; what a summary does not use is dropped.

/** Names of genes, groups and datasets are untrusted: reduced to one line of bounded length. */
const plain = (input: string) => input.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
export const text = z.string().transform((input) => plain(input.slice(0, 300)));
/** JSON writes non-finite numbers as null. */
export const number = z.number().nullable().catch(null);
export const count = z.int().nonnegative();
export const list = <T extends z.ZodType>(item: T) => z.array(item).max(20_000);

/** Longer than a name: a caution contains its numbers in words. */
const sentence = z.string().transform((input) => plain(input.slice(0, 1200)));
const figure = z.union([z.number(), text]);
const cautions = z
  .array(
    z.object({
      code: z.string().regex(/^[a-z-]{1,60}$/),
      message: sentence,
      // name-dictionary: keys of letters alone
      numbers: z
        .record(
          z.string().regex(/^[a-zA-Z]{1,40}$/),
          z.union([figure, z.array(figure).transform((list) => list.slice(0, 60))]),
        )
        .refine((numbers) => Object.keys(numbers).length <= 30)
        .optional()
        // The words say the figures too.
        .catch(undefined),
    }),
  )
  .max(1000)
  .transform((list) => list.slice(0, 30))
  .optional()
  .catch(undefined);

const subset = z.object({ name: text, cells: count }).optional().catch(undefined);

const split = z
  .object({ title: text, parts: list(z.object({ label: text, cells: count })), partCount: count })
  .optional()
  .catch(undefined);

export const common = { title: text, datasetName: text, summary: text, cautions, subset, split };
export const counts = z.object({
  cells: count,
  datasetCells: count,
  withoutPosition: count.optional(),
  inWindow: count.optional(),
});
/** Axis names of a map; missing in figures from before they were needed. */
export const axes = z.tuple([text, text]).optional().catch(undefined);
export const hidden = z.object({ groups: count, cells: count, missing: count }).optional().catch(undefined);
/** Draw order of a map; missing in figures from before it was recorded. */
export const order = z.enum(drawOrders).optional().catch(undefined);
export const ofMap = { ...common, counts, axes, order };
export const group = z.object({ label: text, cells: count });

/** Groups with fewer cells get a caution about their share or mean. */
export const fewCells = 20;
export const named = 5;

type Group = Readonly<z.output<typeof group>>;

export interface Sentences {
  /** Drawn content with the number of cells, genes or samples; then the main finding. */
  reading: readonly [string, string];
  more?: readonly string[];
  cautions: readonly string[];
  general?: readonly string[];
}

export interface PlotWords<
  Kind extends string = string,
  Numbers extends z.ZodType<{ kind: Kind }> = z.ZodType<{ kind: Kind }>,
> {
  kind: Kind;
  name: string;
  numbers: Numbers;
  sentences(numbers: z.output<Numbers>): Sentences;
  /** The numbers with only this many rows; absent if they have none. */
  firstRows?(numbers: z.output<Numbers>, rows: number): object;
  /** Separator between two findings; default a space. */
  between?: string;
}

/** Words of a figure that is one folder, made from the numbers of its spec. */
export type KindWords<Numbers = never> = Omit<PlotWords, 'kind' | 'numbers' | 'sentences' | 'firstRows'> & {
  sentences(numbers: Numbers): Sentences;
  firstRows?(numbers: Numbers, rows: number): object;
};

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/**
 * Spec with the numbers that its words are made from, except those in `Without`: the spec knows more of these, such as
 * a colour, or is never without them.
 */
export type SpecOf<
  Words extends { numbers: z.ZodType },
  Without extends string = never,
  Base extends CommonSpec = CommonSpec,
> = Base & DeepReadonly<Omit<z.output<Words['numbers']>, keyof typeof common | Without>>;

export function plotWords<Kind extends string, Numbers extends z.ZodType<{ kind: Kind }>>(
  words: PlotWords<Kind, Numbers>,
): PlotWords<Kind, Numbers> {
  return words;
}

export function firstGroups(numbers: { groups: readonly unknown[] }, rows: number): object {
  return { ...numbers, groups: numbers.groups.slice(0, rows), groupsInAll: numbers.groups.length };
}

/** Name of a group within a sentence: a bare number, as of a cluster, would be read as a count. */
export function groupName(label: string): string {
  return /^[\d.,\s]+$/.test(label) ? `group ${label}` : label;
}

export function bySize(groups: readonly Group[]): Group[] {
  return groups.filter((group) => group.cells > 0).toSorted((a, b) => b.cells - a.cells);
}

export function largest(present: readonly Group[], all: number): string[] {
  const phrases = present
    .slice(0, named)
    .map((group) => `${group.label} (${whole(group.cells)}, ${percentText(group.cells, all)})`);
  if (phrases.length === 0) return [];
  return [`${present.length > named ? 'The largest are' : 'By size:'} ${listed(phrases)}.`];
}

/** `UMAP`; for other axes than the first two of a known embedding `PC3 and PC4`. */
export function axesName([x, y]: readonly [string, string]): string {
  const embeddingName = /^(UMAP|t-SNE)1$/.exec(x)?.[1];
  return embeddingName !== undefined && y === `${embeddingName}2` ? embeddingName : `${x} and ${y}`;
}

export function mapName(of: readonly [string, string] = ['UMAP1', 'UMAP2']): string {
  const name = axesName(of);
  return name.includes(' and ') ? `map of ${name}` : name;
}

export function mapCautions({
  cells: all,
  withoutPosition = 0,
  inWindow,
}: z.output<typeof counts>): string[] {
  return [
    ...(withoutPosition > 0
      ? [
          `${cells(withoutPosition)} ${pluralWord(withoutPosition, 'has', 'have')} no coordinates, so the map lacks ${pluralWord(withoutPosition, 'it', 'them')}.`,
        ]
      : []),
    ...(inWindow === undefined ? [] : [`The map is cut to a part with ${whole(inWindow)} of ${cells(all)}.`]),
  ];
}

/**
 * Groups with enough cells to compare means and shares (all if fewer than two have), and the beginning of a sentence
 * about them.
 */
export function comparable<Of extends { cells: number }>(
  groups: readonly Of[],
): { sure: readonly Of[]; the: string } {
  const sure = groups.filter((group) => group.cells >= fewCells);
  return sure.length < 2 || sure.length === groups.length
    ? { sure: groups, the: 'The' }
    : { sure, the: `Of groups with at least ${fewCells} cells, the` };
}

export function smallGroups(groups: readonly Group[]): string[] {
  const few = groups.filter((group) => group.cells < fewCells);
  if (few.length === 0) return [];
  const words = few.slice(0, named).map(({ label, cells: count }) => `${label} (${whole(count)})`);
  return [`Few cells, interpret with care: ${listedSome(words, few.length)}.`];
}

export function scaleSentence(
  what: string,
  valueCount: number,
  {
    min,
    max,
    low = min,
    high = max,
  }: Readonly<Partial<Record<'min' | 'max' | 'low' | 'high', number | null>>>,
): string {
  if (valueCount === 0) return 'No cell has a value.';
  if (min === max) return `All ${cells(valueCount)} have the value ${value(min ?? null)}.`;
  const range = `${what} go from ${value(min ?? null)} to ${value(max ?? null)}`;
  return low === min && high === max
    ? `${range}.`
    : `${range}, and the colors cover ${value(low ?? null)} to ${value(high ?? null)}.`;
}

export function someCells(
  count: number,
  [one, many]: readonly [string, string],
  predicate: string,
): string[] {
  return count > 0 ? [`${cells(count)} ${pluralWord(count, one, many)} ${predicate}`] : [];
}

export function hiddenCells(left: z.output<typeof hidden>): number {
  return left === undefined ? 0 : left.cells + left.missing;
}

export function hiddenWords(left: z.output<typeof hidden>): string[] {
  return someCells(hiddenCells(left), ['is', 'are'], 'hidden, as chosen.');
}

export function orderWords(order: DrawOrder | undefined): string[] {
  if (order === 'shuffled') return ['Where cells overlap, the visible one is random.'];
  if (order !== 'expressing-on-top') return [];
  return ['Expressing cells are on top of the others; where they overlap, the visible one is random.'];
}

/** ` (unit)`; empty without one, or if it is the name of the titled column. */
export function inUnit(unit: string, title?: string): string {
  const isTitle = unit === title || columnTitle(unit) === title;
  return unit === '' || isTitle ? '' : ` (${unit.replaceAll(' · ', ', ')})`;
}

// `toLocaleString` would make one for each number.
const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function whole(value: number): string {
  return wholeNumbers.format(value);
}

/** Three digits, as in figures: `0.125`, `12,300`, `1.2e−9`; a dash for a missing number. */
export function value(input: number | null): string {
  return input === null || !Number.isFinite(input) ? '–' : valueText(input);
}

/** The same for a p-value; one too small for a number is `< 2.2e−308`. */
export function pValue(input: number | null): string {
  return input !== null && input < minPValue ? `< ${valueText(minPValue)}` : value(input);
}

/** For a list of numbers, in which a p of 0 would be taken literally. */
export function sentP(input: number | null): number | string | null {
  return input !== null && input < minPValue ? pValue(input) : input;
}

export function cells(count: number): string {
  return plural(count, 'cell');
}

export function smallerLeftOut(groups: number): string[] {
  return groups > 0
    ? [`${plural(groups, 'smaller group')} ${pluralWord(groups, 'is', 'are')} not in the figure.`]
    : [];
}

/** `a, b and others` for the first of more, or `a, b and c` if these are all. */
export function listedSome(words: readonly string[], all: number): string {
  return words.length < all ? `${words.join(', ')} and others` : listed(words);
}

export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}
