import { type PlanAnswer, type RunEvent } from '@cellfolio/assistant';
import { type Question, isAnswerable, isUnanswerable, type NameTruth, type NumberTruth } from './question.ts';
import { cellTypes, genes, type Study } from './studies.ts';

/** The exchange about one question. */
export interface Exchange {
  /** Absent where the model gave none. */
  readonly plan?: Pick<PlanAnswer, 'plan' | 'usage'>;
  /** Absent where the plan has no steps. */
  readonly events?: readonly RunEvent[];
  readonly seconds: number;
}

/** `avoided`: the plan kept out of the trap. `failed`: the server or the model gave no answer. */
export type Outcome = 'right' | 'wrong' | 'refused' | 'answered' | 'told' | 'avoided' | 'untold' | 'failed';

export interface Score {
  readonly question: Question;
  readonly outcome: Outcome;
  /** Numbers of the answer that are references, and others. */
  readonly traced: number;
  readonly untraced: number;
  readonly sentences: number;
  readonly struck: number;
  readonly steps: number;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly seconds: number;
}

/** An answer with more numbers does not answer a question for one, even if the true one is among them. */
const maxNumbers = 5;

type Part = Extract<RunEvent, { kind: 'sentence' }>['parts'][number];

export function scoreOf(question: Question, study: Study, { plan, events = [], seconds }: Exchange): Score {
  const sentences = events.flatMap((event) => (event.kind === 'sentence' ? [event.parts] : []));
  const end = events.find((event) => event.kind === 'end');
  const usages = [plan?.usage, end?.usage].flatMap((usage) => usage ?? []);
  const parts = sentences.flat();
  return {
    question,
    outcome: plan ? outcomeOf(question, study, { plan: plan.plan, events, parts }) : 'failed',
    ...tracedNumbers(parts, study),
    sentences: sentences.length,
    struck: end?.struck ?? 0,
    steps: plan?.plan.steps.length ?? 0,
    tokens: total(usages.map((one) => (one.input_tokens ?? NaN) + (one.output_tokens ?? NaN))),
    cost: total(usages.map((one) => one.cost?.amount ?? NaN)),
    seconds,
  };
}

function total(numbers: readonly number[]): number | undefined {
  const sum = numbers.reduce((all, one) => all + one, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

interface Answer {
  readonly plan: PlanAnswer['plan'];
  readonly events: readonly RunEvent[];
  readonly parts: readonly Part[];
}

function outcomeOf(question: Question, study: Study, { plan, events, parts }: Answer): Outcome {
  const isRefused = plan.steps.length === 0;
  if (isUnanswerable(question)) return isRefused ? 'refused' : 'answered';
  if (!isRefused && !events.some(({ kind }) => kind === 'end')) return 'failed';
  if (isAnswerable(question)) {
    if (isRefused) return 'refused';
    const { truth } = question;
    const isRight =
      truth.kind === 'number'
        ? hasNumber(parts, truth, study)
        : firstName(parts, truth) === truth.value(study);
    return isRight ? 'right' : 'wrong';
  }
  if (tellsCaution(events, parts, question.caution)) return 'told';
  const choices = Object.entries(question.avoidedBy ?? {});
  const isAvoided = choices.some(([argument, values]) =>
    plan.steps.some((step) => values.some((value) => step.arguments[argument] === value)),
  );
  return isRefused ? 'refused' : isAvoided ? 'avoided' : 'untold';
}

function hasNumber(parts: readonly Part[], { value, tolerance }: NumberTruth, study: Study): boolean {
  const numbers = parts.flatMap((part) => ('value' in part ? (shownNumber(part.value) ?? []) : []));
  const truth = value(study);
  // Numbers of 1,000 or less are shown with three digits, or all of them if whole.
  const room = tolerance + (Number.isInteger(truth) ? 0 : 0.0051 * Math.abs(truth));
  return numbers.length <= maxNumbers && numbers.some((one) => Math.abs(one - truth) <= room + 1e-9);
}

/** The first of the names that an answer has: a reader takes it for the answer. */
function firstName(parts: readonly Part[], { among }: NameTruth): string | undefined {
  const text = textOf(parts);
  const places = among.flatMap((name) => {
    const at = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${name}s?(?![\\p{L}\\p{N}])`, 'iu'));
    return at < 0 ? [] : [{ name, at }];
  });
  return places.toSorted((one, other) => one.at - other.at)[0]?.name;
}

/** By a reference to its message, or added by code. */
function tellsCaution(events: readonly RunEvent[], parts: readonly Part[], code: string): boolean {
  const messages = events.flatMap((event) =>
    event.kind === 'result' ? warningsOf(event.result).filter((one) => one.code === code) : [],
  );
  return (
    events.some((event) => event.kind === 'caution' && event.code === code) ||
    messages.some(({ message }) => parts.some((part) => 'value' in part && part.value === message))
  );
}

function warningsOf({ warnings }: Record<string, unknown>) {
  return (warnings ?? []) as readonly { readonly code: string; readonly message: string }[];
}

const textOf = (parts: readonly Part[]) =>
  parts.map((part) => ('value' in part ? part.value : part.text)).join('');

/** Numbers that are values of results, and digits in the words around them that belong to no name of the dataset. */
function tracedNumbers(parts: readonly Part[], { labels }: Study): Pick<Score, 'traced' | 'untraced'> {
  const names = [...new Set([...genes, ...cellTypes, ...Object.values(labels).flat()])]
    .filter((name) => /\p{L}/u.test(name))
    .toSorted((one, other) => other.length - one.length);
  const named = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names.join('|')}|log2|cluster \\d)(?![\\p{L}\\p{N}])`,
    'giu',
  );
  const words = parts.map((part) => ('value' in part ? ' ' : part.text.replaceAll(named, ' '))).join('');
  return {
    traced: parts.filter((part) => 'value' in part && shownNumber(part.value) !== undefined).length,
    untraced: words.match(/\p{N}[\p{N}.,]*/gu)?.length ?? 0,
  };
}

/** The number that a value is shown as: `1,234`, `−0.52`, `1.20e−5`, `31.2 %`. */
export function shownNumber(text: string): number | undefined {
  const [, digits, percent] = /^(?:[<>] )?([−-]?\d[\d,]*(?:\.\d+)?(?:e[+−-]?\d+)?)( %)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll(',', '').replaceAll('−', '-'));
  return percent === undefined ? value : value / 100;
}

/** Whether the outcome is the one that the question is for. */
export function isGood({ question, outcome }: Pick<Score, 'question' | 'outcome'>): boolean {
  if (isUnanswerable(question)) return outcome === 'refused';
  return isAnswerable(question) ? outcome === 'right' : outcome === 'told' || outcome === 'avoided';
}
