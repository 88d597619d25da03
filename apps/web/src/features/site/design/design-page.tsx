import { SiteLayout } from '@/components/site-layout.tsx';
import { Controls } from './controls.tsx';
import { Foundations } from './foundations.tsx';
import { Messages } from './messages.tsx';

/** Every control in every state, to look at while working on them; not in the built site. */
function DesignPage() {
  return (
    <SiteLayout>
      <title>Design · Cellfolio</title>
      <div className="mx-auto w-full max-w-6xl px-5 py-10 md:px-8">
        <h1 className="text-headline pb-8 font-semibold">Design</h1>
        <Foundations />
        <Controls />
        <Messages />
      </div>
    </SiteLayout>
  );
}

export { DesignPage as Component };
