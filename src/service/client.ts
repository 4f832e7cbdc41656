import { type Caller, type CallOptions, createCaller } from './call.ts';
import { type ConnectedDomainsApi, connectedDomainsApi } from './connected-domains-api.ts';
import { type DeploymentsApi, deploymentsApi } from './deployments-api.ts';
import { type EnvironmentApi, environmentApi } from './environment-api.ts';
import { type MessagesApi, messagesApi } from './messages-api.ts';
import { type ProjectsApi, projectsApi } from './projects-api.ts';
import { type RegisteredDomainsApi, registeredDomainsApi } from './registered-domains-api.ts';

/**
 * The service's interface as functions. Each throws ServiceError, or the reason of the run's signal once
 * that aborts; retries follow the policy of each request.
 */
export type ServiceClient = ProjectsApi &
  EnvironmentApi &
  DeploymentsApi &
  ConnectedDomainsApi &
  RegisteredDomainsApi &
  MessagesApi &
  Pick<Caller, 'look' | 'openEvents' | 'requests' | 'unconnected' | 'cutOff' | 'close'>;

/** Makes a client with one connection pool; close it when the run ends. */
export function createClient(options: CallOptions): ServiceClient {
  const caller = createCaller(options);
  return {
    ...projectsApi(caller),
    ...environmentApi(caller),
    ...deploymentsApi(caller),
    ...connectedDomainsApi(caller),
    ...registeredDomainsApi(caller),
    ...messagesApi(caller),
    look: caller.look,
    openEvents: caller.openEvents,
    close: caller.close,
    get requests() {
      return caller.requests;
    },
    get unconnected() {
      return caller.unconnected;
    },
    get cutOff() {
      return caller.cutOff;
    },
  };
}
