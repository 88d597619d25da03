import { z } from 'zod';
import { minPValue, percentText } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { type DrawOrder, drawOrders } from './drawing/figure.ts';
import { valueText } from './drawing/text/number-text.ts';

export { percentText as percent } from '@cellfolio/model';

// Figures come back from browsers, so everything is checked and bounded again; what a summary does not use is dropped.

/** Names of genes, groups and datasets come from strangers: one line, not too long. */
const plain = (given: string) => given.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
export const text = z.string().transform((given) => plain(given.slice(0, 300)));
/** JSON writes numbers that are none as null. */
export const number = z.number().nullable().catch(null);
export const count = z.int().nonnegative();
export const list = <T extends z.ZodType>(item: T) => z.array(item).max(20_000);

/** Longer than a name: a caution says its figures in words. */
const sentence = z.string().transform((given) => plain(given.slice(0, 1200)));
const figure = z.union([z.number(), text]);
/** Limitations of the result that a figure shows, the most serious first. */
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

/** The cells that a figure is of, where they are not all of the dataset. */
const subset = z.object({ name: text, cells: count }).optional().catch(undefined);

/** A map that is drawn once for each part of its cells. */
const split = z
  .object({ title: text, parts: list(z.object({ label: text, cells: count })), partCount: count })
  .optional()
  .catch(undefined);

/** What the numbers of every figure say. */
export const common = { title: text, datasetName: text, summary: text, cautions, subset, split };
export const counts = z.object({
  cells: count,
  datasetCells: count,
  withoutPosition: count.optional(),
  inWindow: count.optional(),
});
/** Names of the axes of a map; figures from before they were needed may lack them. */
export const axes = z.tuple([text, text]).optional().catch(undefined);
/** What a map leaves out because it was asked to. */
export const hidden = z.object({ groups: count, cells: count, missing: count }).optional().catch(undefined);
/** Which cells of a map lie on top; figures from before it was said lack it. */
export const order = z.enum(drawOrders).optional().catch(undefined);
/** What the numbers of a map of cells say. */
export const ofMap = { ...common, counts, axes, order };
export const group = z.object({ label: text, cells: count });

/** Fewest cells of a group whose share or mean is said without a caution. */
export const fewCells = 20;
/** So many of a list are named. */
export const named = 5;

type Group = { readonly label: string; readonly cells: number };

export interface Sentences {
  /** What is drawn, of how many cells, genes or samples; and what stands out in it. */
  readonly reading: readonly [string, string];
  /** Further findings. */
  readonly more?: readonly string[];
  /** What limits this figure: what it leaves out, clips or has too few cells for. */
  readonly cautions: readonly string[];
  /** What limits every figure of the kind. */
  readonly general?: readonly string[];
}

/** The words of a kind of figure: its numbers, checked again, and the sentences computed from them. */
export interface PlotWords<
  Kind extends string = string,
  Numbers extends z.ZodType<{ kind: Kind }> = z.ZodType<{ kind: Kind }>,
> {
  readonly kind: Kind;
  /** What such a figure is called, such as `Violin plot`. */
  readonly name: string;
  readonly numbers: Numbers;
  sentences(numbers: z.output<Numbers>): Sentences;
  /** The numbers with so many of their rows alone; absent where they have none. */
  firstRows?(numbers: z.output<Numbers>, rows: number): object;
  /** What stands between two findings; a blank if absent. */
  readonly between?: string;
}

/** Keeps the types of a kind's numbers. */
export function plotWords<Kind extends string, Numbers extends z.ZodType<{ kind: Kind }>>(
  words: PlotWords<Kind, Numbers>,
): PlotWords<Kind, Numbers> {
  return words;
}

/** Of figures whose rows are groups. */
export function firstGroups(numbers: { readonly groups: readonly unknown[] }, rows: number): object {
  return { ...numbers, groups: numbers.groups.slice(0, rows), groupsInAll: numbers.groups.length };
}

/** A group in a sentence: a number alone, as clusters have it, would be read as a figure. */
export function groupName(label: string): string {
  return /^[\d.,\s]+$/.test(label) ? `group ${label}` : label;
}

export function bySize(groups: readonly Group[]): Group[] {
  return groups.filter((group) => group.cells > 0).toSorted((a, b) => b.cells - a.cells);
}

export function largest(present: readonly Group[], all: number): string[] {
  const said = present
    .slice(0, named)
    .map((group) => `${group.label} (${whole(group.cells)}, ${percentText(group.cells, all)})`);
  if (said.length === 0) return [];
  return [`${present.length > named ? 'The largest are' : 'By size:'} ${listed(said)}.`];
}

/** `UMAP`; of other axes than the first two of a known embedding `PC3 and PC4`. */
export function axesName([x, y]: readonly [string, string]): string {
  const known = /^(UMAP|t-SNE)1$/.exec(x)?.[1];
  return known !== undefined && y === `${known}2` ? known : `${x} and ${y}`;
}

