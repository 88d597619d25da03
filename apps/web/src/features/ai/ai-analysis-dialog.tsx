import { analysisPrompts } from '@cellfolio/contract';
import { Copy, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { LibraryImage } from '@/features/images/index.ts';
import { imageName } from '@/features/images/index.ts';
import { copyText } from '@/lib/copy-text.ts';
import type { AiAnalysis, ImageAnalysis } from './use-ai-analysis.ts';

export function AiAnalysisDialog({ analysis }: { analysis: AiAnalysis }) {
  const { image, pending, answer } = analysis;
  const open = image !== null && (pending || answer !== null);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && analysis.close()}>
      {open && (
        <DialogContent className="max-w-2xl">
          {pending ? (
            <Pending image={image} slow={analysis.slow} onCancel={analysis.close} />
          ) : (
            answer !== null && (
              <Answer
                image={image}
                answer={answer}
                onAsk={analysis.takesQuestions ? (prompt) => analysis.ask(image, prompt) : undefined}
              />
            )
          )}
        </DialogContent>
      )}
    </Dialog>
  );
}

function Pending({ image, slow, onCancel }: { image: LibraryImage; slow: boolean; onCancel: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-center">
      <Spinner className="text-accent size-6" />
      <div role="status">
        <DialogTitle>Analyzing Image</DialogTitle>
        <DialogDescription className="mt-1 wrap-anywhere">
          {imageName(image)}
          {slow && <span className="mt-1 block">This takes longer than usual. You can wait or cancel.</span>}
        </DialogDescription>
      </div>
      <Progress value={null} aria-label="Progress of the analysis" className="max-w-64" />
      <Button variant="secondary" size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

interface AnswerProps {
  image: LibraryImage;
  answer: ImageAnalysis;
  /** Absent when the service accepts no questions. */
  onAsk: ((prompt: string) => void) | undefined;
}

function Answer({ image, answer, onAsk }: AnswerProps) {
  const copy = async () => {
    try {
      await copyText(answer.text);
      toast.success('Copied to clipboard');
    } catch (error) {
      console.warn('The analysis was not copied.', error);
      toast.error('Copy failed', { description: 'Select the text and copy it with the keyboard.' });
    }
  };
  return (
    <>
      <div className="pr-8">
        <DialogTitle>AI Analysis</DialogTitle>
        <DialogDescription className="truncate">{imageName(image)}</DialogDescription>
      </div>
      {answer.label !== '' && (
        <Badge variant="warning" className="h-auto whitespace-normal">
          {answer.label}
        </Badge>
      )}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard */}
      <div
        role="region"
        aria-label="Analysis"
        aria-live="polite"
        tabIndex={0}
        className="bg-surface-2 min-h-24 flex-1 overflow-y-auto rounded-md p-4 text-sm leading-6 wrap-anywhere whitespace-pre-wrap select-text"
      >
        {answer.text}
      </div>
      {onAsk !== undefined && (
        <div role="group" aria-label="Ask for" className="flex flex-wrap gap-2">
          {analysisPrompts.map(({ label, prompt }) => (
            <Button key={label} variant="secondary" size="sm" onClick={() => onAsk(prompt)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      <div className="flex items-end justify-end gap-2">
        {onAsk !== undefined && <Question onAsk={onAsk} />}
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
      </div>
    </>
  );
}

function Question({ onAsk }: { onAsk: (prompt: string) => void }) {
  const [prompt, setPrompt] = useState('');
  return (
    <form
      className="flex flex-1 items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (prompt.trim() !== '') onAsk(prompt);
      }}
    >
      <Field label="Ask about this figure" optional className="flex-1">
        {(control) => (
          <Textarea
            {...control}
            value={prompt}
            maxLength={4000}
            rows={1}
            placeholder="Which cells stand out, and why?"
            className="max-h-32 min-h-9"
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" disabled={prompt.trim() === ''}>
        <Sparkles aria-hidden />
        Ask
      </Button>
    </form>
  );
}
