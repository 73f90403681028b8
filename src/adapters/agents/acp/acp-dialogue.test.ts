import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { replay } from '../../../../test/conformance/replay.ts'
import { readTranscript } from '../../../../test/support/transcript.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { DialogueState, Opening, PermissionDecision, Spoken } from '../../../ports/dialogue.ts'
import { createAcpDialogue } from './acp-dialogue.ts'
import type { AcpOptions } from './acp-options.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/acp')
const PLAIN: AcpOptions = { modelBy: 'protocol', replayEnd: 'answer' }
const CAPABLE = { loadSession: true, mcpCapabilities: { http: true }, sessionCapabilities: {} }

describeDialogue('acp', () => createAcpDialogue(PLAIN), TRANSCRIPTS)

function recorded(name: string): readonly AgentEvent[] {
  const transcript = readTranscript(path.join(TRANSCRIPTS, `${name}.jsonl`))
  return replay(createAcpDialogue(PLAIN), transcript).events
}

function endsOf(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.outcome] : []))
}

type Said = {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

/** A conversation whose other side is played here, message by message. */
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
  const talk = converse(opening, options)
  talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
  talk.answer({ sessionId: 's1' })
  return talk
}

const chunk = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId === undefined ? {} : { messageId }),
})

describe('how a recorded turn ended', () => {
  it('is done with the last text', () => {
    expect(endsOf(recorded('hello'))).toEqual([{ type: 'done', text: 'All done. {"done":true}' }])
  })

  it('is done after a decision, whichever it was', () => {
    expect(endsOf(recorded('ask-allowed'))).toMatchObject([{ type: 'done' }])
    expect(endsOf(recorded('ask-denied'))).toMatchObject([{ type: 'done' }])
  })

  it('is an interrupt where we interrupted, and the next turn is as any', () => {
    expect(endsOf(recorded('interrupt'))).toEqual([
      { type: 'interrupted' },
      { type: 'done', text: 'alive after the interrupt' },
    ])
  })

  it('is a limit where the answer has its number', () => {
    expect(endsOf(recorded('rate-limit'))).toMatchObject([{ type: 'limited' }])
  })

  it('is a failure that names the models when there is no such model', () => {
    expect(endsOf(recorded('no-such-model'))).toMatchObject([
      { type: 'failed', reason: expect.stringContaining('fake/other-model') },
    ])
  })
})

