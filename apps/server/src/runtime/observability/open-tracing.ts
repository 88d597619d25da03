import { Tracing } from './tracing.ts';

/**
 * Tracing to the collector that the standard variables of OpenTelemetry name
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/), by OTLP over HTTP; undefined where they name none. What
 * makes the spans is loaded only then.
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
