import { CallFailed } from '@/lib/api-errors.ts';

/** The words of a notice, and below them why. */
export function FailureNotice({ text, error }: { text: string; error: unknown }) {
  const reason = error instanceof CallFailed ? error.reason : error instanceof Error ? error.message : '';
  return (
    <>
      <span className="block">{text}</span>
      {reason !== '' && <span className="block text-xs">{reason}</span>}
    </>
  );
}
