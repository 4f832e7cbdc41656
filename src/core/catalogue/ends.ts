import type { Topic } from './entry.ts';

/** How a deployment, a turn or a new project ended, by code. */
export const ends = {
  title: 'Deployments, turns and projects',
  intro: 'How what was asked for ended at the service.',
  entries: {
    SD5001: {
      title: 'The deployment failed',
      meaning:
        'The service says that the deployment ended badly. What it says, and the decisive line of its build, stand in the message; the last lines of the build stand in the summary.',
      remedy:
        'Mend what the build says. If the service says nothing, look for the deployment there by its id.',
      example:
        'The deployment ended as "failed": The build ran out of memory. Its build says: error TS2322: Type "string" is not assignable.',
    },
    SD5002: {
      title: 'Nothing confirms the end of the deployment',
      meaning: 'The deployment was accepted, and nothing that can be asked shows how it ended.',
      remedy:
        'Set `status-path` or `events-path` to where the service shows it, or `verify-url` to a page that shows the new version. `on-unconfirmed` says whether such a run fails.',
      example:
        'The service accepted the deployment and offers nothing that confirms its end, asked at /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/deployments/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10 (answered 404). To have it confirmed, let wait be auto, which asks for its events too, or if the service shows it at another path, set status-path to that, or give verify-url.',
    },
    SD5003: {
      title: 'The status is an unknown word',
      meaning:
        "A warning: the service's word for the status is in no table, so it is taken as in progress, and the run waits on.",
      remedy: 'Add the word to `success-states` or `failure-states`, as the message shows.',
      example:
        'The deployment\'s status is "zorp", a word that this action does not know, so it is taken as in progress. If the service means a good end by it, set the input success-states: zorp; if a bad one, failure-states: zorp.',
    },
    SD5004: {
      title: 'The site does not answer as its checks want',
      meaning:
        'The deployment succeeded (or nothing was to be deployed), and a check did not hold within `verify-timeout`: twice in a row, a second apart.',
      remedy:
        'Look at the page that the message names. If it is right, mend the check; if the site takes longer to be live, raise `verify-timeout`.',
      example:
        '1 of 2 checks did not hold within 2m. GET https://www.example.com/health: wanted 200 to 299, seen: answered 503. The site itself fails: look at what it logs.',
    },
    SD5005: {
      title: 'The deployment was rolled back',
      meaning:
        'The deployment succeeded, a check of the site failed, and so the commit that was live and good before was deployed again. It is live, and its checks hold. The step fails, because what was to be deployed is not live.',
      remedy:
        'Mend what the message names, and push again. Variables that the run wrote are as it wrote them.',
      example:
        '1 of 2 checks did not hold within 2m. GET https://www.example.com/health: wanted 200 to 299, seen: answered 503. The site itself fails: look at what it logs. So it was rolled back: commit 9f2c4e1b7a6d5038c1e9f2b4a7d6c5e8f0a1b2c3 is live again, and its checks hold.',
    },
    SD5006: {
      title: 'Rolling back failed',
      meaning:
        'A check of the site failed after the deployment, and the deployment of the earlier commit failed, too, or its checks did. The message says first what became of that, what is live as far as it was seen, and then what had failed before.',
      remedy:
        'Look at the site now. What to mend first is what the message names first; `commit-sha` deploys any commit by hand.',
      example:
        'Rolling back to commit 9f2c4e1b7a6d5038c1e9f2b4a7d6c5e8f0a1b2c3 failed. The deployment ended as "failed". The service says no reason, and shows no log of the build here: look for it at the service. Live is commit 3b1f0d2c4e5a69788796a5b4c3d2e1f001234567. It was to be rolled back for this: 1 of 2 checks did not hold within 2m.',
    },
    SD5101: {
      title: 'The turn failed',
      meaning: 'The service says that the turn ended badly.',
      remedy: 'Read what the turn said last; send the message again if it makes sense to.',
      example: 'The turn ended as "failed": no credit.',
    },
    SD5102: {
      title: 'Nothing confirms the end of the turn',
      meaning: 'The message was accepted, and nothing that can be asked shows how its turn ended.',
      remedy: 'Set `events-path` to where the service streams it. The turn may still go on.',
      example:
        'Nothing says how the turn ended. Asked: /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/messages/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/events (answered 404). The turn may still go on: the service shows no way to cancel it.',
    },
    SD5103: {
      title: 'The message may be there twice',
      meaning:
        'A warning: the service may have taken the message twice, or somebody sent the same one.',
      remedy: "Look at the project's messages; each of them is a turn.",
      example:
        'The message was sent again, because its answer was lost or useless and nothing showed that it had arrived. If the first request takes effect late, and the service does not heed the idempotency key, it is there twice: look at the service.',
    },
    SD5104: {
      title: 'It cannot be known whether the message arrived',
      meaning:
        'The answer was lost, and the list of messages does not tell either. It is not sent again by itself, because each message is a turn.',
      remedy: "Look at the project's messages before you run the job again.",
      example:
        'The answer to the message was lost, and the list has a new message without a prompt, which may be ours. Look at the service before running the job again. The message may have been sent.',
    },
    SD5201: {
      title: 'No project matches',
      meaning: 'The service lists no project, or none whose name fits `name-pattern`.',
      remedy:
        'Check `name-pattern` against the names that the message shows, and that the key belongs to the workspace that is meant.',
      example:
        'name-pattern "shop *" matches none of the 2 projects that the service lists. Near it are "Shop 1". A pattern must match the whole name, case included: * stands for any characters.',
    },
    SD5202: {
      title: 'Too many projects for one matrix',
      meaning: 'GitHub allows 256 jobs in a matrix.',
      remedy: 'Split them by `shard`, or narrow them by `name-pattern` or `filter`.',
      example:
        '257 projects are more than the 256 jobs that GitHub allows in one matrix. Split them: run this step 2 times, with shard: 1/2 to 2/2, or narrow them by name-pattern or filter.',
    },
    SD5203: {
      title: 'A new project could not be provisioned',
      meaning: 'The project was created, and the service says that it could not be made ready.',
      remedy: 'Look at the project at the service; remove it there before you create another.',
      example:
        'The project 3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10 was created, and could not be provisioned: The template could not be copied.',
    },
    SD5204: {
      title: 'It cannot be known which new project is ours',
      meaning: 'The answer was lost, and more than one project is new since.',
      remedy: 'Look at the service for the one that is ours.',
      example:
        'The answer to the creation was lost, and several projects were created meanwhile: look at the service for the one that is ours. A project may have been created.',
    },
    SD5205: {
      title: 'A project may have been created twice',
      meaning: 'A warning: the request was sent again, and the first may take effect late.',
      remedy: 'Look at the service, and remove one of them if there are two.',
      example:
        'The request for a project was sent again, because its answer was lost or useless and nothing showed that it had arrived. If the first request takes effect late, and the service does not heed the idempotency key, it is there twice: look at the service.',
    },
    SD5206: {
      title: 'The list is too long for an output',
      meaning:
        'GitHub takes only 1 MiB of outputs from a job, and `projects` and `matrix` are never cut.',
      remedy: 'Split the list by `shard`, or narrow it by `name-pattern` or `filter`.',
      example:
        'The list of 200 projects is too long for the outputs: 650000 characters, and 500000 are possible. Split the list: run this step 2 times, with shard: 1/2 to 2/2, or narrow it by name-pattern or filter.',
    },
    SD5301: {
      title: 'The commit is older than what is deployed',
      meaning:
        'A newer commit was deployed here with success, or another run is deploying one, and `on-older` says that such a commit is not deployed. It is how a slow or repeated run ends.',
      remedy:
        'Nothing, if the newer commit is to stay. To deploy the older one nevertheless, start a run with it as `commit-sha`.',
      example:
        'Nothing was deployed: 0123456789abcdef0123456789abcdef01234567 is older than 89abcdef0123456789abcdef0123456789abcdef, which was deployed here with success. To deploy it nevertheless, give it as commit-sha in a run that is started by hand.',
    },
    SD5302: {
      title: 'Which of two commits is older is not known',
      meaning:
        'A warning: `on-older` could not be decided, because GitHub cannot compare the commit with the last one that was deployed. The commit is deployed.',
      remedy:
        'Nothing after history was rewritten. Else see that both commits are in the repository of the workflow.',
      example:
        'Whether 0123456789abcdef0123456789abcdef01234567 is older than 89abcdef0123456789abcdef0123456789abcdef, the last commit that was deployed here with success, is not known: GitHub does not know both, or they have no history in common. It is deployed.',
    },
    SD5303: {
      title: 'No checked preview had these files',
      meaning:
        '`require-verified: preview` lets only those files go to production that were deployed to a preview whose checks held, by our own deployment records. None says so of this commit.',
      remedy:
        'Let the preview of the pull request that the message names be deployed, with checks and with the same `api-key` (or `env-ledger-key`), on top of what it is merged into.',
      example:
        'Nothing was written or deployed: require-verified wants the files of 0123456789abcdef0123456789abcdef01234567 on a preview whose checks held. Pull request #7 (head 89abcdef0123456789abcdef0123456789abcdef) lacks it: no record of ours says that its preview was deployed with the same key.',
    },
  },
} as const satisfies Topic<'SD5'>;
