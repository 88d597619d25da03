import { CornerDownLeft, MessageCircleQuestion, X } from 'lucide-react';
import { lazy, type Ref, Suspense, useId, useRef, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card } from '@/components/ui/card.tsx';
import { Input } from '@/components/ui/form.tsx';
import { listedCommands, useCommandSources } from '@/lib/commands.ts';
import type { AskHost, AskWay, ShownQuestion } from './ask-host.ts';

const loadBody = () => import('./ask-body.tsx');
const AskBody = lazy(async () => ({ default: (await loadBody()).AskBody }));

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
  const [way, setWay] = useState<AskWay>('rules');
  /** Each question that is put gets a new number. */
  const [question, setQuestion] = useState<ShownQuestion | null>(null);
  const count = useRef(0);
  const [isFocused, setFocused] = useState(false);
  const put = (next: string, by = way) => {
    if (next.trim() === '') return;
    setText(next);
    setWay(by);
    count.current += 1;
    setQuestion({ text: next.trim(), way: by, count: count.current });
  };
  const open = (id: string) => {
    setText('');
    count.current += 1;
    setQuestion({ id, count: count.current });
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
        void loadBody();
      }}
      onBlur={(event) => {
        const next = event.relatedTarget;
        // Dialogs of the card stand elsewhere in the document.
        const isDialog = Boolean(next?.closest('[role="dialog"], [role="alertdialog"]'));
        if (!isDialog && !event.currentTarget.contains(next)) setFocused(false);
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
          {(question !== null || isFocused) && (
            <AskBody
              host={host}
              shown={question}
              showsHints={question === null && text === ''}
              way={way}
              onWay={setWay}
              onPut={put}
              onOpen={open}
              onClose={() => {
                clear();
                input.current?.focus();
              }}
            />
          )}
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
