import type { Emulator } from '../../emulator/index.ts';
import { startPlay } from '../player/play.ts';
import { check, createProject, quote, title } from './stage.ts';

const www = 'www.localhost';
const preview = 'next.localhost';

/** Two projects in turn: a release that is moved to, and one that is moved back. */
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

  title('Blue and green: a release goes to the idle project, is checked there, and moved to');
  const first = await deploy();
  check(first.outputs['outcome'] === 'succeeded', 'the step succeeded');
  check(serving() === green.id, `${www} is on the project just deployed to`);

  title('The next one holds at the preview, and fails at the domain itself');
  const fault = emulator.faults.add({
    kind: 'status',
    status: 503,
    effect: false,
    operation: 'site',
    // The check holds at the preview, where it is asked twice, or once more while it is being assigned.
    after: 3,
    times: Number.POSITIVE_INFINITY,
  });
  const second = await deploy();
  fault.remove();
  check(
    second.outputs['outcome'] === 'rolled-back',
    'the outcome is rolled-back, and the step failed',
  );
  check(serving() === green.id, `${www} is on the former project again`);
}
