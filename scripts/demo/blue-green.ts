import type { Emulator } from '../../emulator/index.ts';
import { addressOf, beginScene, check, createProject, note, runStep } from './stage.ts';

const www = 'www.localhost';
const preview = 'next.localhost';

/** Two blue-green releases: one that takes over the domain, and one that is rolled back. */
export async function playBlueGreen(emulator: Emulator): Promise<void> {
  const blue = await createProject(emulator);
  const green = await createProject(emulator);
  emulator.world.connectDomain(www, blue.id);
  emulator.world.connectDomain(preview, blue.id);
  const deploy = async () => {
    const inputs = {
      'commit-sha': 'HEAD',
      'project-id': '',
      'swap-projects': `${blue.id},${green.id}`,
      'swap-domains': www,
      'preview-domain': preview,
      'verify-url': addressOf(emulator, '{preview-domain}'),
      'verify-timeout': '2s',
      'github-deployment': 'false',
    };
    const event = { name: 'workflow_dispatch', payload: {} };
    return await runStep({ emulator, project: blue }, { action: 'deploy', inputs, event });
  };
  const serving = () => emulator.world.domains.find(www)?.projectId;

  beginScene(
    'Blue and green',
    'The idle one of two projects gets the release, is checked, and takes over the domain.',
  );
  const first = await deploy();
  check(first.outputs['outcome'] === 'succeeded', 'the step succeeded');
  check(serving() === green.id, `${www} is assigned to the newly deployed project`);
  note(`In your browser: ${addressOf(emulator, www)}`);

  beginScene(
    'Blue and green, with a fault',
    'The next release passes its checks at first, and fails them at the domain. The domain moves back.',
  );
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
