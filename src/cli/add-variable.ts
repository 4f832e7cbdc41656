import { promises } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { readSiteFile } from '../declared/model/read.ts';
import { asObject } from '../kernel/json.ts';
import { clean, defuse } from '../kernel/text/safe.ts';
import { absent, codeOf, onCancel, readFileBelow } from '../machine.ts';
import { readDocument } from '../site-file/document.ts';
import { boundRun } from '../step/step.ts';
import { nameProblem, readItem } from '../variables/model/source.ts';
import { addEntry, addItem } from './add-entry.ts';
import { type SetupRequest, UsageError } from './arguments.ts';
import { exitStatus } from './exit-status.ts';
import { type PlannedFile, writePlanned } from './planned-files.ts';
import { openQuestions, personAt } from './prompt.ts';
import { previewSecret, whyRefused } from './secret-names.ts';
import type { Surroundings } from './surroundings.ts';
import { type ActionStep, actionStepsOf } from './workflow-steps.ts';

const workflows = '.github/workflows';

/** What is to change, and what only a person can change. */
interface Plan {
  files: PlannedFile[];
  /** The edits to make by hand, each with its file and line. */
  byHand: Set<string>;
  /** The secrets of the lines that are added. */
  secrets: Set<string>;
}

/** A workflow of the repository that uses the action. */
interface Workflow {
  path: string;
  text: string;
  steps: readonly ActionStep[];
}

/**
 * Adds a variable to each list of variables that a step of the action reads, and to the step's `env:`.
 *
 * @returns the exit status
 * @throws UsageError if the name is refused, or no step reads variables
 */
export async function addVariable(
  { operand: name, settings }: Pick<SetupRequest, 'operand' | 'settings'>,
  around: Surroundings,
): Promise<number> {
  checkName(name);
  const root = resolve(around.folder, String(settings.into ?? ''));
  const only = settings.config === undefined ? undefined : posix.normalize(String(settings.config));
  const plan: Plan = { files: [], byHand: new Set(), secrets: new Set() };
  const all = await readWorkflows(root, plan);
  const sources = new Map<string, string | undefined>();
  for (const path of new Set(
    all.flatMap(({ steps }) => steps.flatMap((one) => siteOf(one) ?? [])),
  )) {
    if (only === undefined || only === path) await planSite(root, path, name, only, sources, plan);
  }
  const isRead = (step: ActionStep) =>
    sources.has(siteOf(step) ?? '') ||
    (only === undefined && (step.items.length > 0 || isExpression(step.inputs['config'])));
  if (!all.some(({ steps }) => steps.some(isRead)) && plan.byHand.size === 0) {
    throw new UsageError(
      `no step in ${workflows} reads ${clean(only ?? 'variables', 100)}: site-deploy init writes workflows; in your own, add config: .github/site.yml to the step, after one with actions/checkout`,
    );
  }
  for (const workflow of all) planWorkflow(workflow, name, isRead, sources, plan);
  if (plan.files.length > 0) {
    using bounds = boundRun(onCancel, Date.now());
    const person = personAt(around);
    using questions = person && openQuestions(person, bounds.signal);
    const end = await writePlanned(plan.files, root, settings, around, questions);
    if (end === 'declined') return exitStatus({ outcome: 'cancelled', fails: true });
  }
  around.stdout.write(`${defuse(closing(name, plan).join('\n'))}\n`);
  return exitStatus({ outcome: 'failed', fails: plan.byHand.size > 0 });
}

/** @throws UsageError if the name is refused. What follows a "=" may be a value, and is not quoted */
function checkName(name: string): void {
  const problem = nameProblem(name.replace(/=.*/s, '=…'));
  if (problem !== undefined) throw new UsageError(problem);
  const why = whyRefused(name);
  if (why === undefined) return;
  const shown = clean(name, 60);
  throw new UsageError(
    `${shown} can't be added: ${why}. By hand, write ${shown}: { from: SOURCE } in the site file, and add SOURCE to each step`,
  );
}

const isExpression = (text = ''): boolean => text.includes(`\${{`);

/** The site file of a step; undefined if it has none, or one that only a run knows. */
function siteOf({ inputs }: ActionStep): string | undefined {
  const path = (inputs['config'] ?? '').trim();
  return path === '' || isExpression(path) ? undefined : posix.normalize(path);
}

