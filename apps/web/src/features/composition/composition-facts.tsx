import type { CompositionAnswer } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { degreesWords, LeftOut } from '@/features/comparisons/index.ts';
import { counted, formatCount } from '@/lib/format.ts';

/** What was compared with what, how, and what came of it: a line, and all of it on request. */
export function CompositionFacts({ answer }: { answer: CompositionAnswer }) {
  const { a, b, by, samples, design, test, parameters, categories, differing } = answer;
  return (
    <Collapsible className="bg-surface-2 shrink-0 rounded-md text-[13px]">
      <CollapsibleTrigger className="text-[13px] font-normal">
        <span className="min-w-0 wrap-anywhere tabular-nums">
          <span className="font-medium">A:</span> {a.name}, {counted(samples.a, 'sample')},{' '}
          {counted(a.cells, 'cell')} · <span className="font-medium">B:</span> {b.name},{' '}
          {counted(samples.b, 'sample')}, {counted(b.cells, 'cell')} · {formatCount(differing)} of{' '}
          {formatCount(categories)} categories differ
        </span>
      </CollapsibleTrigger>
      <CollapsibleContent>
        <dl
          className="[&_dt]:text-muted grid max-h-[34dvh] grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 overflow-y-auto px-2 pb-2 wrap-anywhere"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
          tabIndex={0}
        >
          <dt>Shares of</dt>
          <dd>{columnTitle(by)}, among the cells of each sample on a side</dd>
          <dt>Test</dt>
          <dd>
            {test} ({degreesWords(design)}); p-values adjusted by Benjamini and Hochberg over the categories
          </dd>
          <dt>Effect</dt>
          <dd>
            {parameters.transform === 'logit'
              ? 'difference of the natural logarithms of the odds of a share, A less B'
              : 'difference of the arcsines of the roots of a share, A less B'}
          </dd>
          <dt>Counted</dt>
          <dd>adjusted p &lt; {parameters.pvals_adj}</dd>
          <dt>Samples</dt>
          <dd>
            {columnTitle(samples.column)} ({samples.reason}): {formatCount(samples.a)} in A,{' '}
            {formatCount(samples.b)} in B, {formatCount(samples.both)} in both
            {design.paired ? ', compared in pairs' : ''}
          </dd>
          <LeftOut parts={[{ name: '', left_out: design.left_out }]} />
        </dl>
      </CollapsibleContent>
    </Collapsible>
  );
}
