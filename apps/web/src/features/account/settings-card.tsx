import type { ReactNode } from 'react';
import { useId } from 'react';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';

interface SettingsCardProps {
  title: string;
  /** What this part is for. */
  about?: ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** One part of the account page. */
export function SettingsCard({ title, about, aside, children }: SettingsCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader className="px-5 pt-4 pb-1">
        <CardTitle id={id} className="text-[15px]">
          {title}
        </CardTitle>
        {aside}
      </CardHeader>
      <CardContent className="flex flex-col gap-4 px-5 pb-5">
        {about !== undefined && <p className="text-muted max-w-prose text-[13px] text-pretty">{about}</p>}
        {children}
      </CardContent>
    </Card>
  );
}
