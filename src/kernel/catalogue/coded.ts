import type { SafeText } from '../text/safe.ts';
import { asSentence } from '../text/sentence.ts';
import type { Code } from './code.ts';

declare const brand: unique symbol;

/** A message that a person reads as an error or a warning: whole sentences, and its code at the end. */
export type Coded<Text extends string = SafeText> = Text & { readonly [brand]: true };

const atEnd = / \((SD\d{4})\)$/;

/** A text and the code that it ends with, as one. */
const ending = <Text extends string>(text: Text, end: string): Coded<Text> =>
  `${asSentence(text)}${end}` as unknown as Coded<Text>;

/**
 * Makes an error or a warning of a text: one full stop, and the code of its entry in the catalogue. A text that ends
 * in a code keeps that: it is about the same thing.
 */
export function coded<Text extends string>(code: Code, text: Text): Coded<Text> {
  return atEnd.test(text) ? (text as unknown as Coded<Text>) : ending(text, ` (${code})`);
}

/** The same message, told otherwise: its code stays the one of the root. */
export function reword<Text extends string, Other extends string>(
  message: Coded<Text>,
  tell: (text: Text) => Other,
): Coded<Other> {
  const [end = ''] = atEnd.exec(message) ?? [];
  return ending(tell(withoutCode(message)), end);
}

/** The text of a message, where it is a part of another one. */
export function withoutCode<Text extends string>(message: Coded<Text>): Text {
  return message.replace(atEnd, '') as Text;
}

/** Several messages as one, each with its own code; undefined if there are none. */
export function joinCoded(messages: readonly Coded[]): Coded | undefined {
  return messages.length === 0 ? undefined : (messages.join(' ') as Coded);
}
