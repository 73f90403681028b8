import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { outcomesOf, replayRecording } from '../../../../test/conformance/replay.ts'
import type { DialogueState, Opening, PermissionDecision, Spoken } from '../../../ports/dialogue.ts'
import { createAcpDialogue } from './acp-dialogue.ts'
import type { AcpOptions } from './acp-options.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/acp')
const PLAIN: AcpOptions = { modelBy: 'protocol', replayEnd: 'answer' }
const CAPABLE = { loadSession: true, mcpCapabilities: { http: true }, sessionCapabilities: {} }

describeDialogue('acp', () => createAcpDialogue(PLAIN), TRANSCRIPTS)

const recorded = (name: string) => replayRecording(createAcpDialogue(PLAIN), TRANSCRIPTS, name)

type Said = {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

/** A conversation in which the test plays the program. */
function converse(opening: Partial<Opening> = {}, options: Partial<AcpOptions> = {}) {
  const dialogue = createAcpDialogue({ ...PLAIN, ...options })
  let state: DialogueState = {}
  let lastId = 0
  const take = (spoken: Spoken) => {
    state = JSON.parse(JSON.stringify(spoken.state)) as DialogueState
    const says = spoken.says.map((line) => JSON.parse(line) as Said)
    lastId = says.findLast((said) => said.method !== undefined && said.id !== undefined)?.id ?? lastId
    return { says, events: spoken.events }
  }
  const print = (message: object) =>
    take(dialogue.hear(state, JSON.stringify({ jsonrpc: '2.0', ...message })))
  const opened = take(
    dialogue.open({ prompt: 'do it', treeDirectory: '/tree', permissions: 'ask', ...opening }),
  )
  return {
    opened,
    print,
    answer: (result: object) => print({ id: lastId, result }),
    fail: (error: object) => print({ id: lastId, error }),
    update: (update: object) => print({ method: 'session/update', params: { sessionId: 's1', update } }),
    ask: (id: number | string, toolCall: object, options = OPTIONS) =>
      print({ id, method: 'session/request_permission', params: { sessionId: 's1', toolCall, options } }),
    say: (text: string) => take(dialogue.say(state, text)),
    interrupt: () => take(dialogue.interrupt(state)),
    decide: (requestId: string, decision: PermissionDecision) =>
      take(dialogue.decide(state, requestId, decision)),
    size: () => JSON.stringify(state).length,
  }
}

const OPTIONS = [
  { optionId: 'always', kind: 'allow_always', name: 'Always' },
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
]

/** A conversation in its first turn. */
function begin(opening: Partial<Opening> = {}, options: Partial<AcpOptions> = {}) {
  const conversation = converse(opening, options)
  conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
  conversation.answer({ sessionId: 's1' })
  return conversation
}

const chunk = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId === undefined ? {} : { messageId }),
})

describe('a recorded turn', () => {
  it('ends as done with the last text', () => {
    expect(outcomesOf(recorded('hello'))).toEqual([{ type: 'done', text: 'All done. {"done":true}' }])
  })

  it('ends as done whether a request was allowed or denied', () => {
    expect(outcomesOf(recorded('ask-allowed'))).toMatchObject([{ type: 'done' }])
    expect(outcomesOf(recorded('ask-denied'))).toMatchObject([{ type: 'done' }])
  })

  it('ends as interrupted after an interrupt, and the next turn works', () => {
    expect(outcomesOf(recorded('interrupt'))).toEqual([
      { type: 'interrupted' },
      { type: 'done', text: 'alive after the interrupt' },
    ])
  })

  it('ends as limited if the error has the code 429', () => {
    expect(outcomesOf(recorded('rate-limit'))).toMatchObject([{ type: 'limited' }])
  })

  it('fails and lists the models if the requested one does not exist', () => {
    expect(outcomesOf(recorded('no-such-model'))).toMatchObject([
      { type: 'failed', reason: expect.stringContaining('fake/other-model') },
    ])
  })
})

