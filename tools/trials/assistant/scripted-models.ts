import { planByRules } from '@cellfolio/assistant';
import { type ModelServer, startModelServer } from '@cellfolio/server/testing/model-server';
import { isAnswerable, type Question } from './question.ts';
import { questions } from './questions.ts';
import { factsOf, simulateStudy } from './studies.ts';

/** A program in the place of a model, which knows the questions: it tests the evaluation and the guard of the server. */
export interface ScriptedModel {
  readonly about: string;
  readonly measures: string;
  readonly plan: (question: Question) => object;
  readonly write: (question: Question) => string;
}

const planned = ({ steps }: Question) => ({
  steps: steps.map((step, at) => Object.assign({ id: `s${at + 1}`, purpose: 'It answers.' }, step)),
  cannot: null,
});

const measures = 'the evaluation and the guard of the server, not a model';

export const scriptedModels = {
  /** Leaves cautions to code, as the prompt says. */
  scripted: {
    about: 'a program that plans and answers by the declarations',
    measures,
    plan: (question) =>
      'cannot' in question
        ? { steps: [], cannot: `This cannot be answered: ${question.cannot}.` }
        : planned(question),
    write: (question) =>
      isAnswerable(question) ? `The answer is [[s1:${question.truth.at}]].` : 'The steps have been run.',
  },
  rules: {
    about: 'the rules of the question box, and references of the declarations',
    measures: 'how many of the questions, which were written for a model, the rules plan',
    plan: ({ question, dataset }) => planByRules(question, factsOf(simulateStudy(dataset))),
    write: (question) =>
      isAnswerable(question) ? `The answer is [[s1:${question.truth.at}]].` : 'The steps have been run.',
  },
  careless: {
    about:
      'a program that never refuses, not even to mend its plan, invents numbers and genes, refers to other values and leaves cautions out',
    measures,
    plan: planned,
    write: () =>
      [
        'About 42.7 % of the cells do.',
        'It is twelve times higher, with a p-value of 0.003.',
        'Half of the donors agree.',
        'BRCAQ leads all genes.',
        'Its score is [[s1:/rows/0/no_such_column]].',
        'The fold change is 2[[s1:/rows/0/pvals_adj]].',
        'No caution applies.',
        'It is [[s1:/rows/0/pvals_adj]].',
      ].join(' '),
  },
} satisfies Readonly<Record<string, ScriptedModel>>;

/** The text of a program for the body of a request of the server. */
export function scriptOf(
  { plan, write }: ScriptedModel,
  all: readonly Question[] = questions,
): NonNullable<ModelServer['script']> {
  const byText = new Map(all.map((one) => [one.question, one]));
  return ({ messages, stream }) => {
    const [, user] = messages as readonly { readonly content: string }[];
    const question = byText.get(user!.content.split('\n\nThe biologist asks: ').at(-1)!);
    if (!question) return '';
    return stream === true ? write(question) : JSON.stringify(plan(question));
  };
}

/** Serves a program by the protocol of openai-compatible providers. */
export async function serveScripted(model: ScriptedModel): Promise<ModelServer> {
  const server = await startModelServer();
  server.script = scriptOf(model);
  return server;
}
