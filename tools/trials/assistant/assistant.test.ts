import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planProblems, type RunEvent } from '@cellfolio/assistant';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { loadPlanTools } from '@cellfolio/server/testing/plan-tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate, type EvaluationServer, startEvaluationServer } from './evaluate.ts';
import {
  cellsIn,
  isAnswerable,
  isTrap,
  isUnanswerable,
  type Question,
  type Trap,
  type Unanswerable,
} from './question.ts';
import { questions } from './questions.ts';
import { isGood, type Score, scoreOf, shownNumber } from './score.ts';
import { scriptedModels, scriptOf, serveScripted } from './scripted-models.ts';
import { factsOf, simulateStudy, type Study, type StudyName, studyNames } from './studies.ts';

const traps = questions.filter(isTrap);
const studies = new Map(studyNames.map((name) => [name, simulateStudy(name)]));
const study = studies.get('cohort')!;

function namesWhatIsMissing(question: Question): question is Unanswerable {
  return isUnanswerable(question) && ['gene', 'group', 'column'].includes(question.cannot);
}

describe('the questions', () => {
  test('are a hundred that differ: 25 without an answer, 15 with a trap', () => {
    expect(new Set(questions.map(({ question }) => question.toLowerCase())).size).toBe(100);
    expect([questions.filter(isUnanswerable).length, traps.length]).toEqual([25, 15]);
    expect(Math.max(...questions.map(({ question }) => question.length))).toBeLessThan(1000);
  });

  test('have plans that fit the tools and the data, but those on what is not there', async () => {
    const tools = await loadPlanTools();
    const problemsOf = ({ steps, dataset }: Question) => {
      const named = steps.map((step, at) => Object.assign({ id: `s${at + 1}`, purpose: '' }, step));
      return planProblems({ steps: named, cannot: null }, tools, factsOf(studies.get(dataset)!));
    };
    const possible = questions.filter((one) => !isUnanswerable(one));
    expect(possible.flatMap(problemsOf)).toEqual([]);
    const missing = questions.filter(namesWhatIsMissing);
    expect(missing.filter((one) => problemsOf(one).length === 0)).toEqual([]);
  });
});

test('the studies have what their traps are about, and the first has none of it', () => {
  const of = (name: StudyName) => {
    const one = studies.get(name)!;
    const cells = (some: Parameters<typeof cellsIn>[1]) => cellsIn(one, some).length;
    const depth = (condition: string) => {
      const those = cellsIn(one, { condition });
      return those.reduce((sum, cell) => sum + one.totals[cell]!, 0) / those.length;
    };
    return {
      mixedBatches: ['run A', 'run B'].filter(
        (batch) => cells({ batch, condition: 'treated' }) > 0 && cells({ batch, condition: 'control' }) > 0,
      ).length,
      monocytes:
        cells({ cell_type: 'Monocyte', condition: 'treated' }) /
        cells({ cell_type: 'Monocyte', condition: 'control' }),
      isShallow: depth('treated') < 0.5 * depth('control'),
      donorsOfPlasma: new Set(
        cellsIn(one, { cell_type: 'Plasma cell' }).map((cell) => one.labels.donor[cell]!),
      ).size,
    };
  };
  const none = { mixedBatches: 2, monocytes: 1, isShallow: false, donorsOfPlasma: 8 };
  expect(of('cohort')).toEqual(none);
  expect(of('confounded')).toEqual({ ...none, mixedBatches: 0 });
  expect(of('shifted')).toEqual({ ...none, monocytes: 4 });
  expect(of('shallow')).toEqual({ ...none, isShallow: true });
  expect(of('clumped')).toEqual({ ...none, donorsOfPlasma: 1 });
  expect(of('pair')).toEqual({ ...none, mixedBatches: 0, donorsOfPlasma: 2 });
});

const usage = { input_tokens: 1, output_tokens: 2 };
const result: RunEvent = {
  kind: 'result',
  step: 's1',
  tool: 'describe_dataset',
  result: { warnings: [{ code: 'batch-confounded', message: 'No batch has both.' }] },
  calls: [],
};
type Part = Extract<RunEvent, { kind: 'sentence' }>['parts'][number];
const value = (text: string): Part => ({ value: text, step: 's1', path: '/x' });

/** An answer of these parts, or a refusal without. */
function scored(question: Question, parts?: readonly Part[], of: Study = study): Score {
  const steps = parts ? [{ id: 's1', tool: 'x', arguments: {}, purpose: '' }] : [];
  const plan = { plan: { steps, cannot: parts ? null : 'No.' }, usage };
  if (!parts) return scoreOf(question, of, { plan, seconds: 1 });
  const events: RunEvent[] = [
    result,
    { kind: 'sentence', parts: [...parts] },
    { kind: 'end', struck: 2, usage },
  ];
  return scoreOf(question, of, { plan, events, seconds: 1 });
}
const questionOf = (text: string) => questions.find(({ question }) => question.includes(text))!;

