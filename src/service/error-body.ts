/** What an error answer says in words. */
export interface ErrorBody {
  code?: string;
  message?: string;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function text(...values: unknown[]): string | undefined {
  const found = values.find((value) => typeof value === 'string' || typeof value === 'number');
  return found === undefined ? undefined : String(found);
}

function readFields(fields: Fields): ErrorBody {
  const inner = isFields(fields['error']) ? fields['error'] : undefined;
  const first = Array.isArray(fields['errors']) ? fields['errors'][0] : undefined;
  const nested = inner ?? (isFields(first) ? first : undefined);
  const code = text(nested?.['code'], nested?.['type'], fields['code'], fields['type']);
  const message = text(
    nested?.['message'],
    nested?.['detail'],
    fields['error'],
    first,
    fields['detail'],
    fields['message'],
    fields['title'],
  );
  return {
    ...(code === undefined || code === 'about:blank' ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}

function readHtml(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title === undefined || title === '' ? 'an HTML page' : `an HTML page, "${title}"`;
}

/**
 * Reads an error answer (section "Errors": its shape is not shown): problem+json, `{error:{code,message}}`,
 * `{error}`, `{message}`, `{errors:[…]}`, plain text or HTML. The result is outside text, raw.
 */
export function readErrorBody(body: string): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    const trimmed = body.trim();
    if (trimmed === '') return {};
    return { message: /^<(!doctype|html|\?xml)/i.test(trimmed) ? readHtml(trimmed) : trimmed };
  }
  if (Array.isArray(parsed)) return readFields({ errors: parsed });
  if (isFields(parsed)) return readFields(parsed);
  return typeof parsed === 'string' ? { message: parsed } : {};
}
