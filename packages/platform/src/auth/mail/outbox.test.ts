import { expect, test } from 'vitest';
import { type Mail, Outbox } from './mailer.ts';

const mail: Mail = { to: 'ada@example.org', subject: 'Hello', text: '' };

test('a failed mail is retried, and a delivered one is not logged', async () => {
  let tries = 0;
  const lines: string[] = [];
  const outbox = new Outbox(
    {
      send: async () => {
        tries += 1;
        if (tries < 3) throw new Error('greylisted');
      },
    },
    { log: (line) => lines.push(line), retryAfterMs: [0, 0, 0] },
  );
  outbox.post(mail);
  await expect.poll(() => tries).toBe(3);
  await outbox.close();
  expect({ tries, lines }).toEqual({ tries: 3, lines: [] });
});

test('a mail that never arrives is logged, without its address', async () => {
  const lines: string[] = [];
  const outbox = new Outbox(
    {
      send: async () => {
        throw new Error(`550 <${mail.to}>: no such mailbox`);
      },
    },
    { log: (line) => lines.push(line), retryAfterMs: [0] },
  );
  outbox.post(mail);
  await outbox.close();
  expect(lines).toEqual(['mail "Hello" could not be sent: 550 <…>: no such mailbox']);
  expect(lines.join()).not.toContain(mail.to);
});

test('requests do not wait for the mail server, but closing does', async () => {
  let arrive = (): void => {};
  let sent = false;
  const outbox = new Outbox(
    {
      send: async () => {
        await new Promise<void>((resolve) => {
          arrive = resolve;
        });
        sent = true;
      },
    },
    { log: () => {} },
  );
  outbox.post(mail);
  expect(sent).toBe(false);
  const closed = outbox.close();
  arrive();
  await closed;
  expect(sent).toBe(true);
});

test('past its capacity mails are dropped and logged', async () => {
  const lines: string[] = [];
  let arrive = (): void => {};
  const stuck = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const outbox = new Outbox({ send: () => stuck }, { log: (line) => lines.push(line), capacity: 2 });
  for (let time = 0; time < 3; time += 1) outbox.post(mail);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/dropped/);
  arrive();
  await outbox.close();
});
