import { CornerDownLeft, MessageCircleQuestion, X } from 'lucide-react';
import { lazy, type Ref, Suspense, useId, useRef, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card } from '@/components/ui/card.tsx';
import { Input } from '@/components/ui/form.tsx';
import { listedCommands, useCommandSources } from '@/lib/commands.ts';
import type { AskHost } from './ask-host.ts';

const loadPanel = () => import('./ask-panel.tsx');
const AskPanel = lazy(async () => ({ default: (await loadPanel()).AskPanel }));
const AskHints = lazy(async () => ({ default: (await loadPanel()).AskHints }));

interface AskCardProps {
  host: AskHost;
  /** Shows the card where it is hidden. */
  onReveal?: () => void;
}

/** A question about the dataset, which becomes steps that the user sees before they run. */
export function AskCard({ host, onReveal }: AskCardProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  /** The question whose plan is shown, and how often it was put. */
  const [question, setQuestion] = useState<{ text: string; count: number } | null>(null);
  const [isFocused, setFocused] = useState(false);
  const put = (next: string) => {
    if (next.trim() === '') return;
    setText(next);
    setQuestion((before) => ({ text: next.trim(), count: (before?.count ?? 0) + 1 }));
  };
  const clear = () => {
    if (question === null && text === '') input.current?.blur();
    setText('');
    setQuestion(null);
  };
  useCommandSources(() => [
    listedCommands('Ask', [
      {
        id: 'ask',
        label: 'Ask a question about the dataset',
        keywords: 'question plan help markers compare draw',
        run: () => {
          onReveal?.();
          input.current?.focus();
          input.current?.select();
        },
      },
    ]),
  ]);
  return (
    <Card
      aria-labelledby={id}
      className="relative shrink-0"
      onFocus={() => {
        setFocused(true);
        void loadPanel();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        host.cancel();
        clear();
        input.current?.focus();
      }}
    >
      <h2 id={id} className="sr-only">
        Ask
      </h2>
      <QuestionForm ref={input} text={text} onChange={setText} onPut={() => put(text)} onClear={clear} />
      <ErrorBoundary region="The plan">
        <Suspense
          fallback={
            <p role="status" className="text-muted border-t px-3 py-2 text-[13px]">
              Loading...
            </p>
          }
        >
          {question !== null && (
            <AskPanel key={question.count} question={question.text} host={host} onClose={clear} />
          )}
          {question === null && isFocused && text === '' && <AskHints host={host} onChoose={put} />}
        </Suspense>
      </ErrorBoundary>
    </Card>
  );
}

interface QuestionFormProps {
  ref: Ref<HTMLInputElement>;
  text: string;
  onChange: (text: string) => void;
  onPut: () => void;
  onClear: () => void;
}

function QuestionForm({ ref, text, onChange, onPut, onClear }: QuestionFormProps) {
  return (
    <form
      role="search"
      className="flex items-center gap-1 p-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        onPut();
      }}
    >
      <MessageCircleQuestion aria-hidden className="text-accent mx-1.5 size-4 shrink-0" />
      <Input
        ref={ref}
        value={text}
        aria-label="Ask a question about the dataset"
        placeholder="Ask, such as: markers of cluster 3"
        autoComplete="off"
        className="h-8 min-w-0 flex-1 border-transparent bg-transparent px-1.5 shadow-none"
        onChange={(event) => onChange(event.target.value)}
      />
      {text !== '' && (
        <Button
          type="button"
          variant="ghost"
          size="icon-sm"
          aria-label="Clear the question"
          onClick={onClear}
        >
          <X aria-hidden />
        </Button>
      )}
      <Button
        type="submit"
        variant="ghost"
        size="icon-sm"
        aria-label="Show the plan"
        disabled={text.trim() === ''}
      >
        <CornerDownLeft aria-hidden />
      </Button>
    </form>
  );
}
