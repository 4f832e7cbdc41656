import { registerHooks } from 'node:module';

type Parser = typeof import('@actions/workflow-parser');

let loading: Promise<Parser> | undefined;

/** GitHub's own parser of workflows. It imports its schemas in a way that Node takes only with a hook. */
export function loadParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parser> {
  const hooks = registerHooks({
    load: (url, context, next) =>
      /\/@actions\/workflow-parser\/.*\.json$/.test(url)
        ? next(url, { ...context, importAttributes: { type: 'json' } })
        : next(url, context),
  });
  try {
    return await import('@actions/workflow-parser');
  } finally {
    hooks.deregister();
  }
}
