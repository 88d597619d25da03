declare const owns: unique symbol;

/**
 * Id of an owner, a UUID. Rows, files, jobs, documents and quotas belong to owners (`cellfolio.owners`), today always to
 * users. Sessions, personal keys, open tabs and turns are of the user who acts.
 */
export type Owner = string & { readonly [owns]: true };

/** The user who acts in a call. */
export interface Caller {
  userId: string;
}

/** Actions that a role with an owner allows on what belongs to it. `cellfolio.rights` has the same for the policies. */
export const rights = {
  self: ['read', 'write'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Role = keyof typeof rights;
export type Action = (typeof rights)[Role][number];

/** The one place, with `userOfOwner`, that knows that a user is the owner of the same id. */
export function ownerOfUser(userId: string): Owner {
  return userId as Owner;
}

/** The user in whose name the server acts for an owner, as when a job adds a file. */
export function userOfOwner(owner: Owner): string {
  return owner;
}

/** A caller's roles by owner. */
function rolesOf({ userId }: Caller): ReadonlyMap<Owner, Role> {
  return new Map([[ownerOfUser(userId), 'self']]);
}

/** Whether a caller, undefined without an account, may do something with what belongs to an owner. */
export function may(caller: Caller | undefined, action: Action, { owner }: { owner: Owner }): boolean {
  const role = caller && rolesOf(caller).get(owner);
  return role !== undefined && rights[role].includes(action);
}

/** The owner to whom belongs what a caller makes, and whose things it lists. */
export function ownerOf({ userId }: Caller): Owner {
  return ownerOfUser(userId);
}
