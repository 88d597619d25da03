import type { Page } from '@playwright/test';
import { signUp } from './sign-up.ts';

/** Somebody new in the free trial, whose images, subsets and files are the test's alone. */
export interface NewUser {
  /** As the authentication service answered it. */
  readonly session: string;
}

/** Signs up somebody new; they are signed in on this page from its next address on. */
export async function becomeNewUser(page: Page): Promise<NewUser> {
  const email = `e2e-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}@cellfolio.test`;
  const session = await signUp(email, 'a passphrase of the test');
  await signInAs(page, { session });
  return { session };
}

/** Signs a known user in on another page, as if the browser remembered them. */
export async function signInAs(page: Page, { session }: NewUser): Promise<void> {
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('signed-in') !== null) return;
    sessionStorage.setItem('signed-in', 'yes');
    localStorage.setItem('cellfolio-auth', stored);
  }, session);
}
