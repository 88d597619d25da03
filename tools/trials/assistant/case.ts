import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase, BenchContext } from '../../../bench/src/bench-context.ts';
import { mean, type Result, sum, type Unit } from '../../../bench/src/measure/result.ts';
import { evaluate, startEvaluationServer } from './evaluate.ts';
import { isAnswerable, isTrap, isUnanswerable, type Question } from './question.ts';
import { questions } from './questions.ts';
import { isGood, type Score } from './score.ts';
import { scriptedModels, serveScripted } from './scripted-models.ts';

/** Questions with known answers, put to the assistant of a server. */
export const assistantCase: BenchCase = {
  name: 'assistant',
  title: `${questions.length} questions on simulated data, put to the assistant: right, refused, trap told`,
  async run(context) {
    const model = process.env['AI_PROVIDER'];
    const outcomes = [];
    if (model !== undefined && model !== '') {
      const { AI_MODEL: name = '' } = process.env;
      const scores = await scoresOf(context, 'model', {});
      outcomes.push(summaryOf(`${model} ${name}`, `the model ${name} of ${model}`, scores));
    } else {
      for (const [name, one] of Object.entries(scriptedModels)) {
        const server = await serveScripted(one);
        const settings = {
          AI_PROVIDER: 'openai-compatible',
          AI_MODEL: name,
          AI_BASE_URL: server.url,
          AI_API_KEY: '',
          AI_PRICE: '',
        };
        const scores = await scoresOf(context, name, settings).finally(() => server.close());
        outcomes.push(
          summaryOf(`${name}, no model`, `${one.about}: this measures ${one.measures}`, scores, {
            isScripted: true,
          }),
        );
      }
    }
    return {
      results: outcomes.flatMap(({ results }) => results),
      notes: outcomes.flatMap(({ notes }) => notes),
    };
  },
};

/** @param settings of the model, besides those of the environment */
async function scoresOf(
  { scratch, report }: BenchContext,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<Score[]> {
  const dataDir = join(scratch, `assistant-${name}`);
  await rm(dataDir, { recursive: true, force: true });
  const server = await startEvaluationServer(dataDir, settings, questions.length);
  const onScore = ({ outcome, question }: Score, at: number) =>
    report(`  ${name}: ${at + 1} of ${questions.length}: ${outcome}: ${question.question}`);
  try {
    return await evaluate(server, questions, { onScore });
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @param about what planned and answered */
function summaryOf(
  run: string,
  about: string,
  scores: readonly Score[],
  { isScripted = false }: { isScripted?: boolean } = {},
): { results: Result[]; notes: string[] } {
  const result = (quantity: string, unit: Unit, ours: readonly number[]): Result => ({
    quantity: `${run}: ${quantity}`,
    unit,
    ours,
  });
  const share = (quantity: string, isOf: (question: Question) => boolean, isSo = isGood) => {
    const of = scores.filter(({ question }) => isOf(question));
    return result(`${quantity}, of ${of.length}`, 'share', [mean(of.map((score) => Number(isSo(score))))]);
  };
  const traced = sum(scores.map((score) => score.traced));
  const numbers = traced + sum(scores.map((score) => score.untraced));
  const each = (of: (score: Score) => number | undefined) => scores.flatMap((score) => of(score) ?? []);
  const cost = each((score) => score.cost);
  const struck = sum(scores.map((score) => score.struck));
  return {
    results: [
      share('right', isAnswerable),
      share('refused, unanswerable', isUnanswerable),
      share('trap told or avoided', isTrap),
      share('trap avoided', isTrap, ({ outcome }) => outcome === 'avoided'),
      share(
        'failed',
        () => true,
        ({ outcome }) => outcome === 'failed',
      ),
      result(`numbers that are references, of ${numbers}`, 'share', numbers === 0 ? [] : [traced / numbers]),
      result(`sentences left out, of ${struck + sum(scores.map((score) => score.sentences))}`, 'sentences', [
        struck,
      ]),
      result(
        'steps of a plan',
        'steps',
        each(({ steps }) => (steps > 0 ? steps : undefined)),
      ),
      // A program has no tokens.
      ...(isScripted
        ? []
        : [
            result(
              'tokens of a question',
              'tokens',
              each((score) => score.tokens),
            ),
          ]),
      result(
        'a question',
        's',
        each((score) => score.seconds),
      ),
    ],
    notes: [
      `${run}: ${about}`,
      ...(isScripted || cost.length === 0
        ? []
        : [`${run}: all questions cost ${sum(cost).toFixed(2)} by the price of AI_PRICE`]),
      ...(isScripted ? [] : scores.filter((score) => !isGood(score))).map(
        ({ question, outcome }) => `${run}: ${outcome}: ${question.question}`,
      ),
    ],
  };
}
