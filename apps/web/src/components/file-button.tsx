import { useRef } from 'react';
import { Button } from './ui/button.tsx';
import type { ButtonProps } from './ui/button.tsx';

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'asChild'> {
  /** Accessible name of the hidden input. */
  fileLabel: string;
  accept?: string;
  /** Picks a whole folder, with all files below it. */
  folder?: boolean;
  onFiles: (files: [File, ...File[]]) => void;
}

export function FileButton({ fileLabel, accept, folder = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={fileLabel}
        accept={accept}
        disabled={button.disabled}
        {...(folder && { multiple: true, webkitdirectory: '' })}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          // So that the same file can be chosen again.
          target.value = '';
          if (first !== undefined) onFiles([first, ...others]);
        }}
      />
    </>
  );
}
