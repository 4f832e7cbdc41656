import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSiteFile } from '../declared/model/read.ts';
import { asObject } from '../kernel/json.ts';
import { clean, defuse } from '../kernel/text/safe.ts';
import { readDocument } from '../site-file/document.ts';
import { nameProblem, readItem } from '../variables/model/source.ts';
import { addEntry } from './add-entry.ts';
import { type SetupRequest, settingOf, UsageError } from './arguments.ts';
import { exitStatus } from './exit-status.ts';
import { type PlannedFile, readExisting, writePlanned } from './planned-files.ts';
import { previewSecret, whyRefused } from './secret-names.ts';
import type { SetupSurroundings } from './surroundings.ts';
import { type ActionStep, actionStepsOf } from './workflow-steps.ts';

const workflows = '.github/workflows';

/** What is to change, and what only a person can change. */
interface Plan {
  files: PlannedFile[];
  /** The edits to make by hand, each with its file. */
  byHand: Set<string>;
  /** The secrets of the lines that are added. */
  secrets: Set<string>;
}

/** A workflow, and its steps that use the action. */
interface Workflow {
  path: string;
  text: string;
  steps: readonly ActionStep[];
}

/**
 * Adds a variable to each site file that a step of the action reads variables from, and to the `env:` of each step that
 * reads variables.
 *
 * @returns the exit status
 * @throws UsageError if the name is refused, or no step reads variables
 */
export async function addVariable(
  request: SetupRequest,
  around: SetupSurroundings,
): Promise<number> {
  const { operand: name } = request;
  checkName(name);
  const root = resolve(around.folder, settingOf(request, 'into') ?? '.');
  const plan: Plan = { files: [], byHand: new Set(), secrets: new Set() };
  const { files, byHand } = plan;
  const found = await readWorkflows(root, plan);
  const steps = found.flatMap((workflow) => workflow.steps);
  const sources = new Map<string, string | undefined>();
  for (const path of new Set(steps.flatMap(({ site }) => site || []))) {
    await planSite(root, path, name, plan, sources);
  }
  if (byHand.size === 0 && !steps.some(({ site, items }) => sources.has(site) || items[0])) {
    throw new UsageError(
      `no step in ${workflows} reads variables: site-deploy init writes workflows; in your own, add config: .github/site.yml to the step, after one with actions/checkout, and environment: to that file`,
    );
  }
  for (const workflow of found) planWorkflow(workflow, name, plan, sources);
  await writePlanned(files, root, request.settings, around);
  around.stdout.write(`${defuse(closing(name, plan).join('\n'))}\n`);
  return exitStatus({ outcome: 'failed', fails: byHand.size > 0 });
}

/** @throws UsageError if the name is refused. What follows a "=" may be a value, and is not quoted */
function checkName(name: string): void {
  const problem = nameProblem(name.replace(/=.*/s, '=…'));
  if (problem !== undefined) throw new UsageError(problem);
  const why = whyRefused(name);
  if (why !== undefined) throw new UsageError(`${clean(name, 60)} can't be added: ${why}`);
}

/** Reads the workflows and their steps. What has a mistake, but names the action, is left to a person. */
async function readWorkflows(root: string, { byHand }: Plan): Promise<Workflow[]> {
  const found: Workflow[] = [];
  for (const name of globSync('*.{yml,yaml}', { cwd: join(root, workflows) }).sort()) {
    const path = `${workflows}/${name}`;
    const text = (await readExisting(root, path)) ?? '';
    const { value, mistakes } = readDocument(text);
    const [mistake] = mistakes;
    if (mistake === undefined) found.push({ path, text, steps: actionStepsOf(value) });
    else if (/site-deploy-action/i.test(text)) {
      byHand.add(`${path}:${mistake.line}: ${mistake.message}. Then run this again`);
    }
  }
  return found;
}

/**
 * Adds the variable to a site file, unless that has other sections only, such as checks: a step that reads it syncs no
 * variables.
 *
 * @param sources collects which variable of a step's environment has the value; undefined if the file itself has it
 */
async function planSite(
  root: string,
  path: string,
  name: string,
  { files, byHand }: Plan,
  sources: Map<string, string | undefined>,
): Promise<void> {
  const isExpression = path.includes(`\${{`);
  const before = isExpression ? undefined : await readExisting(root, path);
  const text = before ?? '';
  const sections = Object.keys(asObject(readDocument(text).value) ?? {});
  if (sections.length > 0 && !sections.includes('environment')) return;
  const present = readSiteFile(text).siteFile.environment.find((one) => one.name === name);
  if (present !== undefined) {
    sources.set(path, 'from' in present ? present.from : undefined);
    return;
  }
  sources.set(path, name);
  const after = isExpression ? undefined : addEntry(text, ['environment', name], {});
  if (after === undefined) byHand.add(`${path}: add ${name}: {} to its environment:`);
  else files.push({ path, before, after });
}

/** Adds the variable to the `env:` of each step of a workflow that needs it. */
function planWorkflow(
  { path, text, steps }: Workflow,
  name: string,
  { files, byHand, secrets }: Plan,
  sources: ReadonlyMap<string, string | undefined>,
): void {
  let after = text;
  const leave = (step: ActionStep, what: string) => {
    // What is added later is below it.
    const { line } = readDocument(after).positionOf([...step.path, 'uses']);
    byHand.add(`${path}:${line}: ${what}`);
  };
  for (const step of steps) {
    const isOfList = !sources.has(step.site) && step.items.length > 0;
    const listed = step.items.map(readItem).find((one) => (one.target ?? one.source) === name);
    if (isOfList && listed === undefined) leave(step, `add ${name} to its env-from:`);
    const source = isOfList ? (listed?.source ?? name) : sources.get(step.site);
    if (source === undefined || step.env[source] !== undefined) continue;
    const secret = step.isPreview ? previewSecret(source) : source;
    const value = `\${{ secrets.${secret} }}`;
    secrets.add(secret);
    const added = addEntry(after, [...step.path, 'env', source], value);
    if (added === undefined) leave(step, `add ${source}: ${value} to its env:`);
    else after = added;
  }
  if (after !== text) files.push({ path, before: text, after });
}

/** What is left to do. */
function closing(name: string, { files, byHand, secrets }: Plan): string[] {
  if (files.length + byHand.size === 0) {
    return [`${name} is already in each site file and each env: that needs it.`];
  }
  const lines: string[] = [];
  if (byHand.size > 0) {
    lines.push('To do by hand (braces, aliases, lists and expressions are not edited):');
    for (const one of byHand) lines.push(`  ${clean(one, 300)}`);
  }
  if (secrets.size > 0) {
    lines.push('To set the value (gh prompts for it, or reads it from standard input):');
    for (const secret of [...secrets].sort()) lines.push(`  gh secret set ${secret}`);
  }
  lines.push('Then commit and push the files.');
  return lines;
}
