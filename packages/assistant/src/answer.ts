import { countText, minPValue, percentText } from '@cellfolio/model';
import { type ProseNames, type ProseProblem, proseNames, proseProblem } from './written-numbers.ts';

/** The result of a step as a model reads it and as references point into it. */
export interface StepResult {
  readonly step: string;
  /** Fields of the result; `rows` are objects by the names of their columns, the columns are in `columns`. */
  readonly view: object;
  readonly cautions: readonly { readonly code: string; readonly message: string }[];
}

/** `value` was filled in by code from the `path` in the result of `step`. */
export type AnswerPart =
  | { readonly text: string }
  | { readonly value: string; readonly step: string; readonly path: string };

/** Why a sentence of the model was left out. */
export type Strike = ProseProblem | 'reference' | 'length';

export type AnswerEvent =
  | { readonly kind: 'sentence'; readonly parts: readonly AnswerPart[] }
  | { readonly kind: 'struck'; readonly reason: Strike };

export interface ToolTable {
  readonly columns: readonly { readonly name: string; readonly title: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly total_rows: number;
}

const maxSentence = 1500;
const maxText = 300;
const maxSentences = 60;
const reference = /\[\[\s*(s\d):\s*(\/[^\]]*?)\s*\]\]/g;
/** Full stops that end no sentence: of abbreviations, initials and the number of an entry of a list. */
const abbreviation = /(?:^\s*\d{1,2}\.|\b(?:e\.g|i\.e|vs|cf|approx|resp|Fig|al|incl|ca)\.|\b\p{Lu}\.)$/u;
/** Before or behind a value these would make another number of it. */
const changesBefore =
  /(?:[\p{L}\p{N}_.,^*/×+-]|[−–—±√]|\b(?:minus|plus|negative|times|per|hundred|thousand|million)\s*)$/iu;
