import { expect, test } from 'vitest';
import { platformSettings, type RateLimitNumbers } from '../settings/platform-settings.ts';
import { createRateLimits } from './rate-limits.ts';
import { network } from '../gateway/admission.ts';

const numbers = (overrides: Partial<RateLimitNumbers>) =>
  platformSettings.parse({ rateLimits: overrides }).rateLimits;

test('requests past the limit of an address are refused with the time to wait, and other addresses go on', async () => {
  const limits = createRateLimits(numbers({ signUp: 2 }));
  await limits.countRequest('signUp', '10.0.0.1');
  await limits.countRequest('signUp', '10.0.0.1');
  await expect(limits.countRequest('signUp', '10.0.0.1')).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    retryAfterSeconds: 300,
  });
  await limits.countRequest('signUp', '10.0.0.2');
  await limits.countRequest('token', '10.0.0.1');
});

test('wrong passwords are counted per account and address, also concurrent ones', async () => {
  const limits = createRateLimits(numbers({ passwordFailures: 3 }));
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => limits.countPasswordAttempt('ada@example.org', '10.0.0.1')),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await limits.countPasswordAttempt('ada@example.org', '10.0.0.2');
  await limits.countPasswordAttempt('grace@example.org', '10.0.0.1');
});

test('guessing at one account from many addresses is stopped', async () => {
  const limits = createRateLimits(numbers({ passwordFailures: 3, accountFailures: 5 }));
  for (let address = 1; address <= 5; address += 1) {
    await limits.countPasswordAttempt('ada@example.org', `10.0.0.${address}`);
  }
  await expect(limits.countPasswordAttempt('ada@example.org', '10.0.0.9')).rejects.toMatchObject({
    status: 429,
  });
});

test('a right password clears the count', async () => {
  const limits = createRateLimits(numbers({ passwordFailures: 2, accountFailures: 2 }));
  for (let time = 0; time < 10; time += 1) {
    await (await limits.countPasswordAttempt('ada@example.org', '10.0.0.1')).succeeded();
  }
  await expect(limits.countPasswordAttempt('ada@example.org', '10.0.0.1')).resolves.toBeDefined();
});

test('a right password is accepted thirty times in five minutes, and again afterwards', async () => {
  const limits = createRateLimits(numbers({ accountSignIns: 2 }));
  for (let time = 0; time < 2; time += 1) {
    await (await limits.countPasswordAttempt('ada@example.org', `10.0.0.${time}`)).succeeded();
  }
  await expect(limits.countPasswordAttempt('ada@example.org', '10.0.0.9')).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 300,
  });
  await limits.countPasswordAttempt('grace@example.org', '10.0.0.1');
});

test('disabled limits count nothing', async () => {
  const limits = createRateLimits(platformSettings.parse({ rateLimits: false }).rateLimits);
  const counted = Array.from({ length: 1000 }, () => limits.countRequest('signUp', '10.0.0.1'));
  await expect(Promise.all(counted)).resolves.toHaveLength(1000);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the network of %s is %s', (address, expected) => {
  expect(network(address)).toBe(expected);
});
