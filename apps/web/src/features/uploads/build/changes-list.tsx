import type { BuildRequest } from '@cellfolio/contract';
import { useId } from 'react';
import { choiceChanges } from './choice-changes.ts';

interface ChangesListProps {
  title: string;
  before: BuildRequest;
  after: BuildRequest;
}

export function ChangesList({ title, before, after }: ChangesListProps) {
  const id = useId();
  const changes = choiceChanges(before, after);
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <h3 id={id} className="text-[13px] font-semibold">
        {title}
      </h3>
      <ul className="flex flex-col text-xs leading-5">
        {changes.map((change) => (
          <li key={change.name} className="wrap-anywhere tabular-nums">
            <span className="text-muted">{change.name}:</span> {change.before} → {change.after}
          </li>
        ))}
      </ul>
    </section>
  );
}
