import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { leaves, type NamedHost, type Row } from '../report/explanation.ts';
import { defaultBranch, type Force, type PushIntent } from './intent.ts';

/** Where a commit is pushed to, as far as that is known. */
interface PushSubject {
  /** Undefined if it is leased. */
  projectId: string | undefined;
  /** True if a record on GitHub can show that a project is new. */
  isProvable: boolean;
  /** The URL of the server where the commit is fetched, as of GitHub; empty if it is not known. */
  serverUrl: string;
}

function describeForce(force: Force): SafeText {
  if (force === 'always') {
    return safe`The push is forced (git-force): commits that are only on the branch are lost. If another push adds commits during the run, they are kept, and the run fails.`;
  }
  return force === 'never'
    ? safe`If the push would remove commits from the branch, the run fails.`
    : safe`If the push would remove commits from the branch, the run fails, unless the branch's head is ${unsafeText(force.onlyFrom)}.`;
}

/** The host of the project's repository; of `ssh` by its `user@host:path` too. */
function projectHost(address: string | undefined, clean: Sanitize): NamedHost {
  const parsed = URL.parse(address ?? '')?.host ?? /@([^:/]+):/.exec(address ?? '')?.[1];
  const host = parsed === undefined ? safe`the host of git-url` : clean(parsed);
  return { host, what: safe`the project's repository` };
}

/** The host that the commit is fetched from, if its URL is known: a clone on a machine may have no remote. */
function sourceHosts(serverUrl: string, clean: Sanitize): NamedHost[] {
  const parsed = URL.parse(serverUrl)?.host ?? '';
  return parsed === '' ? [] : [{ host: clean(parsed), what: safe`the commit` }];
}

/** Explains whether the commit is pushed; undefined if nothing is deployed. */
export function explainPush(
  push: PushIntent,
  { projectId, isProvable, serverUrl }: PushSubject,
  clean: Sanitize,
): Row | undefined {
  const about = safe`Push`;
  switch (push.kind) {
    case 'none':
      return undefined;
    case 'no-url':
      return leaves(
        about,
        safe`git-url is empty. The project's repository must already contain the commit.`,
      );
    case 'head':
      return leaves(about, safe`HEAD is already in the project's repository.`);
    case 'push': {
      const { branch, repositories, force, adopts } = push;
      const address = projectId && repositories.get(projectId.toLowerCase())?.url;
      const missing =
        branch === undefined
          ? safe` If the repository has other branches but no ${defaultBranch}, the run fails: git-branch is not set.`
          : safe``;
      const where =
        projectId === undefined
          ? safe`the repository (git-url) of that project`
          : clean(address ?? '');
      const adopted =
        adopts === 'by-input' || (adopts === 'by-records' && isProvable)
          ? safe` A project that contains only its template is adopted: the template's commit is kept as a branch.`
          : safe``;
      return {
        about,
        does: safe`To the branch ${clean(branch ?? defaultBranch)} of ${where}, unless the branch already contains the commit.${missing} ${describeForce(force)}${adopted}`,
        hosts: [...sourceHosts(serverUrl, clean), projectHost(address, clean)],
        needs: [['contents: read', safe`to fetch the commit to push`]],
      };
    }
  }
}
