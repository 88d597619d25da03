import type { FencedData } from '../../runtime/fenced-data.ts';

/** All texts that a model is told. @module */

export interface Prompt {
  readonly instructions: string;
  readonly text: string;
}

const reader = 'You help a biologist who looks at one single-cell RNA dataset.';

export function planPrompt({
  question,
  tools,
  dataset: { notice, text },
  maxSteps,
}: {
  readonly question: string;
  /** As JSON. */
  readonly tools: string;
  readonly dataset: FencedData;
  readonly maxSteps: number;
}): Prompt {
  return {
    instructions: [
      `${reader} Plan which tools answer the question. You do not answer it yourself.`,
      `Write one JSON object and nothing else: {"steps": [{"id": "s1", "tool": "…", "arguments": {…}, "purpose": "…"}], "cannot": null}.`,
      `Use the fewest steps, at most ${maxSteps}, called s1, s2 and so on. Each is one call of a tool; \`purpose\` says in one sentence what it answers.`,
      'Leave out arguments whose default fits. The dataset and the active cells are added to each call: do not name them.',
      'Spell columns, groups and genes as the data does. A part of a filter counts only with its flag, as cell_type with "cell_type_filter": true.',
      'Where samples are known, compare conditions by samples (method pseudobulk), not by cells.',
      'Where the tools or the data cannot answer, write no steps, and in `cannot` one sentence that says why.',
      notice,
      `Tools: ${tools}`,
    ].join('\n'),
    text: `${text}\n\nThe biologist asks: ${question}`,
  };
}

export function mendPrompt({ notice, text }: FencedData): string {
  return `The plan cannot be run. Write the whole JSON object again without these problems, or say in \`cannot\` why it is impossible. ${notice}\n${text}`;
}

export function answerPrompt({
  question,
  results: { notice, text },
}: {
  readonly question: string;
  readonly results: FencedData;
}): Prompt {
  return {
    instructions: [
      `${reader} Answer the question by the results of the steps alone, in English, in plain sentences: at most 150 words, no headings, no tables, no lists with numbers.`,
      'Never write a number, in digits or in words, not even one, two, half or twice. Where a number belongs, write a reference to a value of a result, which is filled in: [[s1:/rows/0/scores]] is the column scores of the first row of step s1. In place of a position, name=value picks the element that has it: [[s1:/rows/names=CD8A/scores]], [[s1:/rows/group=T cell&names=CD8A/pvals]].',
      'A reference is a whole value: write no digit, sign, percent sign or unit of ten beside it, and compute nothing. A sentence that breaks these rules is deleted.',
      'Names of genes and groups are written as they are in the results; a name that begins with a digit is a reference too.',
      'Name no gene that is not in the results. Do not repeat warnings: they are shown below your answer; do not claim more than they allow.',
      'Say so where the results do not answer the question.',
      notice,
    ].join('\n'),
    text: `${text}\n\nThe biologist asks: ${question}`,
  };
}
