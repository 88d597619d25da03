import { type ReactNode, useRef, useState, type FormEvent } from 'react';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection } from '@/components/site-section.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { refusalReason } from '@/lib/refusal-reason.ts';
import { usePublicServices, type Services } from '@/lib/services.ts';

const officeHours = [
  ['Mon-Fri', '9:00 AM-6:00 PM PST'],
  ['Sat', '10:00 AM-2:00 PM PST'],
  ['Sun', 'Closed'],
] as const;

function ContactPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Contact"
        description="Questions about datasets, plans or an analysis: write to the Cellfolio team in San Diego."
      />
      <PageIntro title="Write to us.">
        Ask about a dataset, a plan, or an analysis you are unsure about. Single-cell analysts answer.
      </PageIntro>
      <SiteSection className="grid gap-12 pt-12 md:grid-cols-[2fr_1fr] md:gap-16 md:pt-14">
        <ContactForm />
        <div className="flex flex-col gap-10">
          <Detail title="Location">
            <p>San Diego, California</p>
            <p className="text-muted">We work with groups everywhere, remotely.</p>
          </Detail>
          <Detail title="Office hours">
            <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 tabular-nums">
              {officeHours.map(([days, hours]) => (
                <div key={days} className="contents">
                  <dt className="text-muted">{days}</dt>
                  <dd>{hours}</dd>
                </div>
              ))}
            </dl>
          </Detail>
        </div>
      </SiteSection>
    </SiteLayout>
  );
}

function Detail({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-t pt-5 text-[15px]">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

export { ContactPage as Component };

const notices = {
  sent: () =>
    toast.success('Message Sent Successfully', {
      description: "Thank you for contacting us. We'll get back to you soon!",
    }),
  kept: () =>
    toast.info('Message Saved', {
      description:
        "Your message has been saved, but there was an issue sending the email notification. We'll still get back to you soon!",
    }),
  failed: (error: unknown) =>
    toast.error('Error', {
      description: `Failed to send message. Please try again. ${refusalReason(error)}`.trim(),
    }),
};

/** The browser validates required fields; fields keep their text until the message is stored. */
function ContactForm() {
  const { load } = usePublicServices();
  const [sending, setSending] = useState(false);
  const busy = useRef(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget;
    const message = read(form);
    // Blanks count as empty.
    for (const name of ['name', 'message'] as const) {
      if (message[name] !== '') continue;
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        field.value = '';
        field.reportValidity();
      }
      return;
    }
    busy.current = true;
    setSending(true);
    try {
      const outcome = await sendMessage(load, message);
      form.reset();
      notices[outcome]();
    } catch (error) {
      console.warn(error);
      notices.failed(error);
    } finally {
      busy.current = false;
      setSending(false);
    }
  };

  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <Fields />
      <noscript>
        <p className="text-muted text-sm">Sending a message needs JavaScript.</p>
      </noscript>
      <Button type="submit" size="lg" disabled={sending} className="sm:self-start noscript:hidden">
        {sending && <Spinner />}
        {sending ? 'Sending...' : 'Send Message'}
      </Button>
    </form>
  );
}

function Fields() {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              name="name"
              required
              maxLength={500}
              autoComplete="name"
              placeholder="Your full name"
              className="h-11 text-base"
            />
          )}
        </Field>
        <Field label="Email">
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              required
              maxLength={500}
              autoComplete="email"
              placeholder="your.email@example.com"
              className="h-11 text-base"
            />
          )}
        </Field>
      </div>
      <Field label="Subject" optional>
        {(control) => (
          <Input
            {...control}
            name="subject"
            maxLength={1000}
            placeholder="What's this about?"
            className="h-11 text-base"
          />
        )}
      </Field>
      <Field label="Message">
        {(control) => (
          <Textarea
            {...control}
            name="message"
            required
            maxLength={20_000}
            rows={7}
            placeholder="Tell us how we can help you..."
            className="text-base"
          />
        )}
      </Field>
    </>
  );
}

function read(form: HTMLFormElement): ContactMessage {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  return { name: text('name'), email: text('email'), subject: text('subject'), message: text('message') };
}

interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/**
 * Stores a message, then notifies the team by mail. Resolves with whether the mail was sent; rejects if the message was
 * not stored.
 */
async function sendMessage(
  load: () => Promise<Pick<Services, 'tables' | 'functions'>>,
  message: ContactMessage,
): Promise<'sent' | 'kept'> {
  const services = await load();
  const { error } = await (await services.tables()).from('contact_submissions').insert(message);
  if (error !== null) throw new Error('The message was not saved.', { cause: error });
  try {
    const functions = await services.functions();
    const mail = await functions.invoke('send-contact-email', { body: message });
    if (mail.error !== null) throw mail.error;
    return 'sent';
  } catch (cause) {
    console.warn('The message was saved, but its email was not sent.', cause);
    return 'kept';
  }
}
