import { type ListFields, listFields } from '@cellfolio/analyses';
import {
  analyses,
  type Analysis,
  type Context,
  type Display,
  type DrawnContent,
  type Fact,
  type Outcome,
  type StreamedTable,
} from '@cellfolio/analyses/serve';
import { type ResultCaution, resultNotes } from '@cellfolio/model';
import type { InputValues, ScoreChoice } from '@cellfolio/figures';
import { createHash } from 'node:crypto';
import { refuse } from './context.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { displayOrder, labelIn, namesNote } from '../../runtime/compute/category-display.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { keyOfSelection, keysOfDataset, type Selection, withShortCells } from '../selection/index.ts';

/** The result of an analysis, its cautions with their texts. */
export interface AnalysisResult extends Omit<Outcome, 'cautions'> {
  readonly cautions: readonly ResultCaution[];
  readonly facts: readonly Fact[];
  /** Versions of its lists, by their fields in the content of figures. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Versions of the lists of the server that results depend on. */
export interface ListVersions {
  /** Throws ApiFailure for a list that does not exist. */
  version(
    source: ListFields['source'],
    chosen: { readonly name: string; readonly own: string | undefined },
  ): Promise<string>;
  /** Version of the tables that map genes between species. */
  mappingVersion(): Promise<string>;
  /** Throws ApiFailure 409 where a figure is of another version of a list. */
  refuseReplaced(
    source: ListFields['source'],
    list: { readonly name: string; readonly version: string },
    version: string | undefined,
  ): void;
}

/** The list that a request names. */
interface ChosenVersion extends Pick<ListFields, 'source' | 'name' | 'own'> {
  /** In the content of figures. */
  readonly field: string;
  readonly version: string;
}

const maxBytes = 64e6;
const maxPartBytes = 128e6;
/** Longer requests are hashed in keys: caches count the size of their values, not that of their keys. */
const maxKeyLength = 2000;

type ContextOf = (id: string, selection: Selection, call: CallContext) => Promise<Omit<Context, 'shared'>>;
/** Version of what scores are made of. */
type ScoreVersion = (score: ScoreChoice) => Promise<string>;

/** Runs analyses: equal requests of concurrent callers once, with a cache of results. */
export class AnalysisRunner {
  readonly #results = new KeptWork<AnalysisResult>(maxBytes, sizeOf);
  readonly #parts = new KeptWork<object>(maxPartBytes, sizeOf);
  readonly #contextOf: ContextOf;
  readonly #lists: ListVersions;
  readonly #scoreVersion: ScoreVersion;

  constructor(contextOf: ContextOf, lists: ListVersions, scoreVersion: ScoreVersion) {
    this.#contextOf = contextOf;
    this.#lists = lists;
    this.#scoreVersion = scoreVersion;
  }

  /**
   * `request` is as the schema of the analysis returns it, so that equal requests are equal as JSON; `drawn` is the content
   * of a figure that is drawn again. Throws ApiFailure, 409 when a list of that figure has been replaced.
   */
  async run(
    one: Analysis,
    selection: Selection,
    request: object,
    call: CallContext,
    drawn: object = {},
  ): Promise<AnalysisResult> {
    const { id, cautions: texts } = one.declaration;
    const lists = await this.#listsOf(one, request);
    const drawnFields = new Map(Object.entries(drawn) as [string, string][]);
    for (const list of lists) this.#lists.refuseReplaced(list.source, list, drawnFields.get(list.field));
    const depends = await this.#dependsOn(one, request, lists);
    // The version is of the text.
    const ownTexts = new Set(lists.map(({ own }) => own));
    const keyOfRequest = (of: object) => keyOf(selection, id, of, ownTexts) + depends;
    const key = keyOfRequest(request);
    const analyse = async (joined: CallContext): Promise<AnalysisResult> => {
      const context = await this.#context(id, selection, depends, joined);
      const outcome = await one.run(request as never, context);
      const versions = Object.fromEntries(lists.map(({ field, version }) => [field, version]));
      const cautions = outcome.cautions.map((caution) => withText(texts, caution, outcome));
      return { ...outcome, cautions, facts: one.facts(outcome, context), versions };
    };
    // Its parts are kept where they are made, by the versions of the lists that they depend on.
    if (one.declaration.isStreamed) return analyse(call);
    const result = await this.#results.of(key, call, analyse);
    // Its figures are drawn again from the request with what was chosen for it.
    const chosen = keyOfRequest(result.request);
    return chosen === key ? result : this.#results.of(chosen, call, () => Promise.resolve(result));
  }

  /** Versions of the lists and scores that a result depends on besides the cells and the request. */
  async version(one: Analysis, request: object): Promise<string> {
    return this.#dependsOn(one, request, await this.#listsOf(one, request));
  }