const changesBehind =
  /^(?:[\p{L}\p{N}_^*/×%‰°[({]|[.,:–—−-][\p{L}\p{N}[(]|\s*(?:%|‰|×|\*|\^|[-–]?fold\b|times\b|[kmx]\b|percent|per cent|per mille|of a percent|hundred|thousand|million|billion|dozen|squared|cubed|e[+-]?\d))/iu;

/** The fields of a result; a table has its rows as objects, so that references name columns. */
export function resultView(data: object): object {
  const { table, ...fields } = data as { table?: ToolTable };
  if (!table) return fields;
  const names = table.columns.map(({ name }) => name);
  return {
    columns: table.columns,
    rows: table.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    total_rows: table.total_rows,
    ...fields,
  };
}

export type ColumnKind = 'text' | 'genes' | 'share' | 'p-value' | 'count' | 'number';

export interface AnswerContext {
  readonly results: readonly StepResult[];
  /** Names of columns, groups and genes of the dataset, besides those of the results. */
  readonly names: Iterable<string>;
  /** The kind of a column of the table of a step; undefined for other fields. */
  readonly kindOf: (step: string, column: string) => ColumnKind | undefined;
}

/**
 * Reads an answer of a model as it arrives, sentence by sentence. A number can only be a reference `[[s1:/rows/0/scores]]`:
 * the path of a value in the result of a step, in which `name=value` picks the only element whose field has that value. A
 * sentence that has a number of its own, a reference that leads to no value, or a gene that nothing has is left out.
 */
export class AnswerReader {
  readonly #context: AnswerContext;
  readonly #names: ProseNames;
  readonly #values = new Set<string>();
  #text = '';
  #sentences = 0;

  constructor(context: AnswerContext) {
    this.#context = context;
    const { names, results } = context;
    this.#names = proseNames([...names, ...results.flatMap(({ view }) => textsIn(view))]);
  }

  /** The sentences that `piece` completes. */
  *push(piece: string): Generator<AnswerEvent> {
    this.#text += piece;
    for (;;) {
      const end = endOfSentence(this.#text);
      if (end === undefined) break;
      yield* this.#sentence(this.#text.slice(0, end));
      this.#text = this.#text.slice(end);
    }
    if (this.#text.length > 2 * maxSentence) this.#text = this.#text.slice(-maxSentence - 1);
  }

  /** The last sentence, which needs no full stop. */
  *end(): Generator<AnswerEvent> {
    yield* this.#sentence(this.#text);
    this.#text = '';
  }

  /** Cautions of the results that no sentence referred to, each once. */
  cautions(): readonly { readonly step: string; readonly code: string; readonly message: string }[] {
    const all = this.#context.results.flatMap(({ step, cautions }) =>
      cautions.map(({ code, message }) => ({ step, code, message })),
    );
    return all.filter(
      ({ message }, at) =>
        !this.#values.has(message) && all.findIndex((other) => other.message === message) === at,
    );
  }

  *#sentence(text: string): Generator<AnswerEvent> {
    const sentence = text.trim().replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '');
    if (!/[\p{L}\p{N}]/u.test(sentence)) return;
    if (this.#sentences++ >= maxSentences || sentence.length > maxSentence) {
      yield { kind: 'struck', reason: 'length' };
      return;
    }
    const parts = this.#partsOf(sentence);
    if (typeof parts === 'string') {
      yield { kind: 'struck', reason: parts };
      return;
    }
    for (const part of parts) if ('value' in part) this.#values.add(part.value);
    yield { kind: 'sentence', parts };
  }

  #partsOf(sentence: string): readonly AnswerPart[] | Strike {
    const parts: AnswerPart[] = [];
    let prose = '';
    let from = 0;
    for (const match of sentence.matchAll(reference)) {
      const [whole, step = '', path = ''] = match;
      const before = sentence.slice(from, match.index);
      const behind = sentence.slice(match.index + whole.length);
      const filled = this.#valueAt(step, path);
      if (filled === undefined) return 'reference';
      const { isNumber } = filled;
      const isRange = from > 0 && before === '–';
      const trailing = filled.isPercent ? (/^\s*(?:%|percent\b|per cent\b)/i.exec(behind)?.[0] ?? '') : '';
      if (isNumber && !isRange && changesBefore.test(textBefore(before, from > 0))) return 'number';
      const isRangeNext = behind.startsWith('–[[');
      if (isNumber && !isRangeNext && changesBehind.test(behind.slice(trailing.length))) return 'number';
      if (before !== '') parts.push({ text: before });
      parts.push({ value: filled.text, step, path });
      prose += `${isRange ? ' ' : before} … `;
      from = match.index + whole.length + trailing.length;
    }
    const rest = sentence.slice(from);
    if (rest !== '') parts.push({ text: rest });
    if (/\[\[|\]\]/.test(`${prose}${rest}`)) return 'reference';
    return proseProblem(`${prose}${rest}`, this.#names) ?? parts;
  }

  #valueAt(step: string, path: string): { text: string; isNumber: boolean; isPercent: boolean } | undefined {
    const result = this.#context.results.find((one) => one.step === step);
    if (!result) return undefined;
    const segments = pathSegments(path);
    const value = segments.reduce<unknown>(member, result.view);
    const kind = segments[0] === 'rows' ? this.#context.kindOf(step, segments.at(-1)!) : undefined;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return undefined;
      return { text: numberText(value, kind), isNumber: true, isPercent: kind === 'share' };
    }
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    const isCaution = result.cautions.some(({ message }) => message === value);
    if (value.length > maxText && !isCaution) return undefined;
    return { text: value, isNumber: false, isPercent: false };
  }
}

/** The text in front of a value; with blanks alone, the value before it would read as its first digits. */
function textBefore(before: string, isBehindValue: boolean): string {
  return isBehindValue && before.trim() === '' ? '0' : before;
}

/** Segments of a path in a result. */
export function pathSegments(path: string): string[] {
  return path
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Position of the element that a segment names, by its place or by values of its fields; undefined without a single one. */
export function elementPlace(elements: readonly unknown[], segment: string): number | undefined {
  if (/^\d{1,6}$/.test(segment)) return Number(segment);
  const conditions = segment.split(/&(?=[\w.-]+=)/).map((one) => /^([\w.-]+)=(.*)$/s.exec(one));
  const fits = elements.flatMap((element, at) =>
    conditions.every((condition) => condition && String(member(element, condition[1]!)) === condition[2])
      ? [at]
      : [],
  );
  return fits.length === 1 ? fits[0] : undefined;
}

function member(value: unknown, segment: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return Object.hasOwn(value, segment) ? Reflect.get(value, segment) : undefined;
  const place = elementPlace(value, segment);
  return place === undefined ? undefined : value[place];
}

/** As tables show it: shares in percent, p-values by their power of ten, other numbers with three digits. */
export function numberText(value: number, kind: ColumnKind | undefined): string {
  if (kind === 'share') return percentText(value);
  if (kind === 'p-value' && value === 0) return `< ${minPValue.toPrecision(2)}`;
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return signed(countText(value));
  const size = Math.abs(value);
  if (size < 0.001 || size >= 1e6) return signed(value.toExponential(2));
  return signed(size >= 1000 ? countText(Math.round(value)) : String(Number(value.toPrecision(3))));
}

function signed(text: string): string {
  return text.replaceAll('-', '−');
}

/** Position behind the first sentence and the blank that follows it; undefined where more has to come. */
function endOfSentence(text: string): number | undefined {
  const ends = /\[\[[^\]\n]*\]\]|\n|[.!?]["')\]”’]?(?=\s)/g;
  for (const { 0: end, index } of text.matchAll(ends)) {
    if (end.startsWith('[[')) continue;
    const at = index + end.length;
    if (end === '\n' || !abbreviation.test(text.slice(0, index + 1))) return at;
  }
  return undefined;
}

/** Texts of a result, which may be names; those of columns too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= maxText ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap(textsIn)
    : [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}
