import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { Read, TaskEnd } from './observed.ts';

/** A task of a compute thread that has ended. Times are milliseconds since 1970. */
export interface TracedTask {
  readonly kind: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly how: TaskEnd;
  readonly reads: readonly Read[];
}

/** Spans from a call to the reads that its work made. */
export class Tracing {
  readonly #tracer: Tracer;
  readonly #close: () => Promise<void>;
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(tracer: Tracer, close: () => Promise<void>) {
    this.#tracer = tracer;
    this.#close = close;
  }

  /** Begins the span of a call, as part of its caller's trace where `traceparent` names one. */
  begin(call: { method: string; route: string; requestId: string; traceparent: string | undefined }): Span {
    const { method, route, requestId } = call;
    const parent = parentOf(call.traceparent);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'cellfolio.request_id': requestId,
    };
    return this.#tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, context);
  }

  /** Runs what a call does; tasks begun in it belong to its span. */
  within(span: Span, work: () => void): void {
    this.#current.run(span, work);
  }

  end(span: Span, status: number): void {
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** The span of the call whose work this is. */
  get current(): Span | undefined {
    return this.#current.getStore();
  }

  /** Adds a task and its reads to the trace of the call that it was done for. */
  task(parent: Span, task: TracedTask): void {
    const above = trace.setSpan(ROOT_CONTEXT, parent);
    const span = this.#tracer.startSpan(
      `compute ${task.kind}`,
      { startTime: task.startedAt, attributes: { 'cellfolio.outcome': task.how } },
      above,
    );
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    for (const { key, startedAt, endedAt, bytes } of task.reads) {
      const attributes = { 'cellfolio.object': key, 'cellfolio.bytes': bytes };
      this.#tracer.startSpan('read', { startTime: startedAt, attributes }, inside).end(endedAt);
    }
    span.end(task.endedAt);
  }

  /** Sends what has not been sent yet. */
  close(): Promise<void> {
    return this.#close();
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header; undefined where it is none. */
function parentOf(header: string | undefined) {
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  if (!parts || /^0+$/.test(parts[1]!) || /^0+$/.test(parts[2]!)) return undefined;
  const sampled = (Number.parseInt(parts[3]!, 16) & TraceFlags.SAMPLED) !== 0;
  return {
    traceId: parts[1]!,
    spanId: parts[2]!,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  };
}
