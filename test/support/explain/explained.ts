import { explainDeployStep } from '../../../src/actions/explain/deploy.ts';
import { readDeclared } from '../../../src/declared/declared.ts';
import { type DeployValues, deployDefinition } from '../../../src/deploy/inputs.ts';
import type { RunEvent } from '../../../src/kernel/event.ts';
import { createSanitize } from '../../../src/kernel/text/redact.ts';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import type { RunContext } from '../../../src/platform.ts';
import { readInputs } from '../../../src/step/read-values.ts';
import type { Step } from '../../../src/step/step.ts';

export const [one, two] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;

/** The inputs of each step here, without those that are given. */
const usual = {
  mode: 'explain',
  'api-key': 'fake-key-that-nobody-knows',
  'base-url': 'https://api.example.com',
  'github-token': 'token',
  'project-id': one,
};

const contextOf = (event: RunEvent): RunContext => ({
  event,
  can: { recordsDeployments: true, readsPullRequests: true },
  repository: 'octo-org/site',
  identity: {
    repository: 'octo-org/site',
    runId: '77',
    runAttempt: '1',
    job: 'j',
    step: 's',
    nonce: 'n',
  },
  workspace: '',
  temp: '',
  apiUrl: 'https://api.github.com',
  serverUrl: 'https://github.com',
  runUrl: 'https://github.com/octo-org/site/actions/runs/77',
});

/** The step of such a run. */
export function stepOf(
  event: RunEvent,
  given: Readonly<Record<string, string>>,
): Step<DeployValues> {
  const texts: Readonly<Record<string, string>> = { ...usual, ...given };
  const inputs = readInputs(deployDefinition.inputs, (name) => texts[name]);
  const environment = { STRIPE_KEY: 'fake-stripe-key-value' };
  const readFile = () => Promise.reject(new Error('no file here'));
  return { inputs, context: contextOf(event), environment, secrets: [], readFile };
}

/** The reasons of a permission in one order. */
const inOrder = (line: string) => {
  const [permission = '', whys = ''] = line.split('#');
  return `${permission.trim().padEnd(22)} # ${whys
    .split(';')
    .map((why) => why.trim())
    .toSorted()
    .join('; ')}`;
};

/** What `mode: explain` reports of a run: a line for its title, each row, variable, check, permission and output. */
export async function explained(
  event: RunEvent,
  given: Readonly<Record<string, string>>,
): Promise<string[]> {
  const step = stepOf(event, given);
  const declared = await readDeclared(step);
  const end = explainDeployStep(
    step,
    declared,
    createSanitize((text) => unsafeText(text)),
  );
  const lines = end.logEntries.flatMap(({ kind, ...entry }) => {
    const text = 'diagnostic' in entry ? entry.diagnostic.text : (entry.text ?? '');
    return kind === 'group-end' || text.startsWith('Based on ') ? [] : [text];
  });
  return [
    end.title,
    ...lines.map((line) => (line.startsWith('  ') ? inOrder(line) : line.replace(/ {2,}/, ': '))),
    ...Object.entries(end.outputs).flatMap(([name, value]) =>
      value ? [`${name} = ${value}`] : [],
    ),
    ...(end.skippedReason === undefined ? [] : [`skipped-reason = ${end.skippedReason}`]),
    ...end.problems.map(({ input, code, message }) => `${code} ${input}: ${message}`),
  ];
}