/** `UMAP`, `map of PC3 and PC4`. */
export function mapName(of: readonly [string, string] = ['UMAP1', 'UMAP2']): string {
  const name = axesName(of);
  return name.includes(' and ') ? `map of ${name}` : name;
}

/** What a map of cells does not draw of them. */
export function mapCautions({
  cells: all,
  withoutPosition = 0,
  inWindow,
}: z.output<typeof counts>): string[] {
  return [
    ...(withoutPosition > 0
      ? [
          `${cells(withoutPosition)} ${withoutPosition === 1 ? 'has' : 'have'} no coordinates, so the map lacks ${withoutPosition === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(inWindow === undefined ? [] : [`The map is cut to a part with ${whole(inWindow)} of ${cells(all)}.`]),
  ];
}

/** The groups whose means and shares can be compared, where not all of them are too small for it, and how a sentence of them begins. */
export function comparable<Of extends { readonly cells: number }>(
  groups: readonly Of[],
): { readonly sure: readonly Of[]; readonly the: string } {
  const sure = groups.filter((group) => group.cells >= fewCells);
  return sure.length < 2 || sure.length === groups.length
    ? { sure: groups, the: 'The' }
    : { sure, the: `Of groups with at least ${fewCells} cells, the` };
}

/** Names the groups of so few cells that their share or mean may be chance. */
export function smallGroups(groups: readonly Group[]): string[] {
  const few = groups.filter((group) => group.cells < fewCells);
  if (few.length === 0) return [];
  const words = few.slice(0, named).map(({ label, cells: count }) => `${label} (${whole(count)})`);
  return [`Few cells, so read with care: ${listedSome(words, few.length)}.`];
}

/** From where to where values of cells go, and what the colours of a map cover of that. */
export function scaleSentence(
  what: string,
  known: number,
  {
    min,
    max,
    low = min,
    high = max,
  }: Readonly<Partial<Record<'min' | 'max' | 'low' | 'high', number | null>>>,
): string {
  if (known === 0) return 'No cell has a value.';
  if (min === max) return `All ${cells(known)} have the value ${value(min ?? null)}.`;
  const range = `${what} go from ${value(min ?? null)} to ${value(max ?? null)}`;
  return low === min && high === max
    ? `${range}.`
    : `${range}, and the colours cover ${value(low ?? null)} to ${value(high ?? null)}.`;
}

/** `3 cells have no value.` as a caution, where there are any. */
export function someCells(count: number, [one, many]: readonly [string, string], said: string): string[] {
  return count > 0 ? [`${cells(count)} ${count === 1 ? one : many} ${said}`] : [];
}

/** Cells that a map leaves out because it was asked to. */
export function hiddenCells(left: z.output<typeof hidden>): number {
  return left === undefined ? 0 : left.cells + left.missing;
}

/** The same in words. */
export function hiddenWords(left: z.output<typeof hidden>): string[] {
  return someCells(hiddenCells(left), ['is', 'are'], 'hidden, as was asked for.');
}

/** What the order of drawing means for who looks at the colours of a map. */
export function orderWords(order: DrawOrder | undefined): string[] {
  if (order === 'shuffled')
    return ['Where cells overlap, which of them is seen does not depend on its value.'];
  if (order !== 'expressing-on-top') return [];
  return [
    'Cells that express the gene lie on top of the others; which of them is seen where they overlap does not depend on its value.',
  ];
}

/** ` (unit)`; nothing where there is none, or where it is the name of the column that the title is of. */
export function inUnit(unit: string, title?: string): string {
  const isTitle = unit === title || columnTitle(unit) === title;
  return unit === '' || isTitle ? '' : ` (${unit.replaceAll(' · ', ', ')})`;
}

// `toLocaleString` would make one for each number.
const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `12,345`. */
export function whole(value: number): string {
  return wholeNumbers.format(value);
}

/** Three digits, as figures write them: `0.125`, `12,300`, `1.2e−9`; a dash where there is no number. */
export function value(given: number | null): string {
  return given === null || !Number.isFinite(given) ? '–' : valueText(given);
}

/** The same of a p-value; one that is too small for a number is `< 2.2e−308`. */
export function pValue(given: number | null): string {
  return given !== null && given < minPValue ? `< ${valueText(minPValue)}` : value(given);
}

/** As a number among others: one of 0 would be taken at its word. */
export function sentP(given: number | null): number | string | null {
  return given !== null && given < minPValue ? pValue(given) : given;
}

/** `1 cell`, `12 cells`. */
export function cells(count: number): string {
  return counted(count, 'cell');
}

/** `1 group`, `12 groups`, `2 categories`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${whole(count)} ${count === 1 ? noun : plural}`;
}

/** Groups that a figure leaves out for want of room. */
export function smallerLeftOut(groups: number): string[] {
  return groups > 0
    ? [`${counted(groups, 'smaller group')} ${groups === 1 ? 'is' : 'are'} not in the figure.`]
    : [];
}

/** The first of so many: `a, b and others`, or `a, b and c` where these are all. */
export function listedSome(words: readonly string[], all: number): string {
  return words.length < all ? `${words.join(', ')} and others` : listed(words);
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}
