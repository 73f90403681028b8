import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { outcomesOf, replayRecording } from '../../../../test/conformance/replay.ts'
import { readTranscript } from '../../../../test/support/transcript.ts'
import type { DialogueState, Opening, Spoken } from '../../../ports/dialogue.ts'
import { claudeCodeDialogue } from './claude-code-dialogue.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/claude-code')

describeDialogue('claude-code', () => claudeCodeDialogue, TRANSCRIPTS)

const recorded = (name: string) => replayRecording(claudeCodeDialogue, TRANSCRIPTS, name)

const usesIn = (name: string) => recorded(name).flatMap((event) => (event.type === 'usage' ? [event] : []))

/** A conversation that the test continues line by line. */
function begin(opening: Partial<Opening> = {}) {
  const first = claudeCodeDialogue.open({
    prompt: 'do it',
    treeDirectory: '/tree',
    permissions: 'ask',
    ...opening,
  })
  let state: DialogueState = first.state
  const take = (spoken: Spoken): Spoken => {
    state = JSON.parse(JSON.stringify(spoken.state)) as DialogueState
    return spoken
  }
  return {
    hear: (line: object) => take(claudeCodeDialogue.hear(state, JSON.stringify(line))),
    say: (text: string) => take(claudeCodeDialogue.say(state, text)),
    interrupt: () => take(claudeCodeDialogue.interrupt(state)),
    allow: (requestId: string) => take(claudeCodeDialogue.decide(state, requestId, { type: 'allow' })),
    size: () => JSON.stringify(state).length,
  }
}

function asking(id: string, input: object, fields: object = {}) {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input, ...fields }
  return { type: 'control_request', request_id: id, request }
}

function answering(content: readonly object[], fields: object = {}) {
  return { type: 'assistant', message: { model: 'opus', content, usage: {} }, ...fields }
}

const SUCCESS = { type: 'result', subtype: 'success', is_error: false, result: 'Done.' }