describe('the start of a conversation', () => {
  it('offers our tools to a program that supports them', () => {
    const conversation = converse({ mcp: { url: 'http://127.0.0.1:1/mcp', token: 'secret' } })
    const { says } = conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    const headers = [{ name: 'Authorization', value: 'Bearer secret' }]
    expect(says).toMatchObject([
      {
        method: 'session/new',
        params: {
          cwd: '/tree',
          mcpServers: [{ type: 'http', name: 'muster', url: 'http://127.0.0.1:1/mcp', headers }],
        },
      },
    ])
    const deaf = converse({ mcp: { url: 'http://127.0.0.1:1/mcp', token: 'secret' } })
    const silent = deaf.answer({ protocolVersion: 1, agentCapabilities: {} })
    expect(silent.says).toMatchObject([{ params: { mcpServers: [] } }])
  })

  it('keeps no token in its state once the token is sent', () => {
    const dialogue = createAcpDialogue(PLAIN)
    const opened = dialogue.open({
      prompt: 'do it',
      treeDirectory: '/tree',
      permissions: 'ask',
      mcp: { url: 'http://127.0.0.1:1/mcp', token: 'a-secret' },
    })
    const line = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result })
    const initialized = dialogue.hear(opened.state, line(1, { protocolVersion: 1 }))
    const begun = dialogue.hear(initialized.state, line(2, { sessionId: 's1' }))
    expect(JSON.stringify(begun.state)).not.toContain('a-secret')
  })

  it('ignores the replay of an old conversation', () => {
    const conversation = converse({ resume: 's1' })
    expect(conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: 's1' } },
    ])
    expect(conversation.update(chunk('said long ago')).events).toEqual([])
    const cost = { amount: 2, currency: 'USD' }
    expect(conversation.update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost }).events).toEqual(
      [],
    )
    const loaded = conversation.answer({})
    expect(loaded.events).toEqual([{ type: 'session', providerSessionId: 's1' }])
    expect(loaded.says).toMatchObject([{ method: 'session/prompt' }])
    const more = { amount: 2.5, currency: 'USD' }
    expect(
      conversation.update({ sessionUpdate: 'usage_update', used: 20, size: 100, cost: more }).events,
    ).toMatchObject([{ type: 'usage', costUsd: 0.5, contextTokens: 20, contextWindow: 100 }])
  })

  it('waits for the end of a replay that follows the answer', () => {
    const conversation = converse({ resume: 's1' }, { replayEnd: 'available-commands' })
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(conversation.answer({}).says).toEqual([])
    expect(conversation.update(chunk('said long ago')).events).toEqual([])
    const through = conversation.update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
    expect(through.says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('resumes without a replay if possible, and otherwise loads', () => {
    const conversation = converse({ resume: 's1' })
    const agentCapabilities = { ...CAPABLE, sessionCapabilities: { resume: {} } }
    expect(conversation.answer({ protocolVersion: 1, agentCapabilities }).says).toMatchObject([
      { method: 'session/resume' },
    ])
    expect(conversation.fail({ code: -32_601, message: 'unknown' }).says).toMatchObject([
      { method: 'session/load' },
    ])
  })

  it('loads with a prefixed id, and without the prefix if that fails', () => {
    const conversation = converse({ resume: 's1' }, { loadPrefix: ' ' })
    expect(conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: ' s1' } },
    ])
    const other = converse({ resume: 's1' }, { loadPrefix: ' ' })
    other.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(other.fail({ code: -32_603, message: 'unknown' }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: 's1' } },
    ])
    for (const one of [conversation, other]) {
      expect(one.answer({}).events).toEqual([{ type: 'session', providerSessionId: 's1' }])
    }
    expect(outcomesOf(conversation.answer({ stopReason: 'end_turn' }).events)).toMatchObject([
      { type: 'done' },
    ])
  })

  it('logs in once if resuming requires it', () => {
    const conversation = converse({ resume: 's1' }, { authenticateBy: 'a-key' })
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(conversation.fail({ code: -32_000, message: 'log in' }).says).toMatchObject([
      { method: 'authenticate', params: { methodId: 'a-key' } },
    ])
    expect(conversation.answer({}).says).toMatchObject([{ method: 'session/load' }])
    expect(outcomesOf(conversation.fail({ code: -32_000, message: 'log in' }).events)).toMatchObject([
      { type: 'unready', cause: 'login' },
    ])
  })

  it('does not start again if the old conversation cannot be found', () => {
    const conversation = converse({ resume: 's1' })
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    const failed = conversation.fail({
      code: -32_603,
      message: 'Internal error',
      data: { details: 'no such thing' },
    })
    expect(failed.says).toEqual([])
    expect(outcomesOf(failed.events)).toEqual([{ type: 'failed', reason: 'Internal error: no such thing' }])
  })

  it('reports how to log in if the program requires it', () => {
    const conversation = converse()
    const authMethods = [{ id: 'x', name: 'Log in', description: 'Run `x login`' }]
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE, authMethods })
    const failed = conversation.fail({ code: -32_000, message: 'Authentication required' })
    expect(outcomesOf(failed.events)).toEqual([
      {
        type: 'unready',
        cause: 'login',
        reason: 'The agent is not logged in',
        remedy: 'Log in first: Run `x login`',
      },
    ])
    expect(outcomesOf(conversation.say('hello?').events)).toMatchObject([{ type: 'failed' }])
  })

  it('requests a model in the way that the program supports', () => {
    const conversation = converse({ model: 'big' })
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    const models = { currentModelId: 'small', availableModels: [{ modelId: 'small' }, { modelId: 'big' }] }
    const begun = conversation.answer({ sessionId: 's1', models })
    expect(begun.says).toMatchObject([
      { method: 'session/set_model', params: { sessionId: 's1', modelId: 'big' } },
    ])
    expect(begun.events).toEqual([{ type: 'session', providerSessionId: 's1', model: 'big' }])
    expect(conversation.answer({}).says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('drops its message if it is interrupted before sending', () => {
    const conversation = converse()
    expect(conversation.interrupt()).toEqual({
      says: [],
      events: [{ type: 'turn-end', outcome: { type: 'interrupted' } }],
    })
    conversation.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(conversation.answer({ sessionId: 's1' }).says).toEqual([])
    expect(conversation.say('now').says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('shows the output of a program that does not speak the protocol', () => {
    const dialogue = createAcpDialogue(PLAIN)
    const { state } = dialogue.open({ prompt: 'x', treeDirectory: '/tree', permissions: 'ask' })
    expect(dialogue.hear(state, 'usage: my-agent [options]').events).toEqual([
      { type: 'text', text: 'usage: my-agent [options]' },
    ])
  })
})

describe('the text of a turn', () => {
  it('is reported by message, not in pieces', () => {
    const conversation = begin()
    const pieces = ['I ', 'look ', 'at it.'].map((text) => conversation.update(chunk(text, 'm1')).events)
    expect(pieces).toEqual([[], [], []])
    expect(conversation.update(chunk('Then ', 'm2')).events).toEqual([
      { type: 'text', text: 'I look at it.' },
    ])
    conversation.update(chunk('I do it.', 'm2'))
    expect(conversation.answer({ stopReason: 'end_turn' }).events).toEqual([
      { type: 'text', text: 'Then I do it.' },
      { type: 'turn-end', outcome: { type: 'done', text: 'Then I do it.' } },
    ])
  })

  it('is reported in several events if it is long, and is one answer', () => {
    const conversation = begin()
    const words = Array.from({ length: 2_000 }, (_, index) => `word ${index} `)
    const events = words.flatMap((word) => conversation.update(chunk(word, 'm1')).events)
    const end = conversation.answer({ stopReason: 'end_turn' })
    const texts = [...events, ...end.events].flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts.join('')).toBe(words.join(''))
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.length).toBeLessThan(20)
    expect(outcomesOf(end.events)).toEqual([{ type: 'done', text: words.join('') }])
  })

  it('keeps the state small, even in a flood', () => {
    const conversation = begin()
    for (let index = 0; index < 200; index += 1) {
      conversation.update(chunk('\u0001"\n'.repeat(2_000), 'm1'))
      conversation.update({
        sessionUpdate: 'tool_call',
        toolCallId: `${index}${'x'.repeat(1_000)}`,
        title: 'y'.repeat(5_000),
        rawInput: { text: 'z'.repeat(900) },
      })
      conversation.ask(index, { toolCallId: `${index}`, title: 'z'.repeat(10_000), kind: 'execute' })
    }
    expect(conversation.size()).toBeLessThan(64 * 1024)
  })

  it('is the answer even if thoughts and tools follow', () => {
    const conversation = begin()
    conversation.update(chunk('The answer.'))
    conversation.update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'x',
      kind: 'read',
      status: 'completed',
    })
    conversation.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } })
    const { events } = conversation.answer({ stopReason: 'end_turn' })
    expect(events).toMatchObject([{ type: 'thought', text: 'hm' }, { type: 'turn-end' }])
    expect(outcomesOf(events)).toEqual([{ type: 'done', text: 'The answer.' }])
  })

  it('excludes other conversations of the program', () => {
    const conversation = begin()
    const params = { sessionId: 's2', update: chunk('elsewhere') }
    conversation.print({ method: 'session/update', params })
    expect(outcomesOf(conversation.answer({ stopReason: 'end_turn' }).events)).toEqual([
      { type: 'done', text: '' },
    ])
  })
})