describe('the beginning of a conversation', () => {
  it('names our tools to a program that can reach them', () => {
    const talk = converse({ mcp: { url: 'http://127.0.0.1:1/mcp', token: 'secret' } })
    const { says } = talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
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

  it('keeps no token in its state once it has been told', () => {
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

  it('takes nothing that is repeated of an old conversation for new', () => {
    const talk = converse({ resume: 's1' })
    expect(talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: 's1' } },
    ])
    expect(talk.update(chunk('said long ago')).events).toEqual([])
    const cost = { amount: 2, currency: 'USD' }
    expect(talk.update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost }).events).toEqual([])
    const loaded = talk.answer({})
    expect(loaded.events).toEqual([{ type: 'session', providerSessionId: 's1' }])
    expect(loaded.says).toMatchObject([{ method: 'session/prompt' }])
    const more = { amount: 2.5, currency: 'USD' }
    expect(
      talk.update({ sessionUpdate: 'usage_update', used: 20, size: 100, cost: more }).events,
    ).toMatchObject([{ type: 'usage', costUsd: 0.5, contextTokens: 20, contextWindow: 100 }])
  })

  it('waits for the end of what is repeated where that comes after the answer', () => {
    const talk = converse({ resume: 's1' }, { replayEnd: 'available-commands' })
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(talk.answer({}).says).toEqual([])
    expect(talk.update(chunk('said long ago')).events).toEqual([])
    const through = talk.update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
    expect(through.says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('resumes without a repetition where it can, and loads where that is not known after all', () => {
    const talk = converse({ resume: 's1' })
    const agentCapabilities = { ...CAPABLE, sessionCapabilities: { resume: {} } }
    expect(talk.answer({ protocolVersion: 1, agentCapabilities }).says).toMatchObject([
      { method: 'session/resume' },
    ])
    expect(talk.fail({ code: -32_601, message: 'unknown' }).says).toMatchObject([{ method: 'session/load' }])
  })

  it('loads under another name where that is needed, and under its own where that is not known', () => {
    const talk = converse({ resume: 's1' }, { loadPrefix: ' ' })
    expect(talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: ' s1' } },
    ])
    const other = converse({ resume: 's1' }, { loadPrefix: ' ' })
    other.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(other.fail({ code: -32_603, message: 'unknown' }).says).toMatchObject([
      { method: 'session/load', params: { sessionId: 's1' } },
    ])
    for (const one of [talk, other]) {
      expect(one.answer({}).events).toEqual([{ type: 'session', providerSessionId: 's1' }])
    }
    expect(endsOf(talk.answer({ stopReason: 'end_turn' }).events)).toMatchObject([{ type: 'done' }])
  })

  it('logs in once where an old conversation wants it', () => {
    const talk = converse({ resume: 's1' }, { authenticateBy: 'a-key' })
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(talk.fail({ code: -32_000, message: 'log in' }).says).toMatchObject([
      { method: 'authenticate', params: { methodId: 'a-key' } },
    ])
    expect(talk.answer({}).says).toMatchObject([{ method: 'session/load' }])
    expect(endsOf(talk.fail({ code: -32_000, message: 'log in' }).events)).toMatchObject([{ type: 'failed' }])
  })

  it('does not begin anew when the old conversation cannot be found', () => {
    const talk = converse({ resume: 's1' })
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    const failed = talk.fail({ code: -32_603, message: 'Internal error', data: { details: 'no such thing' } })
    expect(failed.says).toEqual([])
    expect(endsOf(failed.events)).toEqual([{ type: 'failed', reason: 'Internal error: no such thing' }])
  })

  it('says how to log in when that is what is missing', () => {
    const talk = converse()
    const authMethods = [{ id: 'x', name: 'Log in', description: 'Run `x login`' }]
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE, authMethods })
    const failed = talk.fail({ code: -32_000, message: 'Authentication required' })
    expect(endsOf(failed.events)).toEqual([
      { type: 'failed', reason: 'Authentication required. Log in first: Run `x login`' },
    ])
    expect(endsOf(talk.say('hello?').events)).toMatchObject([{ type: 'failed' }])
  })

  it('asks for a model in the way that the program offers', () => {
    const talk = converse({ model: 'big' })
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    const models = { currentModelId: 'small', availableModels: [{ modelId: 'small' }, { modelId: 'big' }] }
    const begun = talk.answer({ sessionId: 's1', models })
    expect(begun.says).toMatchObject([
      { method: 'session/set_model', params: { sessionId: 's1', modelId: 'big' } },
    ])
    expect(begun.events).toEqual([{ type: 'session', providerSessionId: 's1', model: 'big' }])
    expect(talk.answer({}).says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('takes back its message when it is interrupted before it was sent', () => {
    const talk = converse()
    expect(talk.interrupt()).toEqual({
      says: [],
      events: [{ type: 'turn-end', outcome: { type: 'interrupted' } }],
    })
    talk.answer({ protocolVersion: 1, agentCapabilities: CAPABLE })
    expect(talk.answer({ sessionId: 's1' }).says).toEqual([])
    expect(talk.say('now').says).toMatchObject([{ method: 'session/prompt' }])
  })

  it('shows what a program prints that does not speak the protocol', () => {
    const dialogue = createAcpDialogue(PLAIN)
    const { state } = dialogue.open({ prompt: 'x', treeDirectory: '/tree', permissions: 'ask' })
    expect(dialogue.hear(state, 'usage: my-agent [options]').events).toEqual([
      { type: 'text', text: 'usage: my-agent [options]' },
    ])
  })
})

describe('what is said in a turn', () => {
  it('is told by messages, not by pieces', () => {
    const talk = begin()
    const pieces = ['I ', 'look ', 'at it.'].map((text) => talk.update(chunk(text, 'm1')).events)
    expect(pieces).toEqual([[], [], []])
    expect(talk.update(chunk('Then ', 'm2')).events).toEqual([{ type: 'text', text: 'I look at it.' }])
    talk.update(chunk('I do it.', 'm2'))
    expect(talk.answer({ stopReason: 'end_turn' }).events).toEqual([
      { type: 'text', text: 'Then I do it.' },
      { type: 'turn-end', outcome: { type: 'done', text: 'Then I do it.' } },
    ])
  })

  it('is told in several events when it is long, and answers as a whole', () => {
    const talk = begin()
    const words = Array.from({ length: 2_000 }, (_, index) => `word ${index} `)
    const events = words.flatMap((word) => talk.update(chunk(word, 'm1')).events)
    const end = talk.answer({ stopReason: 'end_turn' })
    const texts = [...events, ...end.events].flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts.join('')).toBe(words.join(''))
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.length).toBeLessThan(20)
    expect(endsOf(end.events)).toEqual([{ type: 'done', text: words.join('') }])
  })

  it('never makes the state large', () => {
    const talk = begin()
    for (let index = 0; index < 200; index += 1) {
      talk.update(chunk('\u0001"\n'.repeat(2_000), 'm1'))
      talk.update({
        sessionUpdate: 'tool_call',
        toolCallId: `${index}${'x'.repeat(1_000)}`,
        title: 'y'.repeat(5_000),
        rawInput: { text: 'z'.repeat(900) },
      })
      talk.ask(index, { toolCallId: `${index}`, title: 'z'.repeat(10_000), kind: 'execute' })
    }
    expect(talk.size()).toBeLessThan(64 * 1024)
  })

  it('is the answer even when only thoughts and tools follow', () => {
    const talk = begin()
    talk.update(chunk('The answer.'))
    talk.update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'x',
      kind: 'read',
      status: 'completed',
    })
    talk.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } })
    const { events } = talk.answer({ stopReason: 'end_turn' })
    expect(events).toMatchObject([{ type: 'thought', text: 'hm' }, { type: 'turn-end' }])
    expect(endsOf(events)).toEqual([{ type: 'done', text: 'The answer.' }])
  })

  it('is not what another conversation of the program says', () => {
    const talk = begin()
    const params = { sessionId: 's2', update: chunk('elsewhere') }
    talk.print({ method: 'session/update', params })
    expect(endsOf(talk.answer({ stopReason: 'end_turn' }).events)).toEqual([{ type: 'done', text: '' }])
  })
})

