import { registerHooks } from 'node:module';
import type { ParseWorkflowResult } from '@actions/workflow-parser';

type Parser = Awaited<ReturnType<typeof load>>;

let loading: Promise<Parser> | undefined;

/** GitHub's own parser of workflows. It imports its schemas in a way that Node takes only with a hook. */
export function loadParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      /\/@actions\/workflow-parser\/.*\.json$/.test(url)
        ? next(url, { ...context, importAttributes: { type: 'json' } })
        : next(url, context),
  });
  try {
    return await build();
  } finally {
    hooks.deregister();
  }
}

async function build() {
  const { convertWorkflowTemplate, isString, NoOperationTraceWriter } = await import(
    '@actions/workflow-parser'
  );
  const { convertActionTemplate, getActionSchema } = await import(
    '@actions/workflow-parser/actions/index'
  );
  const { getWorkflowSchema } = await import('@actions/workflow-parser/workflows/workflow-schema');
  const { YamlObjectReader } = await import(
    '@actions/workflow-parser/workflows/yaml-object-reader'
  );
  const { readTemplate } = await import('@actions/workflow-parser/templates/template-reader');
  const { TemplateContext, TemplateValidationErrors } = await import(
    '@actions/workflow-parser/templates/template-context'
  );
  const { StringToken } = await import('@actions/workflow-parser/templates/tokens/index');
  const { FeatureFlags } = await import('@actions/expressions');
  const featureFlags = new FeatureFlags({ all: true });

  /**
   * Texts without their source. From that of several lines the parser would make an expression that has its indentation,
   * and not the end that its header asks for.
   */
  class ValueReader extends YamlObjectReader {
    override allowLiteral() {
      const token = super.allowLiteral();
      if (token === undefined || !isString(token)) return token;
      return new StringToken(token.file, token.range, token.value, token.definitionInfo);
    }
  }

  const parse = (
    name: string,
    content: string,
    schema: ReturnType<typeof getWorkflowSchema>,
    root: string,
  ): ParseWorkflowResult => {
    const trace = new NoOperationTraceWriter();
    const context = new TemplateContext(new TemplateValidationErrors(), schema, trace);
    context.state['featureFlags'] = featureFlags;
    const file = context.getFileId(name);
    const reader = new ValueReader(file, content);
    for (const { message, range } of reader.errors) context.error(file, message, range);
    const isYaml = reader.errors.length === 0;
    return { context, value: isYaml ? readTemplate(context, root, reader, file) : undefined };
  };
  return {
    parseWorkflow: (name: string, content: string) =>
      parse(name, content, getWorkflowSchema(), 'workflow-root-strict'),
    parseAction: (name: string, content: string) =>
      parse(name, content, getActionSchema(), 'action-root'),
    convertWorkflow: ({ context, value }: ParseWorkflowResult) =>
      value && convertWorkflowTemplate(context, value, undefined, { featureFlags }),
    convertActionTemplate,
  };
}