describe('a tool call', () => {
  it('is reported once its input is complete, and its result once', () => {
    const conversation = begin()
    const call = { toolCallId: 't1', kind: 'execute' }
    const first = conversation.update({
      sessionUpdate: 'tool_call',
      ...call,
      title: 'Terminal',
      rawInput: {},
    })
    const part = { ...call, sessionUpdate: 'tool_call_update', title: 'ls', rawInput: { command: 'ls' } }
    expect([first.events, conversation.update(part).events]).toEqual([[], []])
    expect(conversation.update({ ...part, status: 'in_progress' }).events).toEqual([
      { type: 'tool-call', name: 'execute', input: { title: 'ls', command: 'ls' }, callId: 't1' },
    ])
    const done = { ...part, status: 'completed', rawOutput: 'a.txt' }
    expect(conversation.update(done).events).toEqual([
      { type: 'tool-result', name: 'execute', output: 'a.txt', callId: 't1' },
    ])
    expect(conversation.update(done).events).toEqual([])
  })

  it('is reported as failed if its command exited with an error, although the call is completed', () => {
    const conversation = begin()
    const call = { sessionUpdate: 'tool_call_update', kind: 'execute', status: 'completed' }
    const resultOf = (toolCallId: string, exit: number) =>
      conversation
        .update({ ...call, toolCallId, rawOutput: { output: 'not ok', metadata: { exit } } })
        .events.at(-1)
    expect(resultOf('t1', 1)).toMatchObject({ type: 'tool-result', failed: true })
    expect(resultOf('t2', 0)).not.toHaveProperty('failed')
  })

  it('is reported as failed, with its text as output', () => {
    const conversation = begin()
    const content = [{ type: 'content', content: { type: 'text', text: 'no such file' } }]
    const { events } = conversation.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 't1',
      kind: 'read',
      status: 'failed',
      content,
    })
    expect(events).toMatchObject([
      { type: 'tool-call', name: 'read' },
      { type: 'tool-result', output: 'no such file', failed: true },
    ])
  })
})

