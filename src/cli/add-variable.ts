import { promises } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { isMap, isScalar } from 'yaml';
import { readSiteFile } from '../declared/model/read.ts';
import { deployDefinition } from '../deploy/inputs.ts';
import { clean, defuse } from '../kernel/text/safe.ts';
import { absent, codeOf, type FolderFile, readFileBelow } from '../machine.ts';
import { addEntry, addItem, parseText, resolved } from '../site-file/add-entry.ts';
import { showMistake } from '../site-file/position.ts';
import { isReserved, nameProblem, readItem } from '../variables/model/source.ts';
import { type Flags, UsageError } from './arguments.ts';
import { exitStatus } from './exit-status.ts';
import { type PlannedFile, writePlanned } from './planned-files.ts';
import type { Surroundings } from './surroundings.ts';
import { type ActionStep, actionStepsOf, isShared, namesIn, pairAt } from './workflow-steps.ts';

const workflows = '.github/workflows';

/** What is to change, and what only a person can change. */
interface Plan {
  files: PlannedFile[];
  /** The edits to make by hand, each with its file and line. */
  byHand: string[];
  /** The secrets of the lines that are added. */
  secrets: Set<string>;
}

/** A workflow of the repository, and its steps that use the action. */
interface Workflow {
  path: string;
  /** As it is in the file, with a byte order mark. */
  text: string;
  steps: readonly ActionStep[];
}

/**
 * Adds a variable to each list of variables that a step of the action reads, and to the step's `env:`.
 *
 * @returns the exit status
 * @throws UsageError if the name is wrong, or no step reads variables
 */
export async function addVariable(
  { operand: name, settings }: Pick<Flags, 'settings'> & { operand: string },
  around: Surroundings,
): Promise<number> {
  checkName(name);
  const { into = '', config } = settings;
  const root = resolve(around.folder, String(into));
  const only = config === undefined ? undefined : posix.normalize(String(config));
  const plan: Plan = { files: [], byHand: [], secrets: new Set() };
  const all = await readWorkflows(root, plan);
  checkUse(name, all);
  await readComposites(root, name, plan);
  const sites = new Map<string, FolderFile>();
  for (const path of all.flatMap(({ steps }) => steps.flatMap((step) => siteOf(step) ?? []))) {
    const file = await readFileBelow(root, path);
    if (only === undefined ? hasVariables(file) : path === only) sites.set(path, file);
  }
  const isRead = (step: ActionStep) =>
    sites.has(siteOf(step) ?? '') ||
    (only === undefined && (step.items.length > 0 || isExpression(step.inputs['config'])));
  if (!all.some(({ steps }) => steps.some(isRead)) && plan.byHand.length === 0) {
    throw new UsageError(noStep(all, only));
  }
  const sources = new Map(
    [...sites].map(([path, file]) => [path, planSite(path, file, name, plan)]),
  );
  for (const workflow of all) planWorkflow(workflow, name, isRead, sources, plan);
  const { files, byHand } = plan;
  if (files.length > 0) {
    const end = await writePlanned(files, root, settings, around);
    if (end === 'declined') return exitStatus({ outcome: 'cancelled', fails: true });
  }
  around.stdout.write(`${defuse(closing(name, plan).join('\n'))}\n`);
  return exitStatus({ outcome: 'failed', fails: byHand.length > 0 });
}

/** @throws UsageError if no secret of GitHub can have this name. What follows a "=" may be a value, and is not quoted */
function checkName(name: string): void {
  const problem = nameProblem(name.replace(/=.*/s, '=…'));
  if (problem !== undefined) throw new UsageError(problem);
  if (/^[A-Za-z_]\w*$/.test(name) && !isReserved(name)) return;
  const shown = clean(name, 60);
  throw new UsageError(
    `${shown} can't be the name of a GitHub secret: by hand, write ${shown}: { from: SOURCE } in the site file, and SOURCE in each step's env:`,
  );
}

/** @throws UsageError if the secret of this name is that of an input, which no variable may have the value of */
function checkUse(name: string, all: readonly Workflow[]): void {
  const secret = new RegExp(`\\bsecrets\\.(?:PREVIEW_)?${name}\\b`, 'i');
  for (const { path, steps } of all) {
    for (const { inputs, line } of steps) {
      const input = secretInputs.find((one) => secret.test(inputs[one] ?? ''));
      if (input === undefined) continue;
      throw new UsageError(
        `${clean(path)}:${line}: ${input} has the secret of this name, which no variable of a site may have: choose another name`,
      );
    }
  }
}

const secretInputs = Object.entries(deployDefinition.inputs).flatMap(([name, input]) =>
  'secret' in input ? [name] : [],
);

const isExpression = (text = ''): boolean => text.includes(`\${{`);

/** False of a site file that has other sections only, such as checks: a step that reads it syncs no variables. */
function hasVariables(file: FolderFile): boolean {
  if ('problem' in file) return true;
  const { contents } = parseText(withoutMark(file.text)).document;
  return !isMap(contents) || contents.items.length === 0 || contents.has('environment');
}