  async #dependsOn(one: Analysis, request: object, lists: readonly ChosenVersion[]): Promise<string> {
    const score = one.scored?.(request as never);
    if (score !== undefined) return `|${await this.#scoreVersion(score)}`;
    if (lists.length === 0) return '';
    return `|${lists.map(({ version }) => version).join('|')}|${await this.#lists.mappingVersion()}`;
  }

  #listsOf({ declaration }: Analysis, request: object): Promise<ChosenVersion[]> {
    const fields = new Map(Object.entries(request) as [string, string][]);
    const lists = listFields(declaration.request).map(async ({ source, name, own, version: field }) => {
      const chosen = { name: fields.get(name)!, own: fields.get(own) };
      return { source, name: chosen.name, own, field, version: await this.#lists.version(source, chosen) };
    });
    return Promise.all(lists);
  }

  get caches(): NamedCaches {
    return [
      ['analyses', this.#results.use],
      ['analysis-parts', this.#parts.use],
    ];
  }

  forget(datasetId: string): void {
    this.#forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#forget(() => true);
  }

  #forget(matches: (key: string) => boolean): void {
    this.#results.forget(matches);
    this.#parts.forget(matches);
  }

  async #context(id: string, selection: Selection, depends: string, call: CallContext): Promise<Context> {
    return {
      ...(await this.#contextOf(id, selection, call)),
      shared: (name, of, work) =>
        this.#parts.of(keyOf(selection, name, of) + depends, call, async (joined) =>
          work(await this.#context(id, selection, depends, joined)),
        ) as never,
    };
  }
}

/**
 * Visible: dataset, version, cells and own columns, analysis or part, and what it is of with its fields in order of their
 * names, without some.
 */
function keyOf(selection: Selection, name: string, of: object, without: ReadonlySet<string> = new Set()) {
  const fields = Object.entries(of)
    .filter(([field]) => !without.has(field))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(fields), withShortCells);
  const short = text.length > maxKeyLength ? createHash('sha256').update(text).digest('hex') : text;
  return `${keyOfSelection(selection)}|${name}|${short}`;
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

/** An outcome as a user displays its categories. */
interface ShownResult extends Pick<AnalysisResult, 'table'> {
  readonly result: object;
  /** Input of the figure. */
  readonly input: object;
  readonly preview: ColumnTable;
  readonly head: readonly string[];
}

type ColumnTable = Exclude<AnalysisResult['table'], StreamedTable>;

/** Result, table and input of a figure, as the user of the selection displays their categories. */
export function displayedResult(
  one: Analysis,
  { request, result, drawing, table: made, head = [], cautions }: AnalysisResult,
  selection: Selection,
  content: DrawnContent = {},
): ShownResult {
  const own = { result, drawing, table: made as ColumnTable };
  const shown: ReturnType<NonNullable<Analysis['displayed']>> =
    one.displayed?.(own, request, displayOf(selection)) ?? own;
  const drawn = one.input?.(shown.drawing, content, { refuse }) ?? shown.drawing;
  const { table = own.table, preview = table } = shown;
  return {
    result: shown.result,
    input: { ...drawn, cautions: resultNotes(cautions).warnings },
    table,
    preview,
    head: [...head, ...(shown.head ?? [])],
  };
}

function displayOf({ displays }: Selection): Display {
  const of = (column: string) => displays?.find((display) => display.column === column);
  return {
    order: (column, names) => displayOrder(names, of(column)),
    labelOf: (column, name) => labelIn(of(column))(name),
    notes: (column) => namesNote(of(column)),
  };
}

/** Analyses whose results figures draw; their inputs have the ids for names. */
type DeclaredInputs = Pick<
  InputValues,
  | 'cell-types'
  | 'composition'
  | 'co-expression'
  | 'gradient'
  | 'ligand-receptor'
  | 'markers'
  | 'pathway'
  | 'perturbations'
  | 'ranked-enrichment'
  | 'trajectory'
>;
interface DrawnInput extends DrawnContent {
  /** The content of the figure. */
  readonly parameters: object;
}
type ResultInputs = {
  readonly [Id in keyof DeclaredInputs]: {
    version(input: DrawnInput): Promise<string>;
    find(selection: Selection, input: DrawnInput, call: CallContext): Promise<DeclaredInputs[Id]>;
  };
};

/** Inputs of figures that are drawn from their source: the analyses run again. */
export function analysisInputs(runner: AnalysisRunner): ResultInputs {
  const drawn = analyses.filter(({ declaration: { figure } }) => figure.from === undefined);
  const inputs = drawn.map((one) => [
    one.declaration.id,
    {
      version: ({ parameters }: DrawnInput) => runner.version(one, one.declaration.request.parse(parameters)),
      find: async (selection: Selection, input: DrawnInput, call: CallContext) => {
        const request = one.declaration.request.parse(input.parameters);
        const result = await runner.run(one, selection, request, call, input.parameters);
        return displayedResult(one, result, selection, input).input;
      },
    },
  ]);
  return Object.fromEntries(inputs) as ResultInputs;
}
