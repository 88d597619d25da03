import type { Services } from '@/lib/services.ts';

/** Field names as the table has them. */
export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/**
 * Keeps a message, then tells the team by mail. Resolves with whether that mail went out; rejects when the message
 * was not kept.
 */
export async function sendMessage(
  load: () => Promise<Pick<Services, 'tables' | 'functions'>>,
  message: ContactMessage,
): Promise<'sent' | 'kept'> {
  const services = await load();
  const { error } = await (await services.tables()).from('contact_submissions').insert(message);
  if (error !== null) throw new Error('The message was not kept.', { cause: error });
  try {
    const functions = await services.functions();
    const mail = await functions.invoke('send-contact-email', { body: message });
    if (mail.error !== null) throw mail.error;
    return 'sent';
  } catch (cause) {
    console.warn('The message was kept, but its mail did not go out.', cause);
    return 'kept';
  }
}