/** The site file of a step; undefined if it has none, or one that only a run knows. */
function siteOf({ inputs }: ActionStep): string | undefined {
  const path = (inputs['config'] ?? '').trim();
  return path === '' || isExpression(path) ? undefined : posix.normalize(path);
}

/** Reads the workflows of a repository. Those that can't be read, but seem to use the action, are left to a person. */
async function readWorkflows(root: string, plan: Plan): Promise<Workflow[]> {
  const names = await promises.readdir(join(root, workflows)).catch((error: unknown) => {
    if (absent.has(codeOf(error))) return [];
    throw new UsageError(`${workflows} can't be read (${codeOf(error)})`);
  });
  const found: Workflow[] = [];
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const path = `${workflows}/${name}`;
    const file = await readFileBelow(root, path);
    if ('problem' in file) {
      plan.byHand.push(`${path} ${file.problem}`);
      continue;
    }
    const { text } = file;
    const parsed = parseText(withoutMark(text));
    const [error] = [...parsed.document.errors];
    if (error === undefined) found.push({ path, text, steps: actionStepsOf(parsed) });
    else if (/site-deploy-action/i.test(text)) {
      const line = text.slice(0, error.pos[0]).split('\n').length;
      plan.byHand.push(`${path}:${line}: this is not valid YAML: fix it, and run this again`);
    }
  }
  return found;
}

/** Leaves composite actions to a person: they can't read secrets. */
async function readComposites(root: string, name: string, plan: Plan): Promise<void> {
  for await (const path of promises.glob('.github/actions/**/action.{yml,yaml}', { cwd: root })) {
    const file = await readFileBelow(root, path);
    if ('problem' in file || new RegExp(`\\b${name}\\b`).test(file.text)) continue;
    const lines = file.text.split('\n');
    const line = lines.findIndex((one) => /\/site-deploy-action(?:\/env-sync)?@/i.test(one)) + 1;
    if (line === 0) continue;
    const shown = path.replaceAll('\\', '/');
    plan.byHand.push(
      `${shown}:${line}: give this composite action an input for ${name}, and set ${name} to it in the step's env:`,
    );
  }
}

const mark = '\ufeff';
const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);
const markOf = (text: string): string => (text.startsWith(mark) ? mark : '');

function noStep(all: readonly Workflow[], only: string | undefined): string {
  if (only !== undefined) return `no step in ${workflows} reads the site file ${clean(only, 100)}`;
  const [first] = all.flatMap(({ path, steps }) => steps.map(({ line }) => `${path}:${line}`));
  return first === undefined
    ? `no step in ${workflows} uses this action (composite actions, and workflows of other repositories, are not read); "site-deploy init" writes workflows`
    : `no step in ${workflows} reads variables: add config: .github/site.yml to the step at ${clean(first)}, after a step with actions/checkout, and run this again`;
}

/**
 * Adds the variable to a site file.
 *
 * @returns the variable of the step's environment that has its value; undefined if it has none
 */
function planSite(path: string, file: FolderFile, name: string, plan: Plan): string | undefined {
  if ('problem' in file && !file.isMissing) {
    plan.byHand.push(`${path} ${file.problem}: add ${name}: {} to its environment:`);
    return name;
  }
  const before = 'text' in file ? file.text : undefined;
  const text = before ?? '';
  const { siteFile } = readSiteFile(text);
  const present = siteFile.environment.find((variable) => variable.name === name);
  if (present !== undefined) return 'from' in present ? present.from : undefined;
  const removed = siteFile.removals.find((variable) => variable.name === name);
  if (removed !== undefined) {
    plan.byHand.push(
      `${path}:${removed.line}: remove: true deletes ${name}: take it out, and run this again`,
    );
    return undefined;
  }
  const after = addToSite(withoutMark(text), name);
  const read = readSiteFile(after ?? text);
  if (after !== undefined && read.siteFile.environment.some((variable) => variable.name === name)) {
    plan.files.push({ path, before, after: `${markOf(text)}${after}` });
    return name;
  }
  const why = read.ok ? '' : ` (${read.mistakes.slice(0, 1).map(showMistake).join('')})`;
  plan.byHand.push(`${path}: this file can't be edited${why}: add ${name}: {} to its environment:`);
  return name;
}