describe('a permission request', () => {
  const command = { toolCallId: 't1', title: 'rm -r /', kind: 'execute', rawInput: { command: 'rm -r /' } }

  it('waits for a decision and is allowed only once', () => {
    const conversation = begin()
    const asked = conversation.ask(0, command)
    expect(asked.says).toEqual([])
    expect(asked.events).toMatchObject([
      { type: 'tool-call', callId: 't1' },
      {
        type: 'permission-request',
        requestId: '0:t1',
        tool: 'execute',
        input: { title: 'rm -r /', command: 'rm -r /' },
      },
    ])
    expect(conversation.decide('0:t1', { type: 'allow' }).says).toEqual([
      { jsonrpc: '2.0', id: 0, result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
    ])
    expect(conversation.decide('0:t1', { type: 'allow' }).says).toEqual([])
  })

  it('may end the turn as cancelled if it is denied, which is not a failure', () => {
    const conversation = begin()
    conversation.update(chunk('I try.'))
    conversation.ask('a', command)
    expect(conversation.decide('a:t1', { type: 'deny', reason: 'no' }).says).toMatchObject([
      { id: 'a', result: { outcome: { optionId: 'no' } } },
    ])
    expect(outcomesOf(conversation.answer({ stopReason: 'cancelled' }).events)).toEqual([
      { type: 'done', text: 'I try.' },
    ])
  })

  it('is allowed at once with bypassed permissions', () => {
    const conversation = begin({ permissions: 'bypass' })
    const { says, events } = conversation.ask(0, command)
    expect(says).toMatchObject([{ id: 0, result: { outcome: { optionId: 'yes' } } }])
    expect(events.map((event) => event.type)).toEqual(['tool-call'])
  })

  it('is allowed at once for reading or editing the tree, and only there', () => {
    const conversation = begin()
    const edit = (path: string) => ({ toolCallId: 't1', kind: 'edit', locations: [{ path }] })
    expect(conversation.ask(0, edit('/tree/src/a.ts')).says).toMatchObject([
      { result: { outcome: { optionId: 'yes' } } },
    ])
    for (const place of ['/etc/passwd', '/tree/../etc/passwd', '/tree-2/a', '/tree/.git/config']) {
      expect(conversation.ask(place, edit(place)).events).toMatchObject([{ type: 'permission-request' }])
    }
    expect(conversation.ask(2, { toolCallId: 't1', kind: 'edit', locations: [] }).says).toEqual([])
  })

  it('is closed when the program withdraws it or the turn ends', () => {
    const conversation = begin()
    conversation.ask(0, command)
    conversation.ask(1, command)
    conversation.print({ method: '$/cancel_request', params: { requestId: 0 } })
    expect(conversation.decide('0:t1', { type: 'allow' }).says).toEqual([])
    conversation.answer({ stopReason: 'end_turn' })
    expect(conversation.decide('1:t1', { type: 'allow' }).says).toEqual([])
  })

  it('is cancelled when the turn is interrupted', () => {
    const conversation = begin()
    conversation.ask(0, command)
    expect(conversation.interrupt().says).toMatchObject([
      { method: 'session/cancel', params: { sessionId: 's1' } },
      { id: 0, result: { outcome: { outcome: 'cancelled' } } },
    ])
    expect(conversation.ask(1, command).says).toMatchObject([
      { id: 1, result: { outcome: { outcome: 'cancelled' } } },
    ])
    expect(conversation.interrupt().says).toEqual([])
    // Some programs report an interrupted turn as finished.
    expect(outcomesOf(conversation.answer({ stopReason: 'end_turn' }).events)).toEqual([
      { type: 'interrupted' },
    ])
  })

  it('is refused if its kind is unknown or it has no tool call', () => {
    const conversation = begin()
    const { says } = conversation.print({
      id: 7,
      method: 'fs/read_text_file',
      params: { path: '/etc/passwd' },
    })
    expect(says).toMatchObject([{ id: 7, error: { code: -32_601 } }])
    expect(conversation.print({ id: 8, method: 'session/request_permission' }).says).toMatchObject([
      { id: 8, error: { code: -32_602 } },
    ])
  })
})

describe('the end of a turn', () => {
  it.each([
    ['refusal', 'refused'],
    ['max_tokens', 'failed'],
    ['max_turn_requests', 'failed'],
    ['cancelled', 'failed'],
    ['something new', 'failed'],
  ])('with the stop reason %s counts as %s', (stopReason, type) => {
    expect(outcomesOf(begin().answer({ stopReason }).events)).toMatchObject([{ type }])
  })

  it('reports the usage from either field', () => {
    const usage = { inputTokens: 10, cachedReadTokens: 5, outputTokens: 2, totalTokens: 17 }
    expect(begin().answer({ stopReason: 'end_turn', usage }).events[0]).toEqual({
      type: 'usage',
      inputTokens: 15,
      outputTokens: 2,
    })
    const quota = { token_count: { input_tokens: 7, output_tokens: 3 } }
    expect(begin().answer({ stopReason: 'end_turn', _meta: { quota } }).events[0]).toEqual({
      type: 'usage',
      inputTokens: 7,
      outputTokens: 3,
    })
  })

  it('sends the next waiting message', () => {
    const conversation = begin()
    expect(conversation.say('second').says).toEqual([])
    expect(conversation.say('third').says).toEqual([])
    const texts = [1, 2].map(() => conversation.answer({ stopReason: 'end_turn' }).says)
    expect(texts).toMatchObject([
      [{ params: { prompt: [{ text: 'second' }] } }],
      [{ params: { prompt: [{ text: 'third' }] } }],
    ])
  })

  it('is not triggered by the answer to another request', () => {
    const conversation = begin()
    expect(conversation.print({ id: 99, result: { stopReason: 'end_turn' } }).events).toEqual([])
  })
})

describe('a program that retries by itself', () => {
  const retry = (params: object) => ({
    method: '_muster/retry',
    params: { sessionId: 's1', status: 429, message: 'slow down', waitMs: 2_000, ...params },
  })

  it('is stopped after several failed retries', () => {
    const conversation = begin()
    expect(conversation.print(retry({ attempt: 1 })).says).toEqual([])
    expect(conversation.print(retry({ attempt: 3 })).says).toMatchObject([{ method: 'session/cancel' }])
    expect(conversation.print(retry({ attempt: 4 })).says).toEqual([])
    expect(outcomesOf(conversation.answer({ stopReason: 'end_turn' }).events)).toEqual([
      { type: 'limited', reason: 'slow down' },
    ])
  })

  it('is stopped at once if it would wait long', () => {
    const conversation = begin()
    const resetsAt = '2026-01-01T12:00:00.000Z'
    expect(conversation.print(retry({ attempt: 1, waitMs: 3_600_000, resetsAt })).says).toHaveLength(1)
    expect(outcomesOf(conversation.answer({ stopReason: 'cancelled' }).events)).toEqual([
      { type: 'limited', reason: 'slow down', resetsAt },
    ])
  })

  it('is not stopped if the error is not a limit', () => {
    expect(begin().print(retry({ attempt: 9, status: 500 })).says).toEqual([])
  })
})
