import { datasetId } from '@cellfolio/contract';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { memberOf, tabSessionOf } from './access.ts';
import { type Caller, type Owner, ownerOf } from '../owners.ts';
import type { Route } from './routes.ts';

interface DocumentPaths<Dataset> {
  tag: string;
  /** Default: `explorer`. */
  access?: 'member';
  /** Path of the list, such as `/api/gene-lists`, or below that of a dataset. */
  all: string;
  /** Path of a document, such as `/api/gene-lists/:geneListId`. */
  one: string;
  /** Schema of the last parameter of `one`. */
  id: z.ZodType<string>;
  /** By status, for calls that do not state their own. */
  refusals?: Readonly<Record<number, string>>;
  /** The dataset of a path, or of a document whose path names none. Throws ApiFailure 404. */
  dataset?: (
    by: { caller: Caller; owner: Owner },
    of: { filename: string | undefined; id: string },
  ) => Promise<Dataset>;
}

interface DocumentCall<Dataset> {
  caller: Caller;
  owner: Owner;
  /** Empty in calls of the list. */
  id: string;
  dataset: () => Promise<Dataset>;
  request: FastifyRequest;
}

interface DocumentAction<Dataset, Input extends z.ZodType, Answer extends z.ZodType> {
  summary: string;
  refusals?: Readonly<Record<number, string>>;
  /** The body; the query of a deletion. */
  input?: Input;
  answer: Answer;
  run: (call: DocumentCall<Dataset>, input: z.output<Input>) => Promise<z.input<Answer>>;
}

/** Makes the routes of a kind of documents (`user-documents.ts`), each with what it declares. */
export function documentRoutes<Dataset = never>(
  app: Parameters<Route<object>>[0],
  { tag, access, all, one, id, refusals: usualRefusals, dataset }: DocumentPaths<Dataset>,
) {
  const paramsOf = (path: string) =>
    z.object(
      Object.fromEntries(
        Array.from(path.matchAll(/:(\w+)/g), ([, name]) => [
          name!,
          name === 'datasetFilename' ? datasetId : id,
        ]),
      ),
    );
  const idName = /:(\w+)$/.exec(one)![1]!;
  const route =
    (method: HTTPMethods, url: string) =>
    <Answer extends z.ZodType, Input extends z.ZodType = z.ZodUndefined>({
      summary,
      refusals = usualRefusals,
      input,
      answer,
      run,
    }: DocumentAction<Dataset, Input, Answer>): void => {
      const field = method === 'DELETE' ? 'querystring' : 'body';
      app.route({
        method,
        url,
        config: {
          scope: method === 'GET' ? 'read' : 'label',
          ...(access && { access }),
          ...(refusals && { refusals }),
        },
        schema: {
          summary,
          tags: [tag],
          ...(url.includes(':') && { params: paramsOf(url) }),
          ...(input && { [field]: input }),
          response: { 200: answer },
        },
        // The type of its answer follows from schemas that are not known here.
        handler: (async (request: FastifyRequest) => {
          const caller = access === 'member' ? memberOf(request) : tabSessionOf(request);
          const owner = ownerOf(caller);
          const params = new Map(Object.entries(request.params as object) as [string, string][]);
          const documentId = params.get(idName) ?? '';
          const call = {
            caller,
            owner,
            id: documentId,
            dataset: () =>
              dataset!({ caller, owner }, { filename: params.get('datasetFilename'), id: documentId }),
            request,
          };
          return run(call, (method === 'DELETE' ? request.query : request.body) as z.output<Input>);
        }) as never,
      });
    };
  return {
    list: route('GET', all),
    create: route('POST', all),
    get: route('GET', one),
    replace: route('PUT', one),
    change: route('PATCH', one),
    remove: route('DELETE', one),
    /** A call of its own on the list. */
    onAll: (name: string) => route('POST', `${all}/${name}`),
    /** A call of its own on a document. */
    onOne: (name: string) => route('POST', `${one}/${name}`),
  };
}