describe('the score', () => {
  const bCells = questionOf('Count the B cells');
  const truth = String(cellsIn(study, { cell_type: 'B cell' }).length);
  test('of a number is right for the true one, and wrong for another, none, or one among many', () => {
    expect(scored(bCells, [{ text: 'There are ' }, value(truth)]).outcome).toBe('right');
    expect(scored(bCells, [value(String(Number(truth) + 1))]).outcome).toBe('wrong');
    expect(scored(bCells, [{ text: `There are ${truth}.` }]).outcome).toBe('wrong');
    expect(scored(bCells, ['1', '2', '3', '4', '5', truth].map(value)).outcome).toBe('wrong');
    expect(scored(bCells).outcome).toBe('refused');
  });

  test('of a name is that of the first one in the answer', () => {
    const rarest = questionOf('rarest');
    const text = (of: string): Part[] => [{ text: of }];
    expect(scored(rarest, text('Plasma cells are rarer than NK cells.')).outcome).toBe('right');
    expect(scored(rarest, text('NK cells are rarer than plasma cells.')).outcome).toBe('wrong');
    expect(scored(rarest, text('All are alike.')).outcome).toBe('wrong');
  });

  test('of a question without an answer is good for a refusal alone', () => {
    const survival = questionOf('live longest');
    expect([scored(survival), scored(survival, [value('7')])].map(isGood)).toEqual([true, false]);
  });

  test('of a trap is good if the answer has its caution, by a reference or by code, or if the plan avoids it', () => {
    const { without: _, avoidedBy: __, ...rest } = questionOf('What does the treatment change here?') as Trap;
    const trap: Trap = { ...rest, without: {}, avoidedBy: { method: ['wilcoxon'] } };
    expect(scored(trap, [value('No batch has both.')]).outcome).toBe('told');
    expect(scored(trap, [{ text: 'All is well.' }]).outcome).toBe('untold');
    const plan = (method: string) => ({
      plan: { steps: [{ id: 's1', tool: 'x', arguments: { method }, purpose: '' }], cannot: null },
      usage,
    });
    const end: RunEvent = { kind: 'end', struck: 0, usage };
    const of = (method: string, events: readonly RunEvent[]) =>
      scoreOf(trap, study, { plan: plan(method), events, seconds: 1 }).outcome;
    const caution: RunEvent = { kind: 'caution', step: 's1', code: 'batch-confounded', message: 'm' };
    expect(of('t-test', [caution, end])).toBe('told');
    expect([of('wilcoxon', [end]), of('t-test', [end])]).toEqual(['avoided', 'untold']);
    expect(of('wilcoxon', [])).toBe('failed');
  });

  test('counts numbers that are no references, but not those of names', () => {
    const score = scored(bCells, [{ text: 'CD8A of D3 in cluster 2 is 4.5 times ' }, value('3.1 %')]);
    expect([score.traced, score.untraced, score.struck, score.tokens]).toEqual([1, 1, 2, 6]);
    expect(['1,234', '−0.52', '1.20e−5', '31.2 %', '< 0.1 %', 'CD8A'].map(shownNumber)).toEqual([
      1234,
      -0.52,
      1.2e-5,
      0.312,
      0.001,
      undefined,
    ]);
  });
});

describe('on a server', () => {
  let folder: string;
  let server: EvaluationServer;
  let model: Awaited<ReturnType<typeof serveScripted>>;
  const careless = questions.filter((one, at) => isUnanswerable(one) || at % 5 === 0);
  const controls = traps.map((trap): Question => Object.assign({}, trap, trap.without));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellfolio-evaluation-'));
    await copyTestDatabase(folder);
    model = await serveScripted(scriptedModels.scripted);
    const settings = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'scripted', AI_BASE_URL: model.url };
    server = await startEvaluationServer(folder, { ...settings, COMPUTE_THREADS: '1' }, 200);
  });
  afterAll(async () => {
    await server?.stop();
    await model?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the declared plans give the true answers, and the cautions of all traps', async () => {
    const halves = [
      evaluate(server, questions.slice(0, 50)),
      evaluate(server, questions.slice(50), { from: 2 }),
    ];
    const scores = (await Promise.all(halves)).flat();
    const bad = scores.filter((one) => !isGood(one) || one.outcome === 'avoided');
    expect(bad.map(({ outcome, question }) => [outcome, question.question])).toEqual([]);
    expect(scores.reduce((sum, { untraced, struck }) => sum + untraced + struck, 0)).toBe(0);
  });

  test('without the trap there is no such caution', async () => {
    model.script = scriptOf(scriptedModels.scripted, controls);
    const scores = await evaluate(server, controls, { from: 4 });
    const bad = scores.filter(({ outcome }) => outcome !== 'untold' && outcome !== 'avoided');
    expect(bad.map(({ outcome, question }) => [outcome, question.question])).toEqual([]);
  });

  test('a careless program brings in no number, and leaves out no caution; what no code can check it answers', async () => {
    model.script = scriptOf(scriptedModels.careless);
    const scores = await evaluate(server, careless, { from: 5 });
    expect(scores.reduce((sum, { untraced }) => sum + untraced, 0)).toBe(0);
    expect(
      Math.min(...scores.filter(({ sentences }) => sentences > 0).map(({ struck }) => struck)),
    ).toBeGreaterThanOrEqual(6);
    const of = (is: (question: Question) => boolean) => scores.filter(({ question }) => is(question));
    expect(of(isTrap).map(({ outcome }) => outcome)).toEqual(['told', 'told', 'told']);
    expect(of(isAnswerable).filter(isGood)).toEqual([]);
    const named = of(namesWhatIsMissing);
    expect(named.filter((one) => !isGood(one))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(14);
    const unchecked = of((one) => isUnanswerable(one) && ['cause', 'other data'].includes(one.cannot));
    expect(unchecked.map(({ outcome }) => outcome)).toEqual(unchecked.map(() => 'answered'));
  });

  test('a model that fails is no refusal', async () => {
    model.instead = (response) => void response.writeHead(400).end('{}');
    const [score] = await evaluate(server, questions.filter(isUnanswerable).slice(0, 1), { from: 7 });
    expect([score!.outcome, isGood(score!)]).toEqual(['failed', false]);
  });
});
