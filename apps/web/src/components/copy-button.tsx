import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { copyText } from '@/lib/copy-text.ts';

const notCopied = 'not-copied';

interface CopyButtonProps {
  text: () => string | Promise<string>;
  label: string;
  variant?: 'secondary' | 'ghost';
  otherwise?: string;
  /** Names what the text does not contain. */
  caution?: string | undefined;
}

export function CopyButton({
  text,
  label,
  variant = 'secondary',
  otherwise = 'Select the text and copy it by keyboard.',
  caution,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyWithNotice({ text, otherwise, caution })) setCopied(true);
  };
  return (
    <Button variant={variant} size="sm" onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {label}
    </Button>
  );
}

/** Copies, and says whether that worked. */
export async function copyWithNotice({
  text,
  otherwise,
  caution,
}: Pick<CopyButtonProps, 'text' | 'otherwise' | 'caution'>): Promise<boolean> {
  try {
    await copyText(text());
    toast.dismiss(notCopied);
    if (caution === undefined) toast.success('Copied to clipboard');
    else toast.warning('Copied to clipboard', { description: caution });
    return true;
  } catch {
    toast.error('Copy failed', { id: notCopied, description: otherwise });
    return false;
  }
}
