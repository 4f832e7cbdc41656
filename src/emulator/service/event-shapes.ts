import type { Dialect, StreamDialect } from '../dialect.ts';
import type { Deployment, DeploymentEvent } from './deployments.ts';

/** One server-sent event: its name, if it has one, and its data. */
export interface Frame {
  readonly event: string | null;
  readonly data: string;
}

interface Status {
  readonly deploymentId: string;
  readonly status: string;
  readonly message?: string;
}

const statusShapes: Record<StreamDialect['shape'], (status: Status) => Frame> = {
  json: (status) => frame('status', status),
  'data-only': (status) => frame(null, status),
  'name-only': ({ status, message }) => ({
    event: status,
    data: message ?? `The deployment is ${status}.`,
  }),
  nested: (status) => frame('deployment', { deployment: status }),
  typed: (status) => frame(null, { type: 'deployment.status', data: status }),
};

/** An event of a deployment in the dialect's shape. */
export function describeEvent(
  event: DeploymentEvent,
  { id }: Deployment,
  { stream, hostileText }: Dialect,
): Frame {
  const named = stream.shape !== 'data-only' && stream.shape !== 'typed';
  switch (event.kind) {
    case 'status':
      return statusShapes[stream.shape]({
        deploymentId: id,
        status: event.status,
        ...(hostileText !== null && { message: hostileText }),
      });
    case 'log':
      return frame(named ? 'log' : null, { type: 'log', [stream.logShape]: event.line });
    case 'step':
      return frame(named ? 'step' : null, { type: 'step', name: event.name, status: 'completed' });
  }
}

function frame(event: string | null, data: object): Frame {
  return { event, data: JSON.stringify(data) };
}
