import type { ResultFact } from '@cellfolio/contract';
import { Fragment, type ReactNode } from 'react';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';

interface ResultFactsProps {
  line: ReactNode;
  facts: readonly ResultFact[];
  children?: ReactNode;
}

export function ResultFacts({ line, facts, children }: ResultFactsProps) {
  return (
    <Collapsible className="bg-surface-2 shrink-0 rounded-md text-[13px]">
      <CollapsibleTrigger className="text-[13px] font-normal">
        <span className="min-w-0 wrap-anywhere tabular-nums">{line}</span>
      </CollapsibleTrigger>
      <CollapsibleContent>
        <dl
          className="[&_dt]:text-muted grid max-h-[34dvh] grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 overflow-y-auto px-2 pb-2 wrap-anywhere"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
          tabIndex={0}
        >
          {children}
          <FactRows facts={facts} />
        </dl>
      </CollapsibleContent>
    </Collapsible>
  );
}

export function FactRows({ facts }: Pick<ResultFactsProps, 'facts'>) {
  return facts.map(({ title, message }) => (
    <Fragment key={message}>
      <dt>{title}</dt>
      <dd>{message}</dd>
    </Fragment>
  ));
}
