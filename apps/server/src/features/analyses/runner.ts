import { analyses, type Analysis, type Context, type Fact, type Outcome } from '@cellfolio/analyses/serve';
import { type ResultCaution, resultNotes } from '@cellfolio/model';
import type { InputValues } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { keyOfSelection, keysOfDataset, type Selection, withShortCells } from '../selection/index.ts';

/** The result of an analysis, its cautions with their texts. */
export interface AnalysisResult extends Omit<Outcome, 'cautions'> {
  readonly cautions: readonly ResultCaution[];
  readonly facts: readonly Fact[];
}

const maxBytes = 64e6;

/** Runs analyses: equal requests of concurrent callers once, with a cache of results. */
export class AnalysisRunner {
  readonly #results = new KeptWork<AnalysisResult>(maxBytes, sizeOf);
  readonly #contextOf: (id: string, selection: Selection, call: CallContext) => Promise<Context>;

  constructor(contextOf: (id: string, selection: Selection, call: CallContext) => Promise<Context>) {
    this.#contextOf = contextOf;
  }

  /** `request` is as the schema of the analysis returns it, so that equal requests are equal as JSON. Throws ApiFailure. */
  async run(
    one: Analysis,
    selection: Selection,
    request: object,
    call: CallContext,
  ): Promise<AnalysisResult> {
    const { id, cautions: texts } = one.declaration;
    // Visible: dataset, version, cells and own columns, analysis, request with its fields in order of their names.
    const keyOf = (of: object) => {
      const fields = Object.entries(of).toSorted(([one], [other]) => (one < other ? -1 : 1));
      return `${keyOfSelection(selection)}|${id}|${JSON.stringify(Object.fromEntries(fields), withShortCells)}`;
    };
    const key = keyOf(request);
    const analyse = async (joined: CallContext): Promise<AnalysisResult> => {
      const context = await this.#contextOf(id, selection, joined);
      const outcome = await one.run(request as never, context);
      const cautions = outcome.cautions.map((caution) => withText(texts, caution, outcome));
      return { ...outcome, cautions, facts: one.facts(outcome, context) };
    };
    // Its parts are cached where they are made, by the versions of the lists that they depend on.
    if (one.declaration.comparison) return analyse(call);
    const result = await this.#results.of(key, call, analyse);
    // Its figures are drawn again from the request with what was chosen for it.
    const chosen = keyOf(result.request);
    return chosen === key ? result : this.#results.of(chosen, call, () => Promise.resolve(result));
  }

  get caches(): NamedCaches {
    return [['analyses', this.#results.use]];
  }

  forget(datasetId: string): void {
    this.#results.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#results.forget(() => true);
  }
}

function withText(texts: object, caution: Outcome['cautions'][number], outcome: Outcome): ResultCaution {
  if ('message' in caution) return caution;
  const { code, numbers } = caution as ResultCaution;
  const textOf = new Map(Object.entries(texts)).get(code) as (numbers: unknown, outcome: Outcome) => string;
  return { code, message: textOf(numbers, outcome), ...(numbers && { numbers }) };
}

/** Memory of a result, roughly. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, part) => sum + 16 + sizeOf(part), 0);
}

/** Input of the figure of a result. */
export function figureInput({ drawing, cautions }: AnalysisResult): object {
  return { ...drawing, cautions: resultNotes(cautions).warnings };
}

/** Analyses whose results figures draw; their inputs have the ids for names. */
type DeclaredInputs = Pick<InputValues, 'composition' | 'co-expression'>;
type ResultInputs = {
  readonly [Id in keyof DeclaredInputs]: {
    version(): Promise<string>;
    find(
      selection: Selection,
      input: { readonly parameters: object },
      call: CallContext,
    ): Promise<DeclaredInputs[Id]>;
  };
};

/** Inputs of figures that are drawn from their source: the analyses run again. */
export function analysisInputs(runner: AnalysisRunner): ResultInputs {
  const drawn = analyses.filter(({ declaration }) => declaration.comparison === undefined);
  const inputs = drawn.map((one) => [
    one.declaration.id,
    {
      version: () => Promise.resolve(''),
      find: async (
        selection: Selection,
        { parameters }: { readonly parameters: object },
        call: CallContext,
      ) => figureInput(await runner.run(one, selection, one.declaration.request.parse(parameters), call)),
    },
  ]);
  return Object.fromEntries(inputs) as ResultInputs;
}