/** Reads the workflows that use the action. What can't be read, but names the action, is left to a person. */
async function readWorkflows(root: string, { byHand }: Plan): Promise<Workflow[]> {
  const names = await promises.readdir(join(root, workflows)).catch((error: unknown) => {
    if (absent.has(codeOf(error))) return [];
    throw new UsageError(`${workflows} can't be read (${codeOf(error)})`);
  });
  const found: Workflow[] = [];
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const path = `${workflows}/${name}`;
    const file = await readFileBelow(root, path);
    if ('problem' in file) {
      byHand.add(`${path} ${file.problem}`);
      continue;
    }
    const { text } = file;
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
 * Adds the variable to a site file, unless that has other sections only, such as checks: then a step that reads it syncs no
 * variables. A site file that is named gets it nevertheless.
 *
 * @param sources collects which variable of a step's environment has the value; undefined if the file itself has it
 */
async function planSite(
  root: string,
  path: string,
  name: string,
  only: string | undefined,
  sources: Map<string, string | undefined>,
  { files, byHand }: Plan,
): Promise<void> {
  const file = await readFileBelow(root, path);
  const before = 'text' in file ? file.text : undefined;
  const text = before ?? '';
  const sections = Object.keys(asObject(readDocument(text).value) ?? {});
  if (only === undefined && sections.length > 0 && !sections.includes('environment')) return;
  const present = readSiteFile(text).siteFile.environment.find((one) => one.name === name);
  if (present !== undefined) {
    sources.set(path, 'from' in present ? present.from : undefined);
    return;
  }
  sources.set(path, name);
  const isReadable = 'text' in file || file.isMissing === true;
  const after =
    text.trim() === ''
      ? `environment:\n  ${name}: {}\n`
      : addEntry(text, ['environment', name], {});
  if (isReadable && after !== undefined) files.push({ path, before, after });
  else byHand.add(`${path}: add ${name}: {} to its environment:`);
}

/** Adds the variable to the lists and the `env:` of each step of a workflow that reads variables. */
function planWorkflow(
  { path, text, steps }: Workflow,
  name: string,
  isRead: (step: ActionStep) => boolean,
  sources: ReadonlyMap<string, string | undefined>,
  { files, byHand, secrets }: Plan,
): void {
  const left: [step: ActionStep, what: string][] = [];
  let after = text;
  for (const step of steps.filter(isRead)) {
    const source = sourceOf(step, name, sources);
    if (source === undefined) continue;
    const isListed = itemOf(step, name) !== undefined;
    if (step.items.length > 0 && !isListed) {
      const item = source === name ? name : `${name}=${source}`;
      const added = addItem(after, [...step.path, 'with', 'env-from'], item);
      if (added === undefined) left.push([step, `add ${item} to its env-from:`]);
      else after = added;
    } else if (isExpression(step.inputs['config']) && !isListed) {
      left.push([step, `add ${name}: {} to environment: in its site file`]);
    }
    const secret = step.isPreview ? previewSecret(source) : source;
    const value = `\${{ secrets.${secret} }}`;
    if (step.env[source] === undefined) {
      secrets.add(secret);
      const added = addEntry(after, [...step.path, 'env', source], value, 'with');
      if (added === undefined) left.push([step, `add ${source}: ${value} to its env:`]);
      else after = added;
    }
  }
  const { positionOf } = readDocument(after);
  for (const [step, what] of left) {
    byHand.add(`${path}:${positionOf([...step.path, 'uses']).line}: ${what}`);
  }
  if (after !== text) files.push({ path, before: text, after });
}

/** The item of `env-from` that has the variable. */
const itemOf = ({ items }: ActionStep, name: string) =>
  items.map(readItem).find(({ target, source }) => (target ?? source) === name);

/** The variable of the step's environment that is to have the value; undefined if a list has the value itself. */
function sourceOf(
  step: ActionStep,
  name: string,
  sources: ReadonlyMap<string, string | undefined>,
): string | undefined {
  // A line of dotenv.
  const own = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, 'm');
  if (own.test(step.inputs['env'] ?? '')) return undefined;
  const site = siteOf(step) ?? '';
  return itemOf(step, name)?.source ?? (sources.has(site) ? sources.get(site) : name);
}

/** What is left to do. */
function closing(name: string, { files, byHand, secrets }: Plan): string[] {
  if (files.length + byHand.size === 0) {
    return [`${name} is already in each list and each env: that needs it. Nothing was written.`];
  }
  const lines: string[] = [];
  if (byHand.size > 0) {
    lines.push('To do by hand (braces, aliases and expressions are not edited):');
    for (const one of byHand) lines.push(`  ${clean(one, 300)}`);
  }
  if (secrets.size > 0) {
    lines.push(
      'To set the value, in the folder of the repository (gh reads it from a prompt or from standard input):',
    );
    for (const secret of [...secrets].sort()) lines.push(`  gh secret set ${secret}`);
  }
  return lines;
}