describe('a tool call', () => {
  it('is told once its input is complete, and its result once', () => {
    const talk = begin()
    const call = { toolCallId: 't1', kind: 'execute' }
    const first = talk.update({ sessionUpdate: 'tool_call', ...call, title: 'Terminal', rawInput: {} })
    const part = { ...call, sessionUpdate: 'tool_call_update', title: 'ls', rawInput: { command: 'ls' } }
    expect([first.events, talk.update(part).events]).toEqual([[], []])
    expect(talk.update({ ...part, status: 'in_progress' }).events).toEqual([
      { type: 'tool-call', name: 'execute', input: { title: 'ls', command: 'ls' }, callId: 't1' },
    ])
    const done = { ...part, status: 'completed', rawOutput: 'a.txt' }
    expect(talk.update(done).events).toEqual([
      { type: 'tool-result', name: 'execute', output: 'a.txt', callId: 't1' },
    ])
    expect(talk.update(done).events).toEqual([])
  })

  it('that failed says so, with its text for an output', () => {
    const talk = begin()
    const content = [{ type: 'content', content: { type: 'text', text: 'no such file' } }]
    const { events } = talk.update({
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

describe('a request for permission', () => {
  const command = { toolCallId: 't1', title: 'rm -r /', kind: 'execute', rawInput: { command: 'rm -r /' } }

  it('waits for a decision and is answered with what is allowed once', () => {
    const talk = begin()
    const asked = talk.ask(0, command)
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
    expect(talk.decide('0:t1', { type: 'allow' }).says).toEqual([
      { jsonrpc: '2.0', id: 0, result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
    ])
    expect(talk.decide('0:t1', { type: 'allow' }).says).toEqual([])
  })

  it('that is denied may end the turn as cancelled, which is no failure', () => {
    const talk = begin()
    talk.update(chunk('I try.'))
    talk.ask('a', command)
    expect(talk.decide('a:t1', { type: 'deny', reason: 'no' }).says).toMatchObject([
      { id: 'a', result: { outcome: { optionId: 'no' } } },
    ])
    expect(endsOf(talk.answer({ stopReason: 'cancelled' }).events)).toEqual([
      { type: 'done', text: 'I try.' },
    ])
  })

  it('waits for nobody when permissions are bypassed', () => {
    const talk = begin({ permissions: 'bypass' })
    const { says, events } = talk.ask(0, command)
    expect(says).toMatchObject([{ id: 0, result: { outcome: { optionId: 'yes' } } }])
    expect(events.map((event) => event.type)).toEqual(['tool-call'])
  })

  it('waits for nobody where it is to read or edit the tree, and only there', () => {
    const talk = begin()
    const edit = (path: string) => ({ toolCallId: 't1', kind: 'edit', locations: [{ path }] })
    expect(talk.ask(0, edit('/tree/src/a.ts')).says).toMatchObject([
      { result: { outcome: { optionId: 'yes' } } },
    ])
    for (const place of ['/etc/passwd', '/tree/../etc/passwd', '/tree-2/a', '/tree/.git/config']) {
      expect(talk.ask(place, edit(place)).events).toMatchObject([{ type: 'permission-request' }])
    }
    expect(talk.ask(2, { toolCallId: 't1', kind: 'edit', locations: [] }).says).toEqual([])
  })

  it('is over when the program withdraws it or the turn ends', () => {
    const talk = begin()
    talk.ask(0, command)
    talk.ask(1, command)
    talk.print({ method: '$/cancel_request', params: { requestId: 0 } })
    expect(talk.decide('0:t1', { type: 'allow' }).says).toEqual([])
    talk.answer({ stopReason: 'end_turn' })
    expect(talk.decide('1:t1', { type: 'allow' }).says).toEqual([])
  })

  it('is answered as cancelled when the turn is interrupted', () => {
    const talk = begin()
    talk.ask(0, command)
    expect(talk.interrupt().says).toMatchObject([
      { method: 'session/cancel', params: { sessionId: 's1' } },
      { id: 0, result: { outcome: { outcome: 'cancelled' } } },
    ])
    expect(talk.ask(1, command).says).toMatchObject([
      { id: 1, result: { outcome: { outcome: 'cancelled' } } },
    ])
    expect(talk.interrupt().says).toEqual([])
    // Some programs tell a turn that was stopped as one that came to its end.
    expect(endsOf(talk.answer({ stopReason: 'end_turn' }).events)).toEqual([{ type: 'interrupted' }])
  })

  it('of any other kind is declined, so that nothing waits for ever', () => {
    const talk = begin()
    const { says } = talk.print({ id: 7, method: 'fs/read_text_file', params: { path: '/etc/passwd' } })
    expect(says).toMatchObject([{ id: 7, error: { code: -32_601 } }])
    expect(talk.print({ id: 8, method: 'session/request_permission' }).says).toMatchObject([
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
  ])('that is told as %s is %s', (stopReason, type) => {
    expect(endsOf(begin().answer({ stopReason }).events)).toMatchObject([{ type }])
  })

  it('tells what was used, whichever place it is told in', () => {
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

  it('sends the message that was said in the meantime, in order', () => {
    const talk = begin()
    expect(talk.say('second').says).toEqual([])
    expect(talk.say('third').says).toEqual([])
    const texts = [1, 2].map(() => talk.answer({ stopReason: 'end_turn' }).says)
    expect(texts).toMatchObject([
      [{ params: { prompt: [{ text: 'second' }] } }],
      [{ params: { prompt: [{ text: 'third' }] } }],
    ])
  })

  it('is not told by an answer to something else', () => {
    const talk = begin()
    expect(talk.print({ id: 99, result: { stopReason: 'end_turn' } }).events).toEqual([])
  })
})

describe('a program that tries again by itself', () => {
  const retry = (params: object) => ({
    method: '_muster/retry',
    params: { sessionId: 's1', status: 429, message: 'slow down', waitMs: 2_000, ...params },
  })

  it('is let be at first, and stopped when it is in vain', () => {
    const talk = begin()
    expect(talk.print(retry({ attempt: 1 })).says).toEqual([])
    expect(talk.print(retry({ attempt: 3 })).says).toMatchObject([{ method: 'session/cancel' }])
    expect(talk.print(retry({ attempt: 4 })).says).toEqual([])
    expect(endsOf(talk.answer({ stopReason: 'end_turn' }).events)).toEqual([
      { type: 'limited', reason: 'slow down' },
    ])
  })

  it('is stopped at once when it would wait for long', () => {
    const talk = begin()
    const resetsAt = '2026-01-01T12:00:00.000Z'
    expect(talk.print(retry({ attempt: 1, waitMs: 3_600_000, resetsAt })).says).toHaveLength(1)
    expect(endsOf(talk.answer({ stopReason: 'cancelled' }).events)).toEqual([
      { type: 'limited', reason: 'slow down', resetsAt },
    ])
  })

  it('is let be when it is no limit that it ran into', () => {
    expect(begin().print(retry({ attempt: 9, status: 500 })).says).toEqual([])
  })
})
