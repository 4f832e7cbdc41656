import { account } from '../objects/actors.ts';
import type { Call, Handler } from '../operation.ts';
import { RequestRefusal } from '../refusal.ts';
import type { World } from '../state/world.ts';

/** The operation on the token's own account, which an installation's token does not have. */
export function userOperations({ api }: World) {
  return {
    'users/get-authenticated': ({ login }: Call) => {
      if (login.endsWith('[bot]'))
        throw new RequestRefusal(403, 'Resource not accessible by integration');
      return { status: 200, body: account(api, login) };
    },
  } satisfies Record<string, Handler>;
}
