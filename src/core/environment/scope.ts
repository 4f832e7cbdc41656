/** What a runner says of the step that runs. What it does not say is empty. */
export interface StepPlace {
  /** `GITHUB_WORKFLOW_REF`: the workflow's file and, after an `@`, the ref. */
  workflowRef: string;
  /** `GITHUB_WORKFLOW`: the workflow's name, which other runners than GitHub's give alone. */
  workflow: string;
  /** `GITHUB_JOB`. */
  job: string;
  /** `GITHUB_ACTION`. */
  step: string;
}

/**
 * Names the step that runs, whatever branch it runs on: what it created it may delete.
 *
 * @returns undefined if the runner does not say which workflow, job and step it is: another could have the same name
 */
export function scopeOf({ workflowRef, workflow, job, step }: StepPlace): string | undefined {
  // A file's name may hold an `@`, and the ref too; but no name holds a slash.
  const [file = ''] = workflowRef.split('@refs/');
  // No file is called so, because every file begins with its repository's owner.
  const named = workflow === '' ? '' : `name=${workflow}`;
  const which = file === '' ? named : file;
  return which === '' || job === '' || step === '' ? undefined : [which, job, step].join(' ');
}
