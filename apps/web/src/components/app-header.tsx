import { BookOpen, CircleUser, Command, Keyboard, LogOut, Signpost, Upload } from 'lucide-react';
import { use, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CommandsContext } from '@/lib/commands.ts';
import { docsPath } from '@/lib/docs.ts';
import { usePublicServices, useSession } from '@/lib/services.ts';
import { keyCaps } from '@/lib/shortcuts.ts';
import { HeaderGeneFinder } from './gene-finder-box.tsx';
import { Logo, SkipLink, ThemeToggle } from './header-parts.tsx';
import { Button } from './ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './ui/dropdown-menu.tsx';
import { NoticePlace } from './ui/notice-place.tsx';
import { toast } from './ui/toast.ts';

interface AppHeaderProps {
  beforeSignOut?: (signOut: () => void) => void;
  /** Opens gene searches in a new tab, since the page's state would be lost. */
  findsInNewTab?: boolean;
  /** Starts the tour of the page; absent on pages without a tour. */
  onTour?: () => void;
  actions?: ReactNode;
  children?: ReactNode;
}

export function AppHeader({
  beforeSignOut,
  findsInNewTab = false,
  onTour,
  actions,
  children,
}: AppHeaderProps) {
  const signedIn = useSession().status === 'signed-in';
  return (
    <>
      <SkipLink />
      <header className="bg-surface flex h-13 shrink-0 items-center gap-4 border-b px-4">
        <Logo />
        <div className="flex min-w-0 items-center gap-4">{children}</div>
        <NoticePlace className="min-w-0 flex-1 lg:in-data-notices:min-w-74" />
        {actions}
        <div className="flex items-center gap-1">
          <PaletteButton />
          {signedIn && <HeaderGeneFinder newTab={findsInNewTab} />}
          <ThemeToggle />
          {/* There before it is known who is signed in. */}
          <div className="flex h-9 min-w-9 items-center justify-end">
            <AccountMenu beforeSignOut={beforeSignOut} onTour={onTour} />
          </div>
        </div>
      </header>
    </>
  );
}

function PaletteButton() {
  const commands = use(CommandsContext);
  if (commands === null) return null;
  return (
    <Button
      variant="ghost"
      size="sm"
      title="Command palette"
      aria-keyshortcuts="Control+K Meta+K"
      className="text-muted gap-1.5 px-2 max-sm:hidden"
      onClick={commands.openPalette}
    >
      <Command aria-hidden />
      <span className="sr-only">Command palette</span>
      <kbd aria-hidden className="rounded border px-1.5 font-sans text-[11px] leading-4.5 max-lg:hidden">
        {keyCaps({ key: 'k', ctrl: true }).join(' ')}
      </kbd>
    </Button>
  );
}

interface AccountMenuProps {
  beforeSignOut?: AppHeaderProps['beforeSignOut'] | undefined;
  onTour: AppHeaderProps['onTour'] | undefined;
}

function AccountMenu({ beforeSignOut = atOnce, onTour }: AccountMenuProps) {
  const session = useSession();
  const { load } = usePublicServices();
  const commands = use(CommandsContext);
  const trigger = useRef<HTMLButtonElement>(null);
  const startsTour = useRef(false);
  if (session.status === 'loading') return null;
  if (session.status === 'signed-out') {
    return (
      <Button asChild variant="secondary" size="sm">
        <Link to="/auth">Login</Link>
      </Button>
    );
  }
  const signOut = async () => {
    const { auth } = await load();
    const { error } = await auth.signOut();
    if (error) {
      // On a network failure the client library passes on the browser's message.
      const words = error.name === 'AuthRetryableFetchError' ? '' : error.message;
      toast.error('Error', { description: words || 'Signing out failed. Please try again.' });
    }
  };
  return (
    // Not modal: the page stays readable for screen readers while this small menu is open.
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button ref={trigger} variant="ghost" size="icon" aria-label={`Signed in as ${session.user.email}`}>
          <CircleUser aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent
        // The tour takes the focus, which the closing menu would give back to its button.
        onCloseAutoFocus={(event) => {
          if (!startsTour.current) return;
          startsTour.current = false;
          event.preventDefault();
          onTour?.();
        }}
      >
        <DropdownMenuLabel>
          Signed in as <span className="text-foreground block font-medium">{session.user.email}</span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link to="/upload-data">
            <Upload aria-hidden />
            Upload Data
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={docsPath} target="_blank" rel="noopener">
            <BookOpen aria-hidden />
            Docs
          </a>
        </DropdownMenuItem>
        {onTour !== undefined && (
          <DropdownMenuItem onSelect={() => (startsTour.current = true)}>
            <Signpost aria-hidden />
            Take the tour
          </DropdownMenuItem>
        )}
        {commands !== null && (
          <>
            <DropdownMenuItem onSelect={commands.openPalette}>
              <Command aria-hidden />
              Command palette
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={commands.openShortcuts}>
              <Keyboard aria-hidden />
              Keyboard shortcuts
            </DropdownMenuItem>
          </>
        )}
        <DropdownMenuItem
          onSelect={() => {
            // The item disappears with the menu: a dialog that asks first needs an element to return the focus to.
            trigger.current?.focus();
            beforeSignOut(() => void signOut());
          }}
        >
          <LogOut aria-hidden />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function atOnce(signOut: () => void): void {
  signOut();
}
