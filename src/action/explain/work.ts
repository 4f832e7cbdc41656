import { fillCheck } from '../../checks/intent.ts';
import { describeWanted } from '../../checks/result.ts';
import { joinSafe, type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import { countOf } from '../../report/closing.ts';
import type { Explanation, Grant, Said, Statement } from '../../report/explain/explanation.ts';
import { isHostnameAssumed, sentencesAround } from './around.ts';
import type { ExplainFacts } from './facts.ts';
import { mayBeNeedless } from './records.ts';
import { deploySentences, describeAssumed, isCommitAssumed } from './sentences.ts';
import { listVariables } from './shared.ts';

/** The checks, with the placeholders that this run cannot fill in yet. */
function checksOf(facts: ExplainFacts): Explanation['checks'] {
  const { request, work, clean } = facts;
  const asked = request?.checks ?? work.watch;
  const isAssumed = isCommitAssumed(facts) || isHostnameAssumed(facts);
  return (asked?.declared ?? []).map((declared) => {
    const filled = asked && !isAssumed ? fillCheck(declared, asked.place) : undefined;
    const address = 'url' in declared.at ? declared.at.url : declared.at.path;
    if (filled !== undefined && 'problem' in filled) {
      return { what: clean(address), wanted: safe`not run: ${clean(filled.problem)}` };
    }
    const what = clean(filled?.url.href ?? address);
    return { what, wanted: describeWanted(filled ?? declared, clean) };
  });
}

/** What a run would come to, in the words behind "this run would". */
function wouldOf(facts: ExplainFacts, checks: Explanation['checks']): SafeText {
  const { request, values, declared } = facts;
  if (request !== undefined && values.deploy) {
    if (isCommitAssumed(facts)) return safe`deploy ${describeAssumed(facts)}`;
    const { commit } = request;
    const needed = mayBeNeedless(facts) ? safe`, if that is needed` : safe``;
    return commit === 'HEAD'
      ? safe`deploy the HEAD of the project's repository`
      : safe`deploy commit ${trusted(commit.slice(0, 7))}${needed}`;
  }
  const touched = declared.variables.length + declared.removals.size;
  const parts = [
    ...(request === undefined || touched === 0
      ? []
      : [safe`sync ${countOf(touched, safe`variable`)}`]),
    ...(checks.length === 0 ? [] : [safe`run ${countOf(checks.length, safe`check`)}`]),
    ...(facts.work.sweep === undefined ? [] : [safe`end the previews of closed pull requests`]),
  ];
  return parts.length === 0 ? safe`change nothing` : joinSafe(parts, ' and ');
}

/** Explains what a run would do: each sentence that has something to say, and the grants for what would be done. */
export function explainWork(facts: ExplainFacts): Said {
  const statements: Statement[] = [];
  const grants: Grant[] = [];
  for (const { about, ...sentence } of [...deploySentences, ...sentencesAround]) {
    const says = sentence.says(facts);
    if (typeof says === 'object') statements.push({ about, ...says });
    if (typeof says !== 'string') continue;
    statements.push({ about, does: says });
    grants.push(...(sentence.grants?.(facts) ?? []));
  }
  const { request, declared, clean } = facts;
  const variables = request === undefined ? [] : listVariables(declared.variables, clean);
  const checks = checksOf(facts);
  const would = wouldOf(facts, checks);
  return { would, outcome: 'planned', statements, variables, checks, grants };
}

/** The outputs of a run that is explained, as far as they are known. */
export function knownOutputs(facts: ExplainFacts): Record<string, string> {
  const { request } = facts;
  if (request === undefined) return {};
  const { commit, target, deploy } = request;
  const isKnown = commit !== 'HEAD' && !isCommitAssumed(facts);
  return {
    'commit-sha': deploy && isKnown ? commit : '',
    'project-id': target.kind === 'project' ? target.id : '',
    'preview-hostname':
      target.preview === undefined || isHostnameAssumed(facts) ? '' : target.preview.hostname,
  };
}
