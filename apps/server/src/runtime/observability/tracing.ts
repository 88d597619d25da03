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
import type { Metrics } from './metrics.ts';
import type { Read, TaskEnd, TaskObserver } from './observed.ts';

/** Times are milliseconds since 1970. */
interface TracedTask {
  kind: string;
  startedAt: number;
  endedAt: number;
  how: TaskEnd;
  reads: readonly Read[];
}

export class Tracing {
  readonly #tracer: Tracer;
  readonly #close: () => Promise<void>;
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(tracer: Tracer, close: () => Promise<void>) {
    this.#tracer = tracer;
    this.#close = close;
  }

  /** Starts the span of a call; `traceparent` is the header of that name. */
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

  within(span: Span, work: () => void): void {
    this.#current.run(span, work);
  }

  end(span: Span, status: number): void {
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  get current(): Span | undefined {
    return this.#current.getStore();
  }

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

  close(): Promise<void> {
    return this.#close();
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header; undefined when invalid. */
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

/**
 * Exports traces by OTLP over HTTP to the collector of OpenTelemetry's standard variables
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). Undefined, and no library loaded, without one.
 */
export async function openTracing(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  if (!base && !traces) return undefined;
  const [{ OTLPTraceExporter }, { BatchSpanProcessor, TracerProvider }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': environment.OTEL_SERVICE_NAME ?? 'cellfolio' }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: traces ?? `${base?.replace(/\/+$/, '')}/v1/traces` }),
      }),
    ],
  });
  return new Tracing(provider.getTracer('cellfolio'), () => provider.shutdown());
}

const clock = (): number => performance.timeOrigin + performance.now();

export function observeTasks(metrics: Metrics, tracing: Tracing | undefined): TaskObserver {
  return {
    begin(kind) {
      const startedAt = clock();
      const call = tracing?.current;
      const traced = call?.isRecording() ? call : undefined;
      return {
        keepReads: traced !== undefined,
        end(how, reads) {
          const endedAt = clock();
          const seconds = (endedAt - startedAt) / 1000;
          const { count = 0, bytes = 0, firstReads = [] } = reads ?? {};
          metrics.computed({ kind, outcome: how, seconds, reads: count, bytes });
          if (traced) tracing?.task(traced, { kind, startedAt, endedAt, how, reads: firstReads });
        },
      };
    },
  };
}
