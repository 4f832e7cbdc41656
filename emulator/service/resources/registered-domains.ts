import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import { idempotencyKey } from '../checks.ts';
import { ServiceError } from '../errors.ts';
import { callerId } from '../project.ts';
import type { RegisteredDomain } from '../registered/registered-domain.ts';
import { segment } from '../registered/segment.ts';
import { json } from '../reply.ts';
import { noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

const ofDomain = z.object({ name: segment });

/** The id of the project that a body names. @throws a `ServiceError` of the dialect's status if there is none */
function knownProject({ dialect, projects }: World, wanted: string): string {
  const project = projects.find(({ id }) => id === wanted.toLowerCase());
  if (project) return project.id;
  throw new ServiceError(Number(dialect.unknownProject), 'unknown_project', 'No such project.');
}

/** The operations on a registered domain (section "Registered domains"). None of them only reads it. */
export function registeredDomainOperations(world: World): Operation[] {
  const { dialect } = world;
  const key = () => idempotencyKey(dialect);
  return [
    change(
      world,
      'setRenewal',
      'renewal',
      () => z.strictObject({ enabled: z.boolean(), idempotencyKey: key() }),
      (domain, body) => domain.renew(body.enabled),
    ),
    change(
      world,
      'bindDomain',
      'bind',
      () => z.strictObject({ projectId: z.string().min(1), idempotencyKey: key() }),
      (domain, body) => domain.bind(knownProject(world, body.projectId)),
    ),
    change(
      world,
      'unbindDomain',
      'unbind',
      () => z.strictObject({ idempotencyKey: key() }),
      (domain) => domain.unbind(),
    ),
  ];
}

type Keyed = { idempotencyKey?: string | undefined };

/** An operation that changes a domain and answers it. The change tells if there was anything to change. */
function change<Body extends Keyed>(
  { dialect, registered, idempotency }: World,
  name: string,
  lastPart: string,
  body: () => z.ZodType<Body>,
  carryOut: (domain: RegisteredDomain, body: Body) => boolean,
): Operation {
  return operation({
    name,
    method: 'POST',
    path: `/domains/{name}/${lastPart}`,
    params: ofDomain,
    query: noQuery,
    body,
    handle: ({ params, body: given }) => {
      const scope = `${name} ${params.name}`;
      return idempotency.once(scope, given.idempotencyKey, given, async () => {
        const domain = registered.get(params.name);
        const changed = carryOut(domain, given);
        return json(200, describe(domain, dialect), changed);
      });
    },
  });
}

const month = 30 * 24 * 3_600_000;
const renewalPriceMicroUsd = 13_050_000;

/** Section "Registered domain". */
function describe(domain: RegisteredDomain, dialect: Dialect): unknown {
  const { name, status, autoRenew, boundProjectId, registeredAt, expiresAt } = domain;
  const { bindWords, extraFields } = dialect;
  return applyDialect(dialect, {
    name,
    status: extraFields ? 'transfer_locked' : status,
    autoRenew,
    privacyMode: extraFields ? 'proxy' : 'redaction',
    boundProjectId,
    bindStatus: boundProjectId === null ? bindWords.unbound : bindWords.bound,
    createdByUserId: callerId,
    registeredAt,
    expiresAt,
    renewal: describeRenewal(domain, dialect),
  });
}

/** The renewal object. Without renewal the domain works until it expires (section "States and transitions"). */
function describeRenewal({ autoRenew, expiresAt }: RegisteredDomain, { renewalWords }: Dialect) {
  const at = (offset: number) => new Date(expiresAt.getTime() + offset);
  return {
    state: autoRenew ? renewalWords.on : renewalWords.off,
    expiresAt,
    chargeAt: autoRenew ? at(-month) : null,
    hardDeadlineAt: autoRenew ? at(month) : null,
    serviceEndsAt: autoRenew ? null : expiresAt,
    amountMicroUsd: renewalPriceMicroUsd,
    retryPaymentAvailable: false,
    termYears: 1,
    autoRenew,
  };
}
