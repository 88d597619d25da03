import {
  genesOfPlan,
  plan as planSchema,
  type Plan,
  planProblems,
  type PlanAnswer,
  type PlanProblem,
  type PlanRequest,
  type PlanTool,
} from '@cellfolio/assistant';
import { fencedData } from '../../runtime/fenced-data.ts';
import { limits } from '../../runtime/limits/limits.ts';
import type { Toolbox } from '../assistant-tools/index.ts';
import { type DatasetWords, describeDataset, type ToolCaller, withGenes } from './dataset-words.ts';
import type { AssistantModel, UsageCount } from './model.ts';
import { mendPrompt, planPrompt } from './prompts.ts';

/** Arguments of tools that code adds to each step. */
const addedByCode = ['dataset', 'cells', 'rows'];

/** Tools whose results an answer can refer to: those of the open dataset, without the arguments that code adds. */
export function planTools({ toolsByName }: Toolbox): ReadonlyMap<string, PlanTool> {
  const ofDataset = [...toolsByName.values()].filter(
    ({ input, scope, meta }) => Object.hasOwn(input.shape, 'dataset') && scope !== 'export' && !meta,
  );
  return new Map(
    ofDataset.map(({ name, input }) => {
      const left = addedByCode.filter((argument) => Object.hasOwn(input.shape, argument));
      return [
        name,
        { name, input: input.omit(Object.fromEntries(left.map((one) => [one, true as const])) as never) },
      ];
    }),
  );
}

/** The tools as a model is told of them, as JSON. */
function toolTexts({ toolsByName, inputSchema }: Toolbox, tools: ReadonlyMap<string, PlanTool>): string {
  return JSON.stringify(
    [...tools.values()].map(({ name, input }) => ({
      name,
      description: toolsByName.get(name)!.description,
      arguments: inputSchema(input),
    })),
  );
}

/** The problems of a plan, and the dataset with the genes that the plan names. Throws ApiFailure. */
export async function checkPlan(
  caller: ToolCaller,
  words: DatasetWords,
  plan: Plan,
): Promise<{ problems: readonly PlanProblem[]; words: DatasetWords }> {
  const tools = planTools(caller.toolbox);
  const withPlan = await withGenes(caller, words, genesOfPlan(plan, tools));
  return { problems: planProblems(plan, tools, withPlan.facts), words: withPlan };
}

interface Planning {
  readonly caller: ToolCaller;
  readonly model: AssistantModel;
  readonly count: UsageCount;
  /** Throws ApiFailure where the dataset may not be sent to the model. */
  readonly admit: (words: DatasetWords) => Promise<void>;
}

/** Has the model plan, and mend its plan once. Throws ApiFailure. */
export async function planQuestion(
  { question, dataset }: PlanRequest,
  { caller, model, count, admit }: Planning,
): Promise<PlanAnswer> {
  const words = await describeDataset(caller, dataset, question);
  await admit(words);
  const prompt = planPrompt({
    question,
    tools: toolTexts(caller.toolbox, planTools(caller.toolbox)),
    dataset: fencedData(words.description),
    maxSteps: limits.assistantSteps.value,
  });
  const attempt = async (text: string) => {
    const read = readPlan(text);
    if ('problem' in read) return { plan: undefined, problems: [read.problem] };
    const { problems } = await checkPlan(caller, words, read.plan);
    return { plan: read.plan, problems };
  };
  const first = await model.write(prompt, [], caller.signal, count);
  let { plan, problems } = await attempt(first);
  if (problems.length > 0) {
    const mend = mendPrompt(fencedData(problems));
    const turns = [
      { role: 'assistant', content: first },
      { role: 'user', content: mend },
    ] as const;
    ({ plan, problems } = await attempt(await model.write(prompt, turns, caller.signal, count)));
  }
  const isUsable = plan !== undefined && problems.length === 0;
  const cannot =
    'No plan was found that the data and the tools allow. Ask in other words, or choose an analysis yourself.';
  return {
    plan: isUsable ? withReason(plan!) : { steps: [], cannot },
    problems: [...problems],
    missing_genes: [...words.missingGenes],
    version: words.dataset.version,
    usage: count.usage,
  };
}

/** A plan without steps says why. */
function withReason({ steps, cannot }: Plan): Plan {
  if (steps.length > 0) return { steps, cannot: null };
  return { steps, cannot: cannot ?? 'The model planned no step.' };
}

function readPlan(text: string): { plan: Plan } | { problem: PlanProblem } {
  const problem = (message: string, field = '') => ({ problem: { step: '', field, problem: message } });
  const [json] = /\{[^]*\}/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return problem('Write one JSON object with `steps` and `cannot`.');
  }
  const read = planSchema.safeParse(value);
  if (read.success) return { plan: read.data };
  const [issue] = read.error.issues;
  return problem(issue!.message, issue!.path.join('.'));
}
