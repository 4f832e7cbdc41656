import { isHtml, readHtml } from './html.ts';

/** What an error answer says in words. */
export interface ErrorBody {
  code?: string;
  message?: string;
  /** True if the message was cut, and ends in the mark. */
  isCut?: boolean;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first that says something: a string, a number, or a list of strings. */
function firstText(...values: unknown[]): string | undefined {
  const texts = values.map((value) => {
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join('; ');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  return texts.find((text) => text !== '');
}

function readFields(fields: Fields): ErrorBody {
  const { error, errors } = fields;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const inner = [error, first].find(isFields);
  const named = firstText(inner?.['code'], inner?.['type'], fields['code'], fields['type']);
  const message = firstText(
    inner?.['message'],
    inner?.['detail'],
    fields['detail'],
    fields['message'],
    error,
    first,
    fields['title'],
  );
  // `{ error: "not_found", message: "…" }`: what stands beside the words is a code.
  const word = typeof error === 'string' && error !== message ? error : undefined;
  const code = named === 'about:blank' ? word : (named ?? word);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
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
    return isHtml(trimmed) ? readHtml(trimmed) : { message: trimmed };
  }
  if (Array.isArray(parsed)) return readFields({ errors: parsed });
  if (isFields(parsed)) return readFields(parsed);
  return typeof parsed === 'string' ? { message: parsed } : {};
}
