import { cutText, listedNames } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import type { DatasetFacts } from './dataset-facts.ts';
import { maxSteps, type Plan } from './plan.ts';
import { analysisDraft } from './rules/analysis-rules.ts';
import { comparisonDraft } from './rules/comparison-rules.ts';
import { figureDraft, namesFigure } from './rules/figure-rules.ts';
import { geneWords } from './rules/gene-words.ts';
import { nearNames } from './rules/near-names.ts';
import { type Draft, type Reading, readQuestion, wordBefore } from './rules/reading.ts';
import { plainWords } from './rules/words.ts';

export { wordsToLookUp } from './rules/gene-words.ts';

/** Maximum characters of a question: room for a list of genes, and for a name of any length. */
export const maxQuestionLength = 2000;

/** The kinds of questions that rules cover. */
export const questionHelp =
  'Ask for the markers of groups, a comparison of two groups, pathways of genes or groups, composition by a column, cell types of clusters, pseudotime from a group, ligand–receptor pairs, or genes and columns on the map or by group.';

/**
 * A question as a plan, by rules: names of the dataset in it, and words that name an analysis or a figure. A word that
 * is in no step makes the plan empty, and `cannot` names it.
 */
export function planByRules(question: string, facts: DatasetFacts): Plan {
  if (question.trim() === '') return refusal(questionHelp);
  if (question.length > maxQuestionLength)
    return refusal(`A question has at most ${maxQuestionLength} characters.`);
  const reading = readQuestion(question, facts);
  const unclear = ambiguity(reading) ?? geneForCells(reading);
  if (unclear !== undefined) return refusal(unclear);
  const draft = draftOf(reading);
  const unknown = unknownWords(reading);
  if (unknown.length > 0) return refusal(unknownText(reading, unknown, draft === undefined));
  if (draft === undefined) return refusal(questionHelp);
  if ('problem' in draft) return refusal(draft.problem);
  const unused = reading.mentions.filter((one) => !reading.used.has(one));
  if (unused.length > 0) return refusal(unusedText(unused));
  if (draft.steps.length > maxSteps)
    return refusal(`This takes ${draft.steps.length} steps, and a plan has at most ${maxSteps}: name fewer.`);
  return {
    steps: draft.steps.map((step, at) => Object.assign({ id: `s${at + 1}` }, step)),
    cannot: draft.note === undefined ? null : cutText(draft.note, 500),
  };
}

function draftOf(reading: Reading): Draft | undefined {
  if (namesFigure(reading)) return figureDraft(reading);
  return analysisDraft(reading) ?? comparisonDraft(reading) ?? figureDraft(reading);
}

function refusal(why: string): Plan {
  return { steps: [], cannot: cutText(why, 500) };
}

/** Names that differ in punctuation alone, which the question does not write. */
function ambiguity({ mentions, question, words }: Reading): string | undefined {
  for (const one of mentions) {
    if (one.kind !== 'group') continue;
    const [first, second] = one.options.filter(({ column }) => column === one.options[0]!.column);
    if (second === undefined) continue;
    const text = question.slice(words[one.from]!.start, words[one.to - 1]!.end);
    return `“${cutText(text, 80)}” may be ${listedNames([first!.name, second.name], 2, 80)}: write the name as the dataset has it.`;
  }
  return undefined;
}

/** `in CD4 cells` where no group has this name: a gene does not choose cells without a sign. */
function geneForCells(reading: Reading): string | undefined {
  const genes = reading.mentions.filter((one) => one.kind === 'gene' && one.presence === undefined);
  const cells = genes.find((one, at) => {
    const isPlace = at > 0 && ['in', 'within', 'among'].includes(wordBefore(reading, one));
    return isPlace || reading.words[one.to]?.form === 'cell';
  });
  if (cells?.kind !== 'gene') return undefined;
  const text = reading.question.slice(reading.words[cells.from]!.start, reading.words[cells.to - 1]!.end);
  const near = nearNames(text, reading.facts);
  const advice = near.length > 0 ? ` It has ${listedNames(near, 5, 40)}.` : '';
  return `The dataset has no group “${cutText(text, 80)}”.${advice} Write “${cells.gene}+” for the cells that express ${cells.gene}.`;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Runs of words that are no names, not understood, and that may mean something. */
function unknownWords(reading: Reading): Run[] {
  const { words, mentions, understood } = reading;
  const runs: Run[] = [];
  for (const [at, { form }] of words.entries()) {
    if (mentions.some(({ from, to }) => from <= at && at < to)) continue;
    if (!isNameAfterBy(reading, at) && (plainWords.has(form) || understood.has(at))) continue;
    const last = runs.at(-1);
    if (last?.to === at && isOneChunk(reading, at)) runs[runs.length - 1] = { from: last.from, to: at + 1 };
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

/** After `by` stands a column, whatever else the word may mean in a question. */
function isNameAfterBy({ words }: Reading, at: number): boolean {
  return (
    words[at - 1]?.form === 'by' &&
    !['the', 'each', 'every', 'their', 'its', 'group', 'all', 'cell'].includes(words[at]!.form)
  );
}

/** Whether a word follows the one before without punctuation that separates. */
function isOneChunk({ words, question }: Reading, at: number): boolean {
  return !/[,;:()/|]/.test(question.slice(words[at - 1]!.end, words[at]!.start));
}

function unknownText(reading: Reading, unknown: readonly Run[], isUncovered: boolean): string {
  const { question, words, facts } = reading;
  const chunks = geneWords(question);
  const texts = unknown.map(({ from, to }) => {
    const [start, end] = [words[from]!.start, words[to - 1]!.end];
    const chunk = chunks.find((one) => one.start <= start && end <= one.end);
    return chunk?.text ?? question.slice(start, end);
  });
  const unique = [...new Set(texts)];
  const genes = unique.filter((text) => /^(?=.*\p{Lu})(?=.*\p{N})[\p{L}\p{N}.-]+$|^\p{Lu}{3,}$/u.test(text));
  const others = unique.filter((text) => !genes.includes(text));
  const near = unique.flatMap((text) =>
    (facts.similarGenes?.get(text) ?? []).slice(0, 3).concat(nearNames(text, facts)),
  );
  const has = [
    ...(genes.length > 0 ? [`no gene ${quoted(genes)}`] : []),
    ...(others.length > 0 ? [`no gene, group or column ${quoted(others)}`] : []),
  ];
  const advice = near.length > 0 ? ` It has ${listedNames([...new Set(near)], 5, 40)}.` : '';
  const help = isUncovered && near.length + reading.mentions.length === 0 ? ` ${questionHelp}` : '';
  return `The dataset has ${has.join(' and ')}.${advice}${help}`;
}

function quoted(texts: readonly string[]): string {
  return listedNames(
    texts.map((text) => `“${cutText(text, 60)}”`),
    3,
  );
}

function unusedText(unused: Reading['mentions']): string {
  const names = unused.map((one) => {
    if (one.kind === 'group') return one.options[0]!.name;
    return one.kind === 'gene' ? one.gene : columnTitle(one.column);
  });
  return `No step uses ${quoted([...new Set(names)])}. Ask for less at once, or in other words. ${questionHelp}`;
}
