import { PanelLeftClose, PanelLeftOpen, type LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardTitle } from '@/components/ui/card.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { usePanelReveals } from './panel-reveals.ts';
import { type TourAnchor, tourAnchor } from '@/lib/tour-anchor.ts';

export interface ExplorerPanel {
  title: string;
  icon: LucideIcon;
  content: ReactNode;
  /** The step of the tour that points at the button of the panel. */
  tour?: TourAnchor;
}

const local = () => localStorage;
const openKey = 'cellfolio:open-panel';
const foldedKey = 'cellfolio:panels-folded';

export interface PanelState {
  /** Title of the open panel; empty for none. */
  open: string;
  toggle: (title: string) => void;
  isFolded: boolean;
  fold: (isFolded: boolean) => void;
}

/**
 * One panel of the left column is open at a time, so that all titles stay in sight. Both choices are remembered.
 */
export function usePanels(first: string): PanelState {
  const revealed = usePanelReveals();
  const [open, setOpen] = useState(() => readStored(local, openKey) ?? first);
  const [isFolded, setFolded] = useState(() => readStored(local, foldedKey) === 'yes');
  const [shown, setShown] = useState(revealed);
  // name-dictionary: by titles of ours
  const raised = Object.keys(revealed).find((title) => shown[title] !== revealed[title]);
  if (raised !== undefined) {
    setShown(revealed);
    setOpen(raised);
    setFolded(false);
  }
  const fold = (next: boolean) => {
    setFolded(next);
    writeStored(local, foldedKey, next ? 'yes' : 'no');
  };
  return {
    open,
    toggle: (title) => {
      const next = open === title && !isFolded ? '' : title;
      setOpen(next);
      writeStored(local, openKey, next);
      if (isFolded) fold(false);
    },
    isFolded,
    fold,
  };
}

interface PanelCardProps {
  title: string;
  panels: readonly ExplorerPanel[];
  state: PanelState;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Between the title and the panels. */
  children?: ReactNode;
}

/** The titles of its panels as buttons; the open one takes the height that is left, and scrolls within it. */
export function PanelCard({ title, panels, state, actions, children }: PanelCardProps) {
  const id = useId();
  const hasOpen = panels.some((panel) => panel.title === state.open);
  return (
    <Card
      aria-labelledby={id}
      className={cn('flex shrink-0 flex-col', hasOpen && 'min-h-88 flex-1 max-sm:min-h-0 max-sm:flex-none')}
    >
      <div className="flex items-center justify-between gap-2 py-1 pr-1.5 pl-3">
        <CardTitle id={id}>{title}</CardTitle>
        {actions}
      </div>
      {children}
      <div className="grid grid-cols-2 gap-0.5 border-t p-1.5">
        {panels.map((panel) => (
          <PanelButton key={panel.title} panel={panel} id={id} state={state} />
        ))}
      </div>
      {panels.map((panel) => (
        <PanelContent key={panel.title} panel={panel} id={id} isOpen={panel.title === state.open} />
      ))}
    </Card>
  );
}

const contentId = (id: string, title: string) => `${id}-${title.replaceAll(' ', '-')}`;

interface PanelPartProps {
  panel: ExplorerPanel;
  /** Id of the card. */
  id: string;
}

function PanelButton({
  panel: { title, icon: Icon, tour },
  id,
  state,
}: PanelPartProps & Pick<PanelCardProps, 'state'>) {
  const isOpen = state.open === title;
  return (
    <h3 className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={contentId(id, title)}
        className={cn(
          'hover:bg-surface-2 flex h-full min-h-7 w-full items-center gap-1.5 rounded-md px-1.5 py-1 text-left text-xs leading-4 font-medium transition-colors max-xl:text-[11px]',
          isOpen && 'bg-accent-soft text-accent-soft-foreground hover:bg-accent-soft',
        )}
        onClick={() => state.toggle(title)}
        {...(tour !== undefined && tourAnchor(tour))}
      >
        <Icon aria-hidden className={cn('size-3.5 shrink-0 max-xl:hidden', !isOpen && 'text-muted')} />
        {title}
      </button>
    </h3>
  );
}

/** Stays mounted while closed: a run continues, and input stays. One that was never opened renders nothing. */
function PanelContent({ panel: { title, content }, id, isOpen }: PanelPartProps & { isOpen: boolean }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <div
      id={contentId(id, title)}
      hidden={!isOpen}
      // Positioned, so that hidden inputs and texts for screen readers scroll with it, and do not lengthen the page. The
      // padding keeps a focused field out of the bar at the end of a form.
      className="relative min-h-0 flex-1 scroll-pb-14 overflow-y-auto overscroll-contain border-t px-3 py-3 max-sm:overflow-visible"
    >
      {wasOpen && <ErrorBoundary region={title}>{content}</ErrorBoundary>}
    </div>
  );
}

export function FoldPanelsButton({ onFold }: { onFold: () => void }) {
  return (
    <Tooltip label="Hide the panels">
      <Button variant="ghost" size="icon-sm" aria-label="Hide the panels" onClick={onFold}>
        <PanelLeftClose aria-hidden />
      </Button>
    </Tooltip>
  );
}

/** In the place of the folded column: an icon for each panel, which opens the column with it. */
export function PanelRail({ panels, state }: Pick<PanelCardProps, 'panels' | 'state'>) {
  return (
    <nav
      aria-labelledby="panel-rail"
      className="bg-surface shadow-card flex shrink-0 flex-col items-center gap-0.5 self-start overflow-y-auto rounded-lg border p-1 max-sm:flex-row max-sm:self-stretch"
    >
      <h2 id="panel-rail" className="sr-only">
        Panels
      </h2>
      <RailButton label="Show the panels" icon={PanelLeftOpen} onClick={() => state.fold(false)} />
      {panels.map(({ title, icon }) => (
        <RailButton key={title} label={title} icon={icon} onClick={() => state.toggle(title)} />
      ))}
    </nav>
  );
}

function RailButton({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: LucideIcon;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label} side="right">
      <Button variant="ghost" size="icon-sm" aria-label={label} onClick={onClick}>
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  );
}
