import type { Topic } from './entry.ts';

/** How a step ends beside its work, by code. */
export const step = {
  title: 'The step itself',
  intro: 'The end of a step that does not come from its work.',
  entries: {
    SD9001: {
      title: 'The time is up',
      meaning:
        "The step's `timeout` has passed. The message says what was seen last, what was waited for, and what may still happen.",
      remedy: 'Do what the message says; raise `timeout` if it only takes long.',
      example:
        "The step's deadline (timeout: 20m) has passed. The turn was not seen to end. The turn may still go on: the service shows no way to cancel it.",
    },
    SD9002: {
      title: 'The run was cancelled',
      meaning:
        'Somebody, or a newer run of the same `concurrency` group, cancelled it. The message says what is left.',
      remedy: 'Run the job again if nothing newer does.',
      example:
        'Cancelled. The deployment 3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10 was last seen as "building" and may still go live: the service shows no way to cancel it.',
    },
    SD9003: {
      title: 'A fault of this action',
      meaning:
        'Something happened that nobody foresaw. Its text is not shown where it could hold a secret.',
      remedy: 'Report it, with the inputs of the step but without their secrets.',
      example:
        'Unexpected, and a fault of this action (TypeError). Please report it, with the inputs of the step but without their secrets.',
    },
    SD9004: {
      title: 'The step was killed',
      meaning:
        "The step was ended before it could tell how it went: a job's own time limit, a machine that was stopped. This warning comes from the post step.",
      remedy: 'Look at what the message says may have happened, and run the job again.',
      example:
        'The step was ended before it could report. The deployment 3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10 had been accepted and may still go live: the service shows no way to cancel it.',
    },
    SD9005: {
      title: 'What was kept for the post step is damaged',
      meaning: 'A warning of the post step: the step was killed, and what it kept cannot be read.',
      remedy: 'Look at the pull request and at the service, and run the job again.',
      example:
        'What the step had kept of its records on GitHub is damaged: its comment and its GitHub Deployment, if there are any, stay as they are.',
    },
  },
} as const satisfies Topic<'SD9'>;
