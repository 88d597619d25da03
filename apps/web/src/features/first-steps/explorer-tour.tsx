import { useEffect, useId, useRef } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverAnchor, PopoverArrow, PopoverContent } from '@/components/ui/popover.tsx';
import { besideThePage, closeLastDialog, isDialogOpen } from '@/lib/open-layers.ts';
import { findTourAnchor } from '@/lib/tour-anchor.ts';
import { type Tour, type TourStep, tourSteps } from './use-tour.ts';

export function ExplorerTour({ tour }: { tour: Tour }) {
  const step = tour.step === null ? undefined : tourSteps[tour.step];
  const control = step && findTourAnchor(step.anchor);
  if (!step || !control) return null;
  return <StepPopover key={step.anchor} {...{ tour, step, control }} place={tour.step!} />;
}

interface StepPopoverProps {
  tour: Tour;
  step: TourStep;
  place: number;
  control: HTMLElement;
}

function StepPopover({ tour, step: { title, text, side }, place, control }: StepPopoverProps) {
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    control.scrollIntoView({ block: 'nearest' });
    control.setAttribute('data-tour-current', '');
    return () => control.removeAttribute('data-tour-current');
  }, [control]);
  const isLast = place === tourSteps.length - 1;
  const leave = () => {
    // The focus goes with the popover: it moves to the control that was explained.
    if (content.current?.contains(document.activeElement)) {
      control.focus({ preventScroll: true });
      if (document.activeElement !== control) document.getElementById('content')?.focus();
    }
    tour.leave();
  };
  return (
    <Popover open onOpenChange={(open) => !open && leave()}>
      <PopoverAnchor virtualRef={{ current: control }} />
      <PopoverContent
        ref={content}
        side={side}
        {...besideThePage}
        aria-label={`Tour: ${title}`}
        aria-describedby={id}
        className="flex flex-col gap-2"
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          // Somebody who is typing already goes on.
          if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
        }}
        onEscapeKeyDown={(event) => {
          if (!isDialogOpen()) return;
          event.preventDefault();
          // A tour that came after the dialog has its key.
          closeLastDialog();
        }}
        // What it explains can be tried while it is shown.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <p className="text-muted text-xs tabular-nums">
          Step {place + 1} of {tourSteps.length}
        </p>
        <h2 className="-mt-1 font-semibold">{title}</h2>
        <p id={id} className="text-[13px]">
          {text}
        </p>
        <div className="flex items-center gap-1">
          {!isLast && (
            <Button variant="ghost" size="sm" className="-ml-2" onClick={leave}>
              Skip tour
            </Button>
          )}
          <span className="grow" />
          {place > 0 && (
            <Button variant="secondary" size="sm" onClick={() => tour.move(-1)}>
              Back
            </Button>
          )}
          <Button ref={next} size="sm" onClick={() => (isLast ? leave() : tour.move(1))}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
        <PopoverArrow />
      </PopoverContent>
    </Popover>
  );
}
