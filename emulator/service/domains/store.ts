import type { Dialect } from '../../dialect.ts';
import { notFound, ServiceError } from '../errors.ts';
import { ConnectedDomain } from './connected-domain.ts';

/**
 * The organisation's connected domains. Every method does all that it does at once, so that requests which run
 * at the same time take effect one after the other.
 */
export class ConnectedDomains {
  readonly #dialect: Dialect;
  readonly #domains = new Map<string, ConnectedDomain>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** All domains, in order of connection. */
  get all(): readonly ConnectedDomain[] {
    return [...this.#domains.values()];
  }

  /** The domain of this hostname, if it is connected. */
  find(hostname: string): ConnectedDomain | undefined {
    return this.#domains.get(hostname);
  }

  /** The domain of this hostname. @throws a `ServiceError` if it is not connected */
  get(hostname: string): ConnectedDomain {
    const domain = this.find(hostname);
    if (!domain) throw notFound('The connected domain');
    return domain;
  }

  /** Connects a hostname. @throws a `ServiceError` if it is connected already */
  connect(hostname: string, projectId: string | null): ConnectedDomain {
    if (this.#domains.has(hostname)) {
      throw new ServiceError(409, 'hostname_taken', `The domain ${hostname} is connected already.`);
    }
    const domain = new ConnectedDomain(hostname, projectId, this.#dialect);
    this.#domains.set(hostname, domain);
    return domain;
  }

  /** Removes a domain. @throws a `ServiceError` if it is not connected */
  disconnect(hostname: string): void {
    if (!this.#domains.delete(hostname)) throw notFound('The connected domain');
  }
}
