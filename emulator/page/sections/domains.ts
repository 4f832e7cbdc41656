import type { ConnectedDomain } from '../../service/domains/connected-domain.ts';
import { type DnsInstruction, instructionsFor } from '../../service/domains/instructions.ts';
import type { EmulatedDnsRecord } from '../../service/registered/record.ts';
import type { RegisteredDomain } from '../../service/registered/registered-domain.ts';
import { type Html, html } from '../html.ts';
import { button, muted, noticeAt, type Part, pill, type Tone, type View } from '../part.ts';

/** The connected and the registered domains. */
export function domainParts(view: View): Part[] {
  return [
    { id: 'connected-domains', slot: 'domains', render: () => renderConnectedDomains(view) },
    { id: 'registered-domains', slot: 'domains', render: () => renderRegisteredDomains(view) },
  ];
}

/** The name of a project, of which a domain knows the id. */
function projectName({ emulator }: View, id: string | null): string {
  if (id === null) return 'no project';
  return emulator.world.projects.find((project) => project.id === id)?.name ?? id;
}

function renderConnectedDomains(view: View): Html {
  const { all } = view.emulator.world.domains;
  return html`<section id="connected-domains" class="card">
<header><h3>Connected domains</h3></header>
${all.length === 0 ? muted('None. A run with preview-domain or connected-domains connects one; so does a world file (--world).') : html`<ul class="rows">${all.map((domain) => renderConnected(view, domain))}</ul>`}</section>`;
}

function renderConnected(view: View, domain: ConnectedDomain): Html {
  const { hostname, projectId, statuses } = domain;
  const { state, routing } = view.emulator.dialect.domainWords;
  const tones: Readonly<Record<string, Tone>> = { [state.good]: 'good', [state.bad]: 'bad' };
  const isVerified = statuses.state === state.good;
  const checks = [
    `ownership ${statuses.ownershipStatus}`,
    `certificate ${statuses.certificateStatus}`,
    ...(statuses.routingStatus === routing.unassigned ? [] : [`routing ${statuses.routingStatus}`]),
  ].join(' · ');
  return html`<li id="domain-${hostname}"><div class="facts">${pill(statuses.state, tones[statuses.state] ?? 'busy')} <b>${hostname}</b> → ${projectName(view, projectId)} <span class="right">${!isVerified && button(view, 'verify-domain', { hostname, place: `domain-${hostname}` }, 'Verify', hostname)}</span>${noticeAt(view, `domain-${hostname}`)}</div>
${!isVerified && html`<p class="muted">Waits for: ${checks}</p>`}${statuses.verificationErrors.map((error) => html`<p class="bad">${error}</p>`)}
${!isVerified && renderInstructions(instructionsFor(domain, view.emulator.dialect))}</li>`;
}

const renderInstructions = (instructions: readonly DnsInstruction[]): Html =>
  html`<details class="row"><summary>DNS records to create</summary>${renderTable(
    ['Type', 'Name', 'Value', 'For'],
    instructions.map(({ type, name, value, purpose, required }) => [
      type,
      name,
      value,
      required ? purpose : `${purpose} (optional)`,
    ]),
  )}</details>`;

const renderTable = (heads: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

function renderRegisteredDomains(view: View): Html {
  const { all } = view.emulator.world.registered;
  return html`<section id="registered-domains" class="card">
<header><h3>Registered domains</h3></header>
${all.length === 0 ? muted('None. A world file (--world) lists them.') : html`<ul class="rows">${all.map((domain) => renderRegistered(view, domain))}</ul>`}</section>`;
}

function renderRegistered(view: View, domain: RegisteredDomain): Html {
  const { name, status, autoRenew, expiresAt, boundProjectId, records } = domain;
  const expiry = `${autoRenew ? 'renews' : 'expires'} ${expiresAt.toISOString().slice(0, 10)}`;
  const tone = status === 'active' ? 'good' : 'plain';
  return html`<li id="registered-${name}"><div class="facts">${pill(status, tone)} <b>${name}</b> → ${projectName(view, boundProjectId)} <span class="right muted">${expiry}</span></div>
${records.length > 0 && html`<details class="row" open><summary>DNS records <span class="count">${records.length}</span></summary>${renderTable(['Type', 'Name', 'Content', 'TTL', 'Managed by'], records.map(recordCells))}</details>`}</li>`;
}

const recordCells = ({ type, name, content, ttl, priority, managedReason }: EmulatedDnsRecord) => [
  type,
  name,
  priority === undefined ? content : `${priority} ${content}`,
  String(ttl ?? ''),
  managedReason === null ? 'you' : `the system: ${managedReason}`,
];
