export interface Credentials {
  email: string;
  password: string;
}

export type CredentialsProblems = { [Field in keyof Credentials]?: string };

export const minPasswordLength = 6;

/** Problems by field; empty if valid. `emailIsWellFormed` is the browser's own verdict on the email field. */
export function checkCredentials(
  credentials: Credentials,
  purpose: 'sign-in' | 'sign-up',
  emailIsWellFormed: boolean,
): CredentialsProblems {
  const problems: CredentialsProblems = {};
  const email = checkEmail(credentials.email, emailIsWellFormed);
  if (email !== undefined) problems.email = email;
  if (credentials.password === '') problems.password = 'Password is required';
  else if (purpose === 'sign-up' && credentials.password.length < minPasswordLength) {
    problems.password = `Password must be at least ${minPasswordLength} characters`;
  }
  return problems;
}

/** The problem of an email address; `undefined` if valid. */
export function checkEmail(email: string, isWellFormed: boolean): string | undefined {
  if (email.trim() === '') return 'Email is required';
  return isWellFormed ? undefined : 'Please enter a valid email address';
}
