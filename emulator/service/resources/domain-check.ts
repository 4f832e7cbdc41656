import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import type { RegistryVerdict } from '../../registered-dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import { shuffled } from '../registered/order.ts';
import { askRegistry } from '../registered/registry.ts';
import { json } from '../reply.ts';
import { noParams, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

/** `POST /domain/check` (section "Registered domains"). Nothing is bought. */
export function domainCheckOperations(world: World): Operation[] {
  const { dialect } = world;
  const checkDomains = operation({
    name: 'checkDomains',
    method: 'POST',
    path: '/domain/check',
    params: noParams,
    query: noQuery,
    body: () => z.strictObject({ domains: z.array(z.string()).min(1).max(20) }),
    handle: ({ body: { domains } }) => {
      const ordered =
        dialect.resultOrder === 'asked' ? domains : shuffled(domains, dialect.seed, (name) => name);
      const results = ordered.map((name) => describeResult(name, verdictOn(name, world), dialect));
      return json(200, Object.assign({ results }, applyDialect(dialect, {})));
    },
  });
  return [checkDomains];
}

function verdictOn(name: string, { dialect, registered }: World): RegistryVerdict {
  if (registered.find(name.toLowerCase())) return { registrable: false, reason: 'taken' };
  return dialect.availability === 'by-name' ? askRegistry(name) : dialect.availability(name);
}

/** Section "Domain availability result". */
function describeResult(asked: string, verdict: RegistryVerdict, dialect: Dialect): unknown {
  const { registrable, premium = false } = verdict;
  const name = dialect.checkedNames === 'as-given' ? asked : asked.toLowerCase();
  const rest = verdict.registrable ? prices(verdict, dialect) : { reason: verdict.reason };
  return applyDialect(dialect, { name, registrable, premium, ...rest });
}

type Quote = Extract<RegistryVerdict, { registrable: true }>;

function prices({ cost, renewalCost = cost }: Quote, dialect: Dialect): object {
  const { priceFields, priceMarkup, priceCurrency, pricingIncludesMarkup } = dialect;
  const factor = (pricingIncludesMarkup ? priceMarkup : 1) * priceCurrency.perUsd;
  const inCents = (usd: number) => Math.round(usd * factor * 100) / 100;
  const pricing = {
    currency: priceCurrency.code,
    registrationCost: inCents(cost),
    renewalCost: inCents(renewalCost),
  };
  const registrationPriceMicroUsd = Math.round(cost * priceMarkup * 100) * 10_000;
  return {
    ...(priceFields !== 'micro-usd' && priceFields !== 'neither' && { pricing }),
    ...(priceFields !== 'pricing' && priceFields !== 'neither' && { registrationPriceMicroUsd }),
  };
}
