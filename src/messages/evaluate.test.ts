import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../follow/model/evaluate.ts';
import { createStatusReader } from '../follow/model/status.ts';
import { readTurnEvent } from './evaluate.ts';

const ours = 'a1111111-1111-4111-8111-111111111111';
const foreign = 'b2222222-2222-4222-8222-222222222222';
const known = createStatusReader();

const read = (name: string, data: unknown): StreamEvent =>
  readTurnEvent(name, typeof data === 'string' ? data : JSON.stringify(data), ours, known);

describe('a piece of the text', () => {
  test.each<[string, string, unknown]>([
    ['in text', 'chunk', { text: 'Hi' }],
    ['in delta', 'chunk', { delta: 'Hi' }],
    ['in message', 'chunk', { message: 'Hi' }],
    ['in content', 'chunk', { content: 'Hi' }],
    ['in line', 'chunk', { line: 'Hi' }],
    ['without a name', '', { text: 'Hi' }],
    ['with a type', '', { type: 'message.chunk', text: 'Hi' }],
    ['typed', '', { type: 'message.chunk', data: { text: 'Hi' } }],
    ['nested in the message', 'chunk', { message: { messageId: ours, text: 'Hi' } }],
    ['nested in a delta', '', { type: 'content_block_delta', delta: { type: 'text', text: 'Hi' } }],
    ['in a list of choices', '', { choices: [{ delta: { content: 'Hi' } }] }],
    ['that names our message', 'chunk', { messageId: ours, text: 'Hi' }],
    ['that names our turn', 'chunk', { turnId: ours, text: 'Hi' }],
    ['with a plain id of its own', 'chunk', { id: 7, text: 'Hi' }],
    ['in an object with an id of its own', 'chunk', { id: foreign, text: 'Hi' }],
    ['nested in an object with an id of its own', '', { message: { id: foreign, text: 'Hi' } }],
    ['that names a turn', 'chunk', { turnId: foreign, text: 'Hi' }],
    ['by an assistant', '', { message: { role: 'assistant', content: 'Hi' } }],
    ['in a block', '', { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }],
    [
      'in some blocks among others',
      '',
      { content: [{ text: 'H' }, { type: 'tool_use', name: 'edit' }, { type: 'text', text: 'i' }] },
    ],
    ['in blocks of a message', '', { message: { content: ['H', { type: 'text', text: 'i' }] } }],
    ['plain', '', 'Hi'],
    ['plain, under a name', 'chunk', 'Hi'],
    ['a JSON string', 'chunk', '"Hi"'],
  ])('%s', (_name, name, data) => {
    expect(read(name, data)).toEqual({ text: 'Hi' });
  });

  test.each<[string, string]>([
    ['a space', ' '],
    ['a newline', '\n'],
    ['CRLF', '\r\n'],
    ['a tab', '\t'],
    ['an indentation', '\n    '],
    ['space around a word', '  word  '],
    ['half of a pair', '\ud83d'],
    ['a byte order mark', '\ufeff'],
  ])('is kept to the character: %s', (_name, text) => {
    expect(read('chunk', { text })).toEqual({ text });
    expect(read('chunk', { message: { messageId: ours, delta: text } })).toEqual({ text });
    expect(read('chunk', JSON.stringify(text))).toEqual({ text });
  });

  test.each([' ', '  word ', 'broken {"json', '5', '[]', 'true'])(
    'as plain data is kept too: "%s"',
    (text) => {
      expect(read('chunk', text)).toEqual({ text });
    },
  );
});

describe('a status', () => {
  test.each<[string, string, unknown, string]>([
    ['in JSON', 'status', { messageId: ours, status: 'running' }, 'running'],
    ['data only', '', { messageId: ours, status: 'succeeded' }, 'succeeded'],
    ['nested', 'message', { message: { messageId: ours, status: 'failed' } }, 'failed'],
    ['typed', '', { type: 'message.status', data: { messageId: ours, status: 'done' } }, 'done'],
    ['of the turn', 'turn', { turn: { turnId: ours, status: 'completed' } }, 'completed'],
    ['in an unknown word', 'status', { messageId: ours, status: 'zorp' }, 'zorp'],
  ])('%s', (_name, name, data, status) => {
    expect(read(name, data)).toMatchObject({ observed: { status, certainty: 'status' } });
    expect(read(name, data).text).toBeUndefined();
  });

  test('in the name only: the words beside it are about the status, not of the turn', () => {
    const event = read('succeeded', 'The message is succeeded.');
    expect(event.observed).toMatchObject({ status: 'succeeded', certainty: 'name' });
    expect(event.text).toBeUndefined();
  });

  test('with a message: that is no piece of the text', () => {
    const event = read('status', { messageId: ours, status: 'failed', message: 'no credit' });
    expect(event).toEqual({
      observed: { status: 'failed', certainty: 'status', message: 'no credit' },
    });
  });

  test('and a text in one event', () => {
    const event = read('', { messageId: ours, status: 'running', delta: ' Hi\n' });
    expect(event).toMatchObject({ observed: { status: 'running' }, text: ' Hi\n' });
  });

  test.each<[string, string, unknown]>([
    ['of a step', 'step', { type: 'step', name: 'edit', status: 'completed' }],
    ['of a tool', 'task', { task: 'build', status: 'failed' }],
    ['of a tool by its type', '', { type: 'tool', status: 'completed' }],
    ['of a call', 'function_call', { status: 'failed' }],
    ['of a call that names the turn', '', { type: 'tool_call', turnId: ours, status: 'completed' }],
    ['of a command', 'message', { kind: 'command', status: 'done' }],
    ['in the name, with a tool within', 'completed', { tool: 'edit' }],
    ['with the field of a tool', '', { tool_call_id: '7', status: 'failed' }],
    ['plain', 'tool', 'completed'],
    ['beside a piece of text', 'chunk', { type: 'chunk', status: 'completed', text: 'Hi' }],
  ])("%s is not the turn's", (_name, name, data) => {
    expect(read(name, data).observed?.certainty).toBe('part');
  });
});

describe('nothing', () => {
  test.each<[string, string, unknown]>([
    ['an empty piece', 'chunk', { text: '' }],
    ['the end mark', '', '[DONE]'],
    ['empty data', 'ping', ''],
    ['an empty object', 'heartbeat', {}],
    ['numbers', 'usage', { tokens: 12 }],
    ["another turn's text", 'chunk', { messageId: foreign, text: 'Hi' }],
    ["another turn's end", 'status', { messageId: foreign, status: 'succeeded' }],
    ["another turn's, nested", 'message', { message: { messageId: foreign, text: 'Hi' } }],
    ['a user', '', { role: 'user', content: 'Make it blue.' }],
    ['a system', '', { message: { role: 'system', content: [{ type: 'text', text: 'Hi' }] } }],
    ['a list without text', '', { content: [{ type: 'tool_use', text: 'npm test' }, {}, 7] }],
    ['a ping', 'ping', '12:30'],
    ['a ping in JSON', '', { type: 'ping', message: 'still here', status: 'ok' }],
    ['a heartbeat', 'heart_beat', { text: 'still here' }],
    ['keep-alive', '', { kind: 'keep-alive', message: 'still here' }],
  ])('is said by %s', (_name, name, data) => {
    expect(read(name, data)).toEqual({});
  });
});