describe('a recorded turn', () => {
  it('ends as done with the last text', () => {
    expect(outcomesOf(recorded('hello'))).toEqual([{ type: 'done', text: '{"done":true}' }])
  })

  it('ends as done whether a request was allowed or denied', () => {
    expect(outcomesOf(recorded('ask-allowed'))).toMatchObject([{ type: 'done' }])
    expect(outcomesOf(recorded('ask-denied'))).toMatchObject([{ type: 'done' }])
  })

  it('ends as interrupted after an interrupt, and the next turn works', () => {
    expect(outcomesOf(recorded('interrupted'))).toEqual([
      { type: 'interrupted' },
      { type: 'done', text: 'Still here.' },
    ])
    expect(outcomesOf(recorded('ask-interrupted'))).toEqual([{ type: 'interrupted' }])
  })

  it('ends as limited until the time that the program reported', () => {
    const [end] = outcomesOf(recorded('rate-limited'))
    expect(end).toMatchObject({ type: 'limited' })
    expect(end?.type === 'limited' && end.resetsAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  })

  it('ends as limited if the service keeps refusing, without waiting for the last retry', () => {
    const end = { type: 'limited', reason: expect.stringContaining('429') as string }
    expect(outcomesOf(recorded('rate-limited-again-and-again'))).toEqual([end])
  })

  it('ends with what to do if the log-in is rejected or missing', () => {
    const login = { type: 'unready', cause: 'login' }
    expect(outcomesOf(recorded('login-refused'))).toMatchObject([
      { ...login, reason: expect.stringContaining('401') as string },
    ])
    expect(outcomesOf(recorded('not-logged-in'))).toEqual([
      { ...login, reason: 'Claude Code is not logged in', remedy: 'Run `claude` and log in' },
    ])
  })

  it('ends after half a minute if the model cannot be reached', () => {
    expect(outcomesOf(recorded('unreachable'))).toMatchObject([{ type: 'unready', cause: 'network' }])
  })

  it('fails if the conversation to resume does not exist', () => {
    expect(outcomesOf(recorded('unknown-conversation'))).toMatchObject([{ type: 'failed' }])
  })

  it('ends as refused if the model declines', () => {
    expect(outcomesOf(recorded('refused'))).toMatchObject([{ type: 'refused' }])
  })

  it('ends as done once the service has recovered', () => {
    expect(outcomesOf(recorded('overloaded-once'))).toEqual([{ type: 'done', text: 'Recovered.' }])
  })

  it('ends once for each message that was sent during a turn, in order', () => {
    expect(outcomesOf(recorded('said-during-turn'))).toEqual([
      { type: 'done', text: 'First.' },
      { type: 'done', text: 'Second.' },
      { type: 'done', text: 'Third.' },
    ])
  })
})

describe('a recorded conversation', () => {
  it('reports its id once, and the same id after a resume', () => {
    expect(recorded('said-during-turn').filter((event) => event.type === 'session')).toHaveLength(1)
    const transcript = readTranscript(path.join(TRANSCRIPTS, 'resumed.jsonl'))
    const [opened] = transcript.entries
    const resumed = opened?.dir === 'do' && opened.type === 'open' ? opened.opening.resume : undefined
    expect(resumed).toBeTruthy()
    expect(recorded('resumed').find((event) => event.type === 'session')).toMatchObject({
      providerSessionId: resumed,
    })
  })

  it('reports a new id after it was cleared', () => {
    const names = recorded('command-of-its-own').flatMap((event) =>
      event.type === 'session' ? [event.providerSessionId] : [],
    )
    expect(new Set(names).size).toBe(2)
  })

  it('names the tool of each result', () => {
    const results = recorded('several-tools').filter((event) => event.type === 'tool-result')
    expect(results.map((event) => [event.name, event.failed ?? false])).toEqual([
      ['Bash', false],
      ['Bash', true],
      ['Read', true],
    ])
    const calls = recorded('several-tools').filter((event) => event.type === 'tool-call')
    expect(new Set(calls.map((event) => event.callId))).toEqual(new Set(results.map((event) => event.callId)))
  })

  it("reports the usage of each turn, which adds up to the program's total", () => {
    const used = usesIn('said-during-turn').filter(({ inputTokens }) => inputTokens > 0)
    expect(used).toHaveLength(3)
    const entries = readTranscript(path.join(TRANSCRIPTS, 'said-during-turn.jsonl')).entries
    const last = entries.findLast((entry) => entry.dir === 'out' && entry.line.includes('"total_cost_usd"'))
    const { total_cost_usd: total } = JSON.parse(last?.dir === 'out' ? last.line : '{}')
    expect(used.reduce((sum, event) => sum + (event.costUsd ?? 0), 0)).toBeCloseTo(total, 9)
    for (const event of used) {
      expect(event.contextTokens).toBeGreaterThan(1_000)
      expect(event.contextWindow).toBeGreaterThan(event.contextTokens ?? 0)
    }
  })

  it('does not count usage from before a resume again', () => {
    const [used] = usesIn('resumed').filter(({ inputTokens }) => inputTokens > 0)
    expect(used?.inputTokens).toBe(used?.contextTokens)
  })

  it('contains no text from subagents', () => {
    const texts = recorded('helper').flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts).toEqual(['From above.'])
    const calls = recorded('helper').flatMap((event) => (event.type === 'tool-call' ? [event.name] : []))
    expect(calls).toEqual(['Task', 'Bash'])
  })

  it('reports a permission request with its exact input', () => {
    expect(recorded('ask-denied').filter((event) => event.type === 'permission-request')).toMatchObject([
      { tool: 'Bash', input: { command: 'touch ../asked.txt' } },
    ])
  })
})

