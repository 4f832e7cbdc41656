import { secretsInGitUrl } from '../../core/git/git-url.ts';
import type { DeployReport } from '../../core/report/report.ts';
import { deploy } from '../../inputs/deploy.ts';
import { type LookAhead, looks } from '../../service/looks.ts';
import type { Hidden, Start } from '../action.ts';
import { prepareDeploy } from '../deploy/facts.ts';
import { matcherOf } from '../deploy/preview.ts';
import type { StepWork } from '../deploy/work.ts';
import type { Step } from '../step.ts';
import { type Declared, readDeclared } from '../way-in/declared.ts';

/** Reads the variables; the domains that a deploy tells of are its previews', and the one of its page. */
async function read(step: Step<'deploy'>): Promise<Declared & Hidden> {
  const { inputs, context } = step;
  const template = inputs.get('preview-domain');
  const page = URL.parse(inputs.get('verify-url') ?? '')?.hostname;
  const previews = template === undefined ? undefined : matcherOf(template, context);
  const swapped = inputs.get('swap-domains') ?? [];
  const isTold = (name: string) =>
    name === page || previews?.matches(name) === true || swapped.includes(name);
  const declared = await readDeclared(step);
  const named = ['project-id', 'preview-projects', 'swap-projects'] as const;
  const projects = named.flatMap((name) => inputs.get(name) ?? []);
  const inUrl = secretsInGitUrl(inputs.get('git-url') ?? '', projects);
  return { ...declared, secrets: [...declared.secrets, ...inUrl], isTold };
}

/** A project's variables are looked at first, or where it has to be leased, who holds which. */
function look(work: StepWork): LookAhead | undefined {
  if (work.kind === 'clean-up' || work.request === undefined) return undefined;
  const { target } = work.request;
  return target.kind === 'project' ? looks.environment(target.id) : looks.connectedDomains();
}

/** The root's action. */
export const deployStart: Start<'deploy', Declared & Hidden, StepWork, DeployReport> = {
  inputs: deploy.inputs,
  read,
  prepare: prepareDeploy,
  look,
  load: async () => (await import('../actions/deploy.ts')).deployAction,
};
