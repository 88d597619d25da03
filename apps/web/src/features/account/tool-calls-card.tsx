import { canceledCall, type ToolCallList, toolCalls } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { relativeTime } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useNow } from '@/lib/use-time.ts';
import { ListStates, SettingsCard } from './settings-card.tsx';

type ToolCall = ToolCallList['calls'][number];

/** Calls of the tools for assistants in the name of the user; shown where the server has tools. */
export function ToolCallsCard({ userId }: { userId: string }) {
  const { api, config } = useServices();
  const now = useNow(60_000);
  // `before` of each page up to the one that is shown; the newest has none.
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  const before = pages.at(-1);
  const query = useQuery({
    queryKey: ['tool-calls', userId, before],
    queryFn: ({ signal }) =>
      api({
        path: `/api/tool-calls${before === undefined ? '' : `?before=${before}`}`,
        answer: toolCalls,
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: config.features.tools === true,
  });
  if (config.features.tools !== true) return null;
  const next = query.data?.next_before ?? undefined;
  return (
    <SettingsCard
      title="Tool Calls"
      about={`What assistants did in your name at ${config.analysisUrl}/mcp: the tool, the dataset and how it ended, never what was sent or answered.`}
    >
      {!query.data ? (
        <ListStates query={query} what="tool calls" />
      ) : query.data.calls.length === 0 ? (
        <p className="text-muted text-[13px]">No tool was called in the last {query.data.kept_days} days.</p>
      ) : (
        <ul
          aria-label="Tool calls"
          aria-busy={query.isPlaceholderData}
          className="divide-border divide-y border-y"
        >
          {query.data.calls.map((call) => (
            <CallRow key={call.id} call={call} now={now} />
          ))}
        </ul>
      )}
      {query.data && (pages.length > 1 || next !== undefined) && (
        <nav aria-label="Pages of the tool calls" className="flex items-center gap-1">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Newer calls"
            disabled={pages.length === 1}
            onClick={() => setPages(pages.slice(0, -1))}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <span className="text-muted text-xs tabular-nums" aria-live="polite">
            Page {pages.length}
          </span>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Older calls"
            disabled={next === undefined || query.isPlaceholderData}
            onClick={() => setPages([...pages, next])}
          >
            <ChevronRight aria-hidden />
          </Button>
        </nav>
      )}
    </SettingsCard>
  );
}

function CallRow({ call, now }: { call: ToolCall; now: number }) {
  const { tool, dataset, at, milliseconds } = call;
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-[13px] wrap-anywhere">{tool}</p>
        <p className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
          {dataset !== null && <span className="wrap-anywhere">{dataset}</span>}
          <span className="wrap-anywhere">{credentialText(call)}</span>
          <time dateTime={at}>{relativeTime(Date.parse(at), now)}</time>
          <span>{durationText(milliseconds)}</span>
        </p>
      </div>
      <CallState status={call.status} />
    </li>
  );
}

function credentialText({ credential, credential_name }: ToolCall): string {
  if (credential === 'session') return 'Signed-in session';
  return `${credential === 'app' ? 'App' : 'Key'} ${credential_name}`;
}

function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function CallState({ status }: { status: number }) {
  if (status === 200) return null;
  if (status === canceledCall) return <Badge>Canceled</Badge>;
  return <Badge variant="danger">Refused ({status})</Badge>;
}