describe('a permission request', () => {
  it('is answered with exactly the requested input', () => {
    const conversation = begin()
    const input = { command: 'ls', nested: { list: [1, 'zwei', null] } }
    expect(conversation.hear(asking('q', input)).events).toEqual([
      { type: 'permission-request', requestId: 'q', tool: 'Bash', input },
    ])
    const [line = ''] = conversation.allow('q').says
    expect(JSON.parse(line)).toEqual({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'q', response: { behavior: 'allow', updatedInput: input } },
    })
    expect(conversation.allow('q').says).toEqual([])
  })

  it('names the path that it accesses', () => {
    const { events } = begin().hear(asking('q', {}, { blocked_path: '/etc' }))
    expect(events).toMatchObject([{ reason: 'It accesses /etc, outside the working tree.' }])
  })

  it.each([
    ['too large to store', { content: 'x'.repeat(30_000) }],
    ['too large in bytes', { content: '漢'.repeat(10_000) }],
    ['not printable', { command: 'a\u0000b' }],
    ['not well-formed', { command: '\ud800' }],
  ])('is denied at once if its input is %s', (_, input) => {
    const conversation = begin()
    const { events, says } = conversation.hear(asking('q', input))
    expect(events).toEqual([])
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { response: { behavior: 'deny' } } })
    expect(conversation.allow('q').says).toEqual([])
  })

  it('keeps the state small, even in a flood', () => {
    const conversation = begin()
    for (let n = 0; n < 500; n += 1) {
      conversation.hear(asking(`q${n}`, { command: '"'.repeat(900) }))
      conversation.hear(
        answering([{ type: 'tool_use', id: `${n}`.repeat(40), name: 'Tool'.repeat(40), input: {} }]),
      )
    }
    expect(conversation.size()).toBeLessThan(56 * 1024)
  })

  it('is allowed at once with bypassed permissions', () => {
    const { events, says } = begin({ permissions: 'bypass' }).hear(asking('q', { command: 'ls' }))
    expect(events).toEqual([])
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it('is closed when the program withdraws it or its turn ends', () => {
    const conversation = begin()
    conversation.hear(asking('q', {}))
    conversation.hear({ type: 'control_cancel_request', request_id: 'q' })
    expect(conversation.allow('q').says).toEqual([])
    conversation.hear(asking('r', {}))
    conversation.hear(SUCCESS)
    expect(conversation.allow('r').says).toEqual([])
  })

  it('is answered with an error if its kind is unknown', () => {
    const { says } = begin().hear({
      type: 'control_request',
      request_id: 'q',
      request: { subtype: 'elicitation' },
    })
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { subtype: 'error', request_id: 'q' } })
  })
})

