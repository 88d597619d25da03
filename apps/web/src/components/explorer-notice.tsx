import type { ReactNode } from 'react';
import { AppHeader } from './app-header.tsx';

interface NoticeTextProps {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  below?: ReactNode;
  children?: ReactNode;
  role?: 'alert' | 'status';
}

export function ExplorerNotice(props: NoticeTextProps) {
  return (
    <NoticePage>
      <NoticeText {...props} />
    </NoticePage>
  );
}

export function NoticePage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>Explorer · Cellfolio</title>
      <AppHeader />
      <main id="content" tabIndex={-1} className="flex flex-1 items-center justify-center p-6 outline-none">
        {children}
      </main>
    </div>
  );
}

export function NoticeText({ icon, title, text, below, children, role }: NoticeTextProps) {
  return (
    <div role={role} className="flex max-w-md flex-col items-center gap-3 text-center">
      <div className="text-muted [&_svg]:size-8">{icon}</div>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <div className="text-muted text-pretty">{text}</div>
      {below}
      {children !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
