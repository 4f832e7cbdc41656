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
      example: '',
    },
    SD5002: {
      title: 'Nothing confirms the end of the deployment',
      meaning: 'The deployment was accepted, and nothing that can be asked shows how it ended.',
      remedy:
        'Set `status-path` or `events-path` to where the service shows it, or `verify-url` to a page that shows the new version. `on-unconfirmed` says whether such a run fails.',
      example: '',
    },
    SD5003: {
      title: 'The status is an unknown word',
      meaning:
        "A warning: the service's word for the status is in no table, so it is taken as in progress, and the run waits on.",
      remedy: 'Add the word to `success-states` or `failure-states`, as the message shows.',
      example: '',
    },
    SD5101: {
      title: 'The turn failed',
      meaning: 'The service says that the turn ended badly.',
      remedy: 'Read what the turn said last; send the message again if it makes sense to.',
      example: '',
    },
    SD5102: {
      title: 'Nothing confirms the end of the turn',
      meaning: 'The message was accepted, and nothing that can be asked shows how its turn ended.',
      remedy: 'Set `events-path` to where the service streams it. The turn may still go on.',
      example: '',
    },
    SD5103: {
      title: 'The message may be there twice',
      meaning:
        'A warning: the service may have taken the message twice, or somebody sent the same one.',
      remedy: "Look at the project's messages; each of them is a turn.",
      example: '',
    },
    SD5104: {
      title: 'It cannot be known whether the message arrived',
      meaning:
        'The answer was lost, and the list of messages does not tell either. It is not sent again by itself, because each message is a turn.',
      remedy: "Look at the project's messages before you run the job again.",
      example: '',
    },
    SD5201: {
      title: 'No project matches',
      meaning: 'The service lists no project, or none whose name fits `name-pattern`.',
      remedy:
        'Check `name-pattern` against the names that the message shows, and that the key belongs to the workspace that is meant.',
      example: '',
    },
    SD5202: {
      title: 'Too many projects for one matrix',
      meaning: 'GitHub allows 256 jobs in a matrix.',
      remedy: 'Split them by `shard`, or narrow them by `name-pattern` or `filter`.',
      example: '',
    },
    SD5203: {
      title: 'A new project could not be provisioned',
      meaning: 'The project was created, and the service says that it could not be made ready.',
      remedy: 'Look at the project at the service; remove it there before you create another.',
      example: '',
    },
    SD5204: {
      title: 'It cannot be known which new project is ours',
      meaning: 'The answer was lost, and more than one project is new since.',
      remedy: 'Look at the service for the one that is ours.',
      example: '',
    },
    SD5205: {
      title: 'A project may have been created twice',
      meaning: 'A warning: the request was sent again, and the first may take effect late.',
      remedy: 'Look at the service, and remove one of them if there are two.',
      example: '',
    },
    SD5206: {
      title: 'The list is too long for an output',
      meaning:
        'A warning: GitHub takes only 1 MiB of outputs from a job. The output `matrix` is whole.',
      remedy: 'Use `shard` or `name-pattern` for shorter lists.',
      example: '',
    },
  },
} as const satisfies Topic<'SD5'>;
