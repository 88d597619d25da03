import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { copyText } from '@/lib/copy-text.ts';

const notCopied = 'not-copied';

interface CopyButtonProps {
  /** Called on click. */
  text: () => string | Promise<string>;
  label: string;
  variant?: 'secondary' | 'ghost';
  /** Advice if the browser does not allow copying. */
  otherwise?: string;
  /** What is not in the text. */
  caution?: string | undefined;
}

/** Copies a text, and shows a notice on failure. */
export function CopyButton({
  text,
  label,
  variant = 'secondary',
  otherwise = 'Select the text and copy it by keyboard.',
  caution,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(text());
      setCopied(true);
      toast.dismiss(notCopied);
      if (caution === undefined) toast.success('Copied to clipboard');
      else toast.warning('Copied to clipboard', { description: caution });
    } catch {
      toast.error('Copy failed', { id: notCopied, description: otherwise });
    }
  };
  return (
    <Button variant={variant} size="sm" onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {label}
    </Button>
  );
}