describe('a turn', () => {
  it('does not end with a turn that the program started by itself', () => {
    const conversation = begin()
    const own = { ...SUCCESS, origin: { kind: 'task-notification' } }
    expect(conversation.hear(own).events).toEqual([])
    expect(outcomesOf(conversation.hear(SUCCESS).events)).toEqual([{ type: 'done', text: 'Done.' }])
    expect(conversation.hear(SUCCESS).events).toEqual([])
  })

  it('is interrupted once', () => {
    const conversation = begin()
    expect(conversation.interrupt().says).toHaveLength(1)
    expect(conversation.interrupt().says).toEqual([])
  })

  it('ends as done if it was finished before the interrupt arrived', () => {
    const conversation = begin()
    conversation.interrupt()
    expect(outcomesOf(conversation.hear(SUCCESS).events)).toEqual([{ type: 'done', text: 'Done.' }])
  })

  it("fails with the program's error", () => {
    const result = { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'] }
    expect(outcomesOf(begin().hear(result).events)).toEqual([{ type: 'failed', reason: 'Too many turns.' }])
  })

  it('waits for a short burst of refusals to pass, but not for a long one', () => {
    const retry = { type: 'system', subtype: 'api_retry', error_status: 429 }
    const conversation = begin()
    for (const attempt of [1, 2, 3]) {
      expect(conversation.hear({ ...retry, attempt, retry_delay_ms: 1_000 }).says).toEqual([])
    }
    expect(conversation.hear({ ...retry, attempt: 4, retry_delay_ms: 1_000 }).says).toHaveLength(1)
    expect(begin().hear({ ...retry, attempt: 1, retry_delay_ms: 600_000 }).says).toHaveLength(1)
    const overloaded = { ...retry, error_status: 529, attempt: 9, retry_delay_ms: 30_000 }
    expect(begin().hear(overloaded).says).toEqual([])
  })

  it('holds back new messages and sends them one by one', () => {
    const conversation = begin()
    expect(conversation.say('second').says).toEqual([])
    expect(conversation.say('third').says).toEqual([])
    expect(conversation.hear(SUCCESS).says).toMatchObject([expect.stringContaining('"second"')])
    expect(conversation.hear(SUCCESS).says).toMatchObject([expect.stringContaining('"third"')])
    expect(conversation.hear(SUCCESS).says).toEqual([])
    expect(conversation.say('fourth').says).toMatchObject([expect.stringContaining('"fourth"')])
  })
})

describe('the context within a turn', () => {
  const usage = { input_tokens: 20, cache_read_input_tokens: 150_000, cache_creation_input_tokens: 30_000 }
  const message = (model: string, fields: object = {}) => ({
    ...answering([{ type: 'text', text: 'Working.' }]),
    message: { model, content: [], usage },
    ...fields,
  })

  it('is reported with each recorded answer, and not for answers of subagents', () => {
    const events = recorded('helper')
    const end = events.findIndex((event) => event.type === 'turn-end')
    const within = events.slice(0, end).filter((event) => event.type === 'usage' && event.inputTokens === 0)
    expect(within).toMatchObject([
      { contextTokens: expect.any(Number), contextWindow: 1_000_000 },
      { contextTokens: 10_541, contextWindow: 1_000_000 },
    ])
  })

  it('counts cached tokens, and is reported once per answer', () => {
    const conversation = begin()
    const reported = { type: 'usage', inputTokens: 0, outputTokens: 0, contextTokens: 180_020 }
    expect(conversation.hear(message('claude-sonnet-4-5-20250929')).events).toEqual([
      { ...reported, contextWindow: 200_000 },
    ])
    expect(conversation.hear(message('claude-sonnet-4-5-20250929')).events).toEqual([])
    expect(conversation.hear(message('other', { parent_tool_use_id: 'call_1' })).events).toEqual([])
  })

  it.each([
    ['claude-3-5-haiku-20241022', 200_000],
    ['claude-opus-4-20250514', 200_000],
    ['claude-opus-4-6', 200_000],
    ['claude-opus-4-8', 1_000_000],
    ['claude-sonnet-5', 1_000_000],
    ['some-other-model', 1_000_000],
  ])('has the window that the program gives to %s', (model, contextWindow) => {
    expect(begin().hear(message(model)).events).toMatchObject([{ contextWindow }])
  })

  it('has the large window of a variant, and then the one that a result reported', () => {
    const conversation = begin()
    const model = 'claude-sonnet-4-5'
    conversation.hear({ type: 'system', subtype: 'init', session_id: 's', model: `${model}[1m]` })
    expect(conversation.hear(message(model)).events).toMatchObject([{ contextWindow: 1_000_000 }])
    conversation.hear({ ...SUCCESS, modelUsage: { [`${model}[1m]`]: { contextWindow: 500_000 } } })
    conversation.say('more')
    const more = message(model, { message: { model, content: [], usage: { input_tokens: 7 } } })
    expect(conversation.hear(more).events).toMatchObject([{ contextTokens: 7, contextWindow: 500_000 }])
  })
})

describe('the usage that an older version reports', () => {
  const usage = { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 }
  const tokens = { type: 'usage', inputTokens: 5, outputTokens: 4 }

  it('is the difference between its totals', () => {
    const conversation = begin()
    expect(conversation.hear({ ...SUCCESS, usage, total_cost_usd: 0.1 }).events[0]).toEqual({
      ...tokens,
      costUsd: 0.1,
    })
    conversation.say('more')
    expect(conversation.hear({ ...SUCCESS, usage, total_cost_usd: 0.3 }).events[0]).toEqual({
      ...tokens,
      costUsd: 0.2,
    })
  })

  it('has no cost until the total of the resumed conversation is known', () => {
    const conversation = begin({ resume: 'an-id' })
    expect(conversation.hear({ ...SUCCESS, usage, total_cost_usd: 5 }).events[0]).toEqual(tokens)
    conversation.say('more')
    expect(conversation.hear({ ...SUCCESS, usage, total_cost_usd: 5.5 }).events[0]).toMatchObject({
      costUsd: 0.5,
    })
  })
})

describe("the model's answer", () => {
  it('separates thoughts and text from subagents from its own text', () => {
    const conversation = begin()
    const blocks = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'So.' },
    ]
    expect(conversation.hear(answering(blocks)).events).toEqual([
      { type: 'thought', text: 'Hm.' },
      { type: 'text', text: 'So.' },
    ])
    const helped = conversation.hear(
      answering([{ type: 'text', text: 'From below.' }], { parent_tool_use_id: 'call' }),
    )
    expect(helped.events).toEqual([{ type: 'thought', text: 'From below.' }])
  })

  it('is reported as an error if the program has written it', () => {
    const { events } = begin().hear(
      answering([{ type: 'text', text: 'API Error' }], { is_api_error_message: true }),
    )
    expect(events).toEqual([{ type: 'error-output', text: 'API Error' }])
  })

  it('omits the bytes of images', () => {
    const content = [
      { type: 'text', text: 'a picture' },
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
    ]
    const line = {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'call', content }] },
    }
    expect(begin().hear(line).events).toEqual([
      {
        type: 'tool-result',
        name: 'tool',
        callId: 'call',
        output: [{ type: 'text', text: 'a picture' }, { type: 'image' }],
      },
    ])
  })
})
