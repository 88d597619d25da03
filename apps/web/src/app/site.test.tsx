import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

afterEach(() => vi.restoreAllMocks());

function visitor() {
  const fake = fakeServices();
  fake.auth.signOut();
  return fake;
}

test('an unknown path says so, links home and logs the path', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  renderApp('/no/such/page', visitor());
  expect(await screen.findByRole('heading', { name: '404' })).toBeVisible();
  expect(screen.getByText('Oops! Page not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  await waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('/no/such/page')));
});

test('the bar leads to the pages, and to Login or Account as the session says at the moment', async () => {
  const fake = visitor();
  renderApp('/', fake);
  const bar = await screen.findByRole('navigation', { name: 'Main' });
  expect(
    within(bar)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/features', '/pricing', '/blog', '/contact']);
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth');
  fake.auth.signIn();
  expect(await screen.findByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
  fake.auth.signOut();
  expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible();
});

test('the landing page leads to the datasets, the demo and the trial, and says how it works', async () => {
  renderApp('/', visitor());
  expect(await screen.findByRole('link', { name: 'Start Exploring' })).toHaveAttribute(
    'href',
    '/dataset-selector',
  );
  expect(screen.getByRole('link', { name: 'View Demo' })).toHaveAttribute('href', '/demo/explorer');
  expect(screen.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth');
  const steps = within(screen.getByRole('list', { name: 'How It Works' }));
  expect(steps.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
    'Visualize Genes',
    'Filter Cell Subsets',
    'Analyze & Export',
  ]);
  const foot = within(screen.getByRole('contentinfo'));
  for (const group of ['Product', 'Company', 'Blog', 'Support'])
    expect(foot.getByRole('navigation', { name: group })).toBeVisible();
  expect(foot.getByText('About').closest('a')).toBeNull();
  expect(foot.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    expect.arrayContaining(['/features', '/pricing', '/blog', '/contact', '/consulting']),
  );
  expect(foot.getByText('© 2025 Cellfolio')).toBeVisible();
});

test('the demo goes from step to step by buttons and arrow keys, and ends with the trial', async () => {
  const { user, address } = renderApp('/demo', visitor());
  expect(await screen.findByRole('heading', { level: 2, name: /5,198 cells/ })).toBeVisible();
  expect(screen.getByText('Simulated')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByRole('img', { name: /EPCAM/ })).toBeVisible();
  expect(address()).toBe('/demo?step=gene');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(screen.getByText('Step 7 of 7')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth');
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByText('Step 6 of 7')).toBeVisible();
});

test('the features page has core features with images and six further analyses', async () => {
  renderApp('/features', visitor());
  expect(await screen.findByRole('heading', { name: 'Gene Visualization' })).toBeVisible();
  expect(screen.getAllByRole('img')).toHaveLength(6);
  expect(screen.getAllByText('Available')).toHaveLength(6);
  for (const title of [
    'DEG Analysis',
    'Pathway Enrichment',
    'Gradient Analysis',
    'Cell-Cell Communication',
    'Trajectory Analysis',
    'Co-Expression Analysis',
  ])
    expect(screen.getByRole('heading', { name: title })).toBeVisible();
});

test('the consulting page has four services and two links to the contact form', async () => {
  renderApp('/consulting', visitor());
  await screen.findByRole('heading', { level: 1 });
  const main = within(screen.getByRole('main'));
  expect(main.getAllByRole('heading', { level: 2 })).toHaveLength(5);
  expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/contact',
    '/contact',
  ]);
});

describe('pricing', () => {
  test('three plans with their prices and what they hold; custom upload is Professional only', async () => {
    renderApp('/pricing', visitor());
    const card = async (name: string) => within(await screen.findByRole('region', { name }));
    expect((await card('Free Trial')).getByText('$0')).toBeVisible();
    expect((await card('Standard')).getByText('$300')).toBeVisible();
    const professional = await card('Professional');
    expect(professional.getByText('$450')).toBeVisible();
    expect(professional.getByText('40 GB private dataset storage')).toBeVisible();
    expect(screen.getByText(/Custom data upload is part of the Professional plan only/)).toBeInTheDocument();
  });

  test('the plans name every analysis that the features offer', async () => {
    const { unmount } = renderApp('/features', visitor());
    const further = (await screen.findByRole('heading', { name: 'And for harder questions' })).parentElement!
      .parentElement!;
    const titles = within(further)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent.toLowerCase());
    expect(titles).toHaveLength(6);
    unmount();
    renderApp('/pricing', visitor());
    const answer = await screen.findByText(/AI image analysis is part of Professional/);
    for (const title of titles) expect(answer.textContent.toLowerCase()).toContain(title);
  });

  test('a notice at the top reports an ended trial, and only then', async () => {
    const { unmount } = renderApp('/pricing?trial_expired=true', visitor());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Your 7-day free trial has expired. Please upgrade to continue using the platform.',
    );
    unmount();
    renderApp('/pricing', visitor());
    await screen.findByText('$300');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('signed out, Standard leads to sign-in; Professional cannot be chosen', async () => {
    renderApp('/pricing', visitor());
    expect(await screen.findByRole('link', { name: 'Log In to Upgrade' })).toHaveAttribute('href', '/auth');
    expect(screen.getByRole('button', { name: 'Coming Soon' })).toBeDisabled();
  });

  test('while the session is unknown, the plans do not ask to log in', async () => {
    const fake = visitor();
    const unknown = { status: 'loading' } as const;
    fake.services.session = { ...fake.services.session, get: () => unknown };
    renderApp('/pricing', fake);
    expect(await screen.findByRole('button', { name: 'Upgrade' })).toBeDisabled();
    expect(screen.queryByRole('link', { name: 'Log In to Upgrade' })).toBeNull();
  });

  async function getStarted(answer: () => Response) {
    const tab = { opener: window, location: { replace: vi.fn() }, close: vi.fn() };
    const open = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    const fake = fakeServices();
    fake.auth.signIn();
    fake.answer('/functions/v1/create-checkout', answer);
    const { user } = renderApp('/pricing', fake);
    await user.click(await screen.findByRole('button', { name: 'Get Started' }));
    expect(open).toHaveBeenCalledTimes(1);
    return { tab, fake };
  }

  test('signed in, Standard opens the checkout in a new tab', async () => {
    const { tab, fake } = await getStarted(() => json({ url: 'https://pay.example/session' }));
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://pay.example/session'));
    expect(fake.requests.at(-1)).toMatchObject({
      path: '/functions/v1/create-checkout',
      body: { plan: 'standard' },
    });
  });

  test.each([
    [401, 'Authentication required', 'Please sign in to subscribe.'],
    [500, 'Error creating checkout', 'Unable to create checkout session.'],
  ])('a checkout refused with %i closes the tab and says so', async (status, title, text) => {
    const { tab } = await getStarted(() => json({ error: 'no' }, status));
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
    expect(tab.close).toHaveBeenCalled();
  });

  test('an answer without an address is reported as something that went wrong', async () => {
    await getStarted(() => json({}));
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeVisible();
  });
});

describe('contact', () => {
  async function write(answers: { insert?: number; mail?: number }) {
    const fake = visitor();
    fake.answer('/rest/v1/contact_submissions', () => new Response(null, { status: answers.insert ?? 201 }));
    fake.answer('/functions/v1/send-contact-email', () => json({}, answers.mail ?? 200));
    const { user } = renderApp('/contact', fake);
    await user.type(await screen.findByPlaceholderText('Your full name'), ' Ada ');
    await user.type(screen.getByPlaceholderText('your.email@example.com'), 'ada@lab.example');
    await user.type(screen.getByPlaceholderText('Tell us how we can help you...'), 'Which tumours?');
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    return { fake, user, message: screen.getByLabelText('Message') };
  }
  const sent = { name: 'Ada', email: 'ada@lab.example', subject: '', message: 'Which tumours?' };

  test('the form asks for what it needs, beside where and when the team is', async () => {
    renderApp('/contact', visitor());
    expect(await screen.findByLabelText('Name')).toBeRequired();
    expect(screen.getByLabelText('Email')).toBeRequired();
    expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
    expect(screen.getByLabelText('Message')).toBeRequired();
    expect(screen.getByPlaceholderText("What's this about?")).not.toBeRequired();
    expect(screen.getByText('9:00 AM-6:00 PM PST')).toBeVisible();
    expect(screen.getByText('10:00 AM-2:00 PM PST')).toBeVisible();
    expect(within(screen.getByRole('main')).getByText('San Diego, California')).toBeVisible();
  });

  test('a message is kept, then mailed; the form is empty again', async () => {
    const { fake, message } = await write({});
    expect(await screen.findByText('Message Sent Successfully')).toBeVisible();
    expect(fake.requests.map(({ path, body }) => [path.split('?')[0], body])).toEqual([
      ['/rest/v1/contact_submissions', sent],
      ['/functions/v1/send-contact-email', sent],
    ]);
    expect(message).toHaveValue('');
  });

  test('a message whose mail failed is kept, and the form is empty', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { message } = await write({ mail: 500 });
    expect(await screen.findByText('Message Saved')).toBeVisible();
    expect(message).toHaveValue('');
  });

  test('a message that was not kept stays in the form, and no mail is sent', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { fake, message } = await write({ insert: 500 });
    expect(await screen.findByText('Failed to send message. Please try again.')).toBeVisible();
    expect(message).toHaveValue('Which tumours?');
    expect(fake.requests.some(({ path }) => path.includes('send-contact-email'))).toBe(false);
  });

  test('a message over the limit is answered with the time to try again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const fake = visitor();
    const refusal = {
      code: 'PT429',
      message: '200 messages have come within an hour, and no more are taken.',
      hint: 'Send yours again in an hour.',
    };
    fake.answer('/rest/v1/contact_submissions', () => json(refusal, 429));
    const { user } = renderApp('/contact', fake);
    await user.type(await screen.findByPlaceholderText('Your full name'), 'Ada');
    await user.type(screen.getByPlaceholderText('your.email@example.com'), 'ada@lab.example');
    await user.type(screen.getByPlaceholderText('Tell us how we can help you...'), 'Which tumours?');
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    const words = `Failed to send message. Please try again. ${refusal.message} ${refusal.hint}`;
    expect(await screen.findByText(words)).toBeVisible();
  });

  test('while a message is on its way the button says so and takes no second click', async () => {
    const fake = visitor();
    let answer: (response: Response) => void = () => {};
    fake.answer('/rest/v1/contact_submissions', () => new Promise((done) => (answer = done)));
    fake.answer('/functions/v1/send-contact-email', () => json({}));
    const { user } = renderApp('/contact', fake);
    await user.type(await screen.findByLabelText('Name'), 'Ada');
    await user.type(screen.getByLabelText('Email'), 'ada@lab.example');
    await user.type(screen.getByLabelText('Message'), 'Hello');
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(await screen.findByRole('button', { name: 'Sending...' })).toBeDisabled();
    await waitFor(() => expect(fake.requests).toHaveLength(1));
    answer(new Response(null, { status: 201 }));
    expect(await screen.findByRole('button', { name: 'Send Message' })).toBeEnabled();
  });
});