/** The text of a site file with a variable; undefined if it can't be added without a change of something else. */
function addToSite(text: string, name: string): string | undefined {
  const parsed = parseText(text);
  const { contents, errors } = parsed.document;
  if (errors.length > 0) return undefined;
  if (contents === null) {
    const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
    const end = text === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${end}environment:${eol}  ${name}: {}${eol}`;
  }
  if (!isMap(contents)) return undefined;
  const entry = pairAt(contents, 'environment');
  if (isMap(entry?.value)) return addEntry(parsed, entry.value, { names: [name], value: {} });
  return addEntry(parsed, contents, { names: ['environment', name], value: {} });
}

/** Adds the variable to the lists and the `env:` of each step of a workflow that reads variables. */
function planWorkflow(
  { path, text, steps }: Workflow,
  name: string,
  isRead: (step: ActionStep) => boolean,
  sources: ReadonlyMap<string, string | undefined>,
  plan: Plan,
): void {
  let current = withoutMark(text);
  const byHand: { index: number; what: string }[] = [];
  const needed = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const source = isRead(step) ? sourceOf(step, name, sources) : undefined;
    if (source === undefined) continue;
    const item = source === name ? name : `${name}=${source}`;
    const listed = withItem(current, index, name, item);
    if (listed === undefined) byHand.push({ index, what: `add ${item} to its env-from:` });
    if (step.items.length === 0 && isExpression(step.inputs['config'])) {
      const what = `its site file is known only in a run: add ${name}: {} to that file's environment:`;
      byHand.push({ index, what });
    }
    current = listed ?? current;
    const secret = `${step.isPreview ? 'PREVIEW_' : ''}${source}`;
    const value = `\${{ secrets.${secret} }}`;
    const isPeer = (one: ActionStep) => isRead(one) && one.isPreview === step.isPreview;
    const edited = withVariable(current, index, isPeer, source, value);
    const what = `its env: can't be edited (an expression, or shared with other steps): add ${source}: ${value}`;
    if (edited === undefined) byHand.push({ index, what });
    if (edited !== current) plan.secrets.add(secret);
    current = edited ?? current;
    needed.add(secret);
  }
  const lines = actionStepsOf(parseText(current)).map(({ line }) => line);
  for (const { index, what } of byHand) plan.byHand.push(`${path}:${lines[index]}: ${what}`);
  for (const secret of notPassed(current, needed)) {
    plan.byHand.push(
      `${path}: add ${secret} to the secrets: of its workflow_call, and of each workflow that calls it`,
    );
  }
  const after = `${markOf(text)}${current}`;
  if (after !== text) plan.files.push({ path, before: text, after });
}

/** The secrets that a workflow uses, but is not passed by those that call it. */
function notPassed(text: string, secrets: ReadonlySet<string>): string[] {
  const passed = parseText(text).document.getIn(['on', 'workflow_call', 'secrets']);
  if (!isMap(passed)) return [];
  const isUsed = (secret: string) => new RegExp(`\\bsecrets\\.${secret}\\b`).test(text);
  return [...secrets].filter((secret) => isUsed(secret) && !passed.has(secret));
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
  if (new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, 'm').test(step.inputs['env'] ?? ''))
    return undefined;
  const site = siteOf(step);
  return itemOf(step, name)?.source ?? (site === undefined ? name : sources.get(site));
}

/** The text with an item in the `env-from` of a step that has one; undefined if that can't be edited. */
function withItem(text: string, index: number, name: string, item: string): string | undefined {
  const parsed = parseText(text);
  const step = actionStepsOf(parsed)[index];
  if (step === undefined || step.items.length === 0 || itemOf(step, name)) return text;
  const inputs = resolved(step.map.get('with', true), parsed.document);
  const list = isMap(inputs) ? inputs.get('env-from', true) : undefined;
  if (!isScalar<string>(list) || list.anchor !== undefined) return undefined;
  return addItem(parsed, list, item);
}

/**
 * The text with a variable in the `env:` of a step, unless that, its job or its workflow has it; undefined if that can't be
 * edited.
 *
 * @param isPeer true of the steps that may share the `env:` by an anchor
 */
function withVariable(
  text: string,
  index: number,
  isPeer: (step: ActionStep) => boolean,
  source: string,
  value: string,
): string | undefined {
  const parsed = parseText(text);
  const steps = actionStepsOf(parsed);
  const step = steps[index];
  if (step === undefined) return text;
  const environment = resolved(pairAt(step.map, 'env')?.value, parsed.document);
  const names = [...step.inherited, ...(isMap(environment) ? namesIn(environment) : [])];
  if (names.includes(source)) return text;
  const entries = steps.filter(isPeer).flatMap(({ map }) => pairAt(map, 'env') ?? []);
  if (environment !== undefined && isShared(parsed, environment, entries)) return undefined;
  if (isMap(environment)) return addEntry(parsed, environment, { names: [source], value });
  const entry = { names: ['env', source], value } as const;
  return addEntry(parsed, step.map, entry, pairAt(step.map, 'with'));
}

/** What is left to do. */
function closing(name: string, { files, byHand, secrets }: Plan): string[] {
  if (files.length + byHand.length === 0) {
    return [`${name} is already in each list and each env: that needs it. Nothing was written.`];
  }
  const manual = byHand.map((line) => `  ${clean(line, 300)}`);
  const commands = [...secrets].sort().map((secret) => `  gh secret set ${secret}`);
  return [
    ...(manual.length > 0 ? ['To do by hand:', ...manual] : []),
    ...(commands.length > 0
      ? [
          'To set the value, in the folder of the repository (gh reads it from a prompt or from standard input):',
          ...commands,
        ]
      : []),
  ];
}
