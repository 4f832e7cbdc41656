import type { Emulator } from '../../emulator/index.ts';
import { startPlay } from '../player/play.ts';
import { check, createProject, quote, title } from './stage.ts';

const www = 'www.localhost';
const preview = 'next.localhost';

/** Two blue-green releases: one that takes over the domain, and one that is rolled back. */
export async function playBlueGreen(emulator: Emulator): Promise<void> {
  const blue = await createProject(emulator);
  const green = await createProject(emulator);
  emulator.world.connectDomain(www, blue.id);
  emulator.world.connectDomain(preview, blue.id);
  const deploy = async (more: Record<string, string> = {}) => {
    const inputs = {
      'commit-sha': 'HEAD',
      'project-id': '',
      'swap-projects': `${blue.id},${green.id}`,
      'swap-domains': www,
      'preview-domain': preview,
      'verify-url': `http://{preview-domain}:${new URL(emulator.url).port}/`,
      'verify-timeout': '2s',
      'github-deployment': 'false',
      ...more,
    };
    const event = { name: 'workflow_dispatch', payload: {} };
    const given = { action: 'deploy', inputs, event, onLine: quote } as const;
    return await startPlay({ emulator, project: blue }, given).done;
  };
  const serving = () => emulator.world.domains.find(www)?.projectId;

  title('Blue-green: deploy to the idle project, check it there, and move the domain to it');
  const first = await deploy();
  check(first.outputs['outcome'] === 'succeeded', 'the step succeeded');
  check(serving() === green.id, `${www} is assigned to the newly deployed project`);

  title('The next release passes its checks at the preview and fails them at the domain');
  const fault = emulator.faults.add({
    kind: 'status',
    status: 503,
    effect: false,
    operation: 'site',
    // The check passes at the preview, where it runs twice, or once more while the domain is being assigned.
    after: 3,
    times: Number.POSITIVE_INFINITY,
  });
  const second = await deploy();
  fault.remove();
  check(
    second.outputs['outcome'] === 'rolled-back',
    'the step failed with the outcome rolled-back',
  );
  check(serving() === green.id, `${www} is assigned to the previous project again`);
}
