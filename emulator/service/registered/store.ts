import type { Dialect } from '../../dialect.ts';
import { notFound } from '../errors.ts';
import { RegisteredDomain, type RegistrationOptions } from './registered-domain.ts';

/** The workspace's registered domains. */
export class RegisteredDomains {
  readonly #dialect: Dialect;
  readonly #domains = new Map<string, RegisteredDomain>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** All domains, in order of registration. */
  get all(): readonly RegisteredDomain[] {
    return [...this.#domains.values()];
  }

  /** The domain of this name, if it is registered. */
  find(name: string): RegisteredDomain | undefined {
    return this.#domains.get(name);
  }

  /** The domain of this name. @throws a `ServiceError` if it is not registered */
  get(name: string): RegisteredDomain {
    const domain = this.find(name);
    if (!domain) throw notFound('The registered domain');
    return domain;
  }

  /** Registers a domain. @throws if it is registered already */
  register(name: string, options: RegistrationOptions): RegisteredDomain {
    if (this.#domains.has(name)) throw new Error(`${name} is registered already`);
    const domain = new RegisteredDomain(name, options, this.#dialect);
    this.#domains.set(name, domain);
    return domain;
  }
}
