/** One operation of the interface: what decides how it is sent and how its failure is reported. */
export interface Operation {
  /** In words, such as "create the deployment". */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What may be missing if the service returns 404; `nothing`: the service always has the path. */
  readonly about:
    | 'nothing'
    | 'project'
    | 'deployment'
    | 'variable'
    | 'connected-domain'
    | 'registered-domain'
    | 'dns-record';
  /**
   * Whether it may be sent again although it may have arrived.
   *
   * - `freely`: it changes nothing
   * - `with-key`: if it has an idempotency key; doing it twice does no harm
   * - `after-read`: only after a read that doesn't show its effect; the next run reads it, too
   * - `by-hand`: likewise, but the next run can't see its effect: a user has to check the service
   */
  readonly repeat: 'freely' | 'with-key' | 'after-read' | 'by-hand';
  /** True if it sets what can't be read: a 409 may mean that it is set already. */
  readonly isUnreadable?: true;
}

/** A read that the interface does not describe. */
export const undescribedRead = (name: string): Operation => ({
  name,
  method: 'GET',
  about: 'project',
  repeat: 'freely',
});

const read = (name: string, about: Operation['about'] = 'project') => ({
  ...undescribedRead(name),
  about,
});

const post = (
  name: string,
  about: Operation['about'],
  repeat: Operation['repeat'] = 'with-key',
): Operation => ({ name, method: 'POST', about, repeat });

const write = (name: string, method: Operation['method']): Operation => ({
  name,
  method,
  about: 'variable',
  repeat: 'after-read',
});

/** Every operation of the interface. */
export const operations = {
  listProjects: read('list the projects', 'nothing'),
  createProject: post('create a project', 'nothing', 'by-hand'),
  createDeployment: post('create the deployment', 'deployment'),
  sendMessage: post('send the message', 'project', 'by-hand'),
  listMessages: read("list the project's messages"),

  readEnvironment: read("read the project's variables"),
  createVariable: write('create the variable', 'POST'),
  replaceVariable: write('replace the variable', 'PUT'),
  retargetVariable: write('retarget the variable', 'PATCH'),
  deleteVariable: write('delete the variable', 'DELETE'),

  listConnectedDomains: read('list the connected domains', 'connected-domain'),
  connectDomain: post('connect the domain', 'connected-domain'),
  readConnectedDomain: read('read the connected domain', 'connected-domain'),
  readConnectedDomainStatuses: post(
    'read the status of connected domains',
    'connected-domain',
    'freely',
  ),
  assignDomain: post('assign the domain', 'connected-domain'),
  clearDomain: post('unassign the domain', 'connected-domain'),
  disconnectDomain: post('disconnect the domain', 'connected-domain'),

  checkDomains: post('check the availability of domains', 'project', 'freely'),
  listDnsRecords: read('list the DNS records', 'registered-domain'),
  createDnsRecord: post('create the DNS record', 'registered-domain', 'after-read'),
  updateDnsRecord: {
    name: 'update the DNS record',
    method: 'PATCH',
    about: 'dns-record',
    repeat: 'with-key',
  },
  enableRenewal: { ...post('turn the renewal on', 'registered-domain'), isUnreadable: true },
  disableRenewal: { ...post('turn the renewal off', 'registered-domain'), isUnreadable: true },
  // Its 404 may be about the project.
  bindDomain: { ...post('bind the domain', 'project'), isUnreadable: true },
  unbindDomain: { ...post('unbind the domain', 'registered-domain'), isUnreadable: true },
} as const satisfies Record<string, Operation>;
