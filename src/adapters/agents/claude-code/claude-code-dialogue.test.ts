import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDialogue } from '../../../../test/conformance/dialogue-suite.ts'
import { replay } from '../../../../test/conformance/replay.ts'
import { readTranscript } from '../../../../test/support/transcript.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { DialogueState, Opening, Spoken } from '../../../ports/dialogue.ts'
import { claudeCodeDialogue } from './claude-code-dialogue.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/claude-code')

describeDialogue('claude-code', () => claudeCodeDialogue, TRANSCRIPTS)

function recorded(name: string): readonly AgentEvent[] {
  return replay(claudeCodeDialogue, readTranscript(path.join(TRANSCRIPTS, `${name}.jsonl`))).events
}

function endsOf(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.outcome] : []))
}

/** A conversation that goes on from one opening, line by line. */
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

describe('how a recorded turn ended', () => {
  it('is done with the last text', () => {
    expect(endsOf(recorded('hello'))).toEqual([{ type: 'done', text: '{"done":true}' }])
  })

  it('is done after a decision, whichever it was', () => {
    expect(endsOf(recorded('ask-allowed'))).toMatchObject([{ type: 'done' }])
    expect(endsOf(recorded('ask-denied'))).toMatchObject([{ type: 'done' }])
  })

  it('is interrupted when we interrupted it, and the next turn is done', () => {
    expect(endsOf(recorded('interrupted'))).toEqual([
      { type: 'interrupted' },
      { type: 'done', text: 'Still here.' },
    ])
    expect(endsOf(recorded('ask-interrupted'))).toEqual([{ type: 'interrupted' }])
  })

  it('is limited, until the time that the program told', () => {
    const [end] = endsOf(recorded('rate-limited'))
    expect(end).toMatchObject({ type: 'limited' })
    expect(end?.type === 'limited' && end.resetsAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  })

  it('is limited when the service goes on refusing, without waiting for the last retry', () => {
    const end = { type: 'limited', reason: expect.stringContaining('429') as string }
    expect(endsOf(recorded('rate-limited-again-and-again'))).toEqual([end])
  })

  it('is failed when the login is not accepted', () => {
    const end = { type: 'failed', reason: expect.stringContaining('401') as string }
    expect(endsOf(recorded('login-refused'))).toEqual([end])
  })

  it('is failed when the conversation to go on with does not exist', () => {
    expect(endsOf(recorded('unknown-conversation'))).toMatchObject([{ type: 'failed' }])
  })

  it('is refused when the model declines', () => {
    expect(endsOf(recorded('refused'))).toMatchObject([{ type: 'refused' }])
  })

  it('is done when the service recovered', () => {
    expect(endsOf(recorded('overloaded-once'))).toEqual([{ type: 'done', text: 'Recovered.' }])
  })

  it('is told once for each message that was said during a turn, in order', () => {
    expect(endsOf(recorded('said-during-turn'))).toEqual([
      { type: 'done', text: 'First.' },
      { type: 'done', text: 'Second.' },
      { type: 'done', text: 'Third.' },
    ])
  })
})

describe('what a recorded conversation tells', () => {
  it('is its name, once, and the same name when it was resumed', () => {
    expect(recorded('said-during-turn').filter((event) => event.type === 'session')).toHaveLength(1)
    const transcript = readTranscript(path.join(TRANSCRIPTS, 'resumed.jsonl'))
    const [opened] = transcript.entries
    const resumed = opened?.dir === 'do' && opened.type === 'open' ? opened.opening.resume : undefined
    expect(resumed).toBeTruthy()
    expect(recorded('resumed').find((event) => event.type === 'session')).toMatchObject({
      providerSessionId: resumed,
    })
  })

  it('is a new name after it was begun anew', () => {
    const names = recorded('command-of-its-own').flatMap((event) =>
      event.type === 'session' ? [event.providerSessionId] : [],
    )
    expect(new Set(names).size).toBe(2)
  })

  it('is the name of each tool with its result', () => {
    const results = recorded('several-tools').filter((event) => event.type === 'tool-result')
    expect(results.map((event) => [event.name, event.failed ?? false])).toEqual([
      ['Bash', false],
      ['Bash', true],
      ['Read', true],
    ])
    const calls = recorded('several-tools').filter((event) => event.type === 'tool-call')
    expect(new Set(calls.map((event) => event.callId))).toEqual(new Set(results.map((event) => event.callId)))
  })

  it('is what each turn used, which adds up to what the program says in the end', () => {
    const used = recorded('said-during-turn').flatMap((event) => (event.type === 'usage' ? [event] : []))
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

  it('counts nothing again that was used before it was resumed', () => {
    const [used] = recorded('resumed').filter((event) => event.type === 'usage')
    expect(used?.inputTokens).toBe(used?.contextTokens)
  })

  it('is no text where helpers speak', () => {
    const texts = recorded('helper').flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts).toEqual(['From above.'])
    const calls = recorded('helper').flatMap((event) => (event.type === 'tool-call' ? [event.name] : []))
    expect(calls).toEqual(['Task', 'Bash'])
  })

  it('is a question with the exact input', () => {
    expect(recorded('ask-denied').filter((event) => event.type === 'permission-request')).toMatchObject([
      { tool: 'Bash', input: { command: 'touch ../asked.txt' } },
    ])
  })
})

describe('a question of the program', () => {
  it('is answered with exactly the input that was asked about', () => {
    const talk = begin()
    const input = { command: 'ls', nested: { list: [1, 'zwei', null] } }
    expect(talk.hear(asking('q', input)).events).toEqual([
      { type: 'permission-request', requestId: 'q', tool: 'Bash', input },
    ])
    const [line = ''] = talk.allow('q').says
    expect(JSON.parse(line)).toEqual({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'q', response: { behavior: 'allow', updatedInput: input } },
    })
    expect(talk.allow('q').says).toEqual([])
  })

  it('says which place it reaches', () => {
    const { events } = begin().hear(asking('q', {}, { blocked_path: '/etc' }))
    expect(events).toMatchObject([{ reason: 'It reaches /etc, outside of the working tree.' }])
  })

  it.each([
    ['too large to be kept', { content: 'x'.repeat(30_000) }],
    ['too large in wide characters', { content: '漢'.repeat(10_000) }],
    ['not to be shown as it is', { command: 'a\u0000b' }],
    ['broken', { command: '\ud800' }],
  ])('is denied at once when it is %s', (_, input) => {
    const talk = begin()
    const { events, says } = talk.hear(asking('q', input))
    expect(events).toEqual([])
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { response: { behavior: 'deny' } } })
    expect(talk.allow('q').says).toEqual([])
  })

  it('never makes the state large, however many are open', () => {
    const talk = begin()
    for (let n = 0; n < 500; n += 1) {
      talk.hear(asking(`q${n}`, { command: '"'.repeat(900) }))
      talk.hear(answering([{ type: 'tool_use', id: `${n}`.repeat(40), name: 'Tool'.repeat(40), input: {} }]))
    }
    expect(talk.size()).toBeLessThan(56 * 1024)
  })

  it('is allowed without asking when nothing is to wait', () => {
    const { events, says } = begin({ permissions: 'bypass' }).hear(asking('q', { command: 'ls' }))
    expect(events).toEqual([])
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it('is no longer open when the program withdrew it, or its turn ended', () => {
    const talk = begin()
    talk.hear(asking('q', {}))
    talk.hear({ type: 'control_cancel_request', request_id: 'q' })
    expect(talk.allow('q').says).toEqual([])
    talk.hear(asking('r', {}))
    talk.hear(SUCCESS)
    expect(talk.allow('r').says).toEqual([])
  })

  it('of a kind that is not known is answered, so that it does not wait for ever', () => {
    const { says } = begin().hear({
      type: 'control_request',
      request_id: 'q',
      request: { subtype: 'elicitation' },
    })
    expect(JSON.parse(says[0] ?? '')).toMatchObject({ response: { subtype: 'error', request_id: 'q' } })
  })
})

describe('a turn', () => {
  it('that the program began by itself ends none of ours', () => {
    const talk = begin()
    const own = { ...SUCCESS, origin: { kind: 'task-notification' } }
    expect(talk.hear(own).events).toEqual([])
    expect(endsOf(talk.hear(SUCCESS).events)).toEqual([{ type: 'done', text: 'Done.' }])
    expect(talk.hear(SUCCESS).events).toEqual([])
  })

  it('is interrupted once', () => {
    const talk = begin()
    expect(talk.interrupt().says).toHaveLength(1)
    expect(talk.interrupt().says).toEqual([])
  })

  it('that was done before the interrupt arrived is done', () => {
    const talk = begin()
    talk.interrupt()
    expect(endsOf(talk.hear(SUCCESS).events)).toEqual([{ type: 'done', text: 'Done.' }])
  })

  it('that failed without an interrupt is failed, with what the program said', () => {
    const result = { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'] }
    expect(endsOf(begin().hear(result).events)).toEqual([{ type: 'failed', reason: 'Too many turns.' }])
  })

  it('waits out a short burst of refusals and no long one', () => {
    const retry = { type: 'system', subtype: 'api_retry', error_status: 429 }
    const talk = begin()
    for (const attempt of [1, 2, 3]) {
      expect(talk.hear({ ...retry, attempt, retry_delay_ms: 1_000 }).says).toEqual([])
    }
    expect(talk.hear({ ...retry, attempt: 4, retry_delay_ms: 1_000 }).says).toHaveLength(1)
    expect(begin().hear({ ...retry, attempt: 1, retry_delay_ms: 600_000 }).says).toHaveLength(1)
    const overloaded = { ...retry, error_status: 529, attempt: 9, retry_delay_ms: 30_000 }
    expect(begin().hear(overloaded).says).toEqual([])
  })

  it('keeps what is said meanwhile and says it one by one', () => {
    const talk = begin()
    expect(talk.say('second').says).toEqual([])
    expect(talk.say('third').says).toEqual([])
    expect(talk.hear(SUCCESS).says).toMatchObject([expect.stringContaining('"second"')])
    expect(talk.hear(SUCCESS).says).toMatchObject([expect.stringContaining('"third"')])
    expect(talk.hear(SUCCESS).says).toEqual([])
    expect(talk.say('fourth').says).toMatchObject([expect.stringContaining('"fourth"')])
  })
})

describe('what a turn used, told by an older program,', () => {
  const usage = { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 }
  const tokens = { type: 'usage', inputTokens: 5, outputTokens: 4 }

  it('is the difference of its sums', () => {
    const talk = begin()
    expect(talk.hear({ ...SUCCESS, usage, total_cost_usd: 0.1 }).events[0]).toEqual({
      ...tokens,
      costUsd: 0.1,
    })
    talk.say('more')
    expect(talk.hear({ ...SUCCESS, usage, total_cost_usd: 0.3 }).events[0]).toEqual({
      ...tokens,
      costUsd: 0.2,
    })
  })

  it('has no cost while that of the resumed conversation is not known', () => {
    const talk = begin({ resume: 'an-id' })
    expect(talk.hear({ ...SUCCESS, usage, total_cost_usd: 5 }).events[0]).toEqual(tokens)
    talk.say('more')
    expect(talk.hear({ ...SUCCESS, usage, total_cost_usd: 5.5 }).events[0]).toMatchObject({ costUsd: 0.5 })
  })
})

describe('an answer of the model', () => {
  it('tells thoughts apart from text, and the words of helpers from its own', () => {
    const talk = begin()
    const blocks = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'So.' },
    ]
    expect(talk.hear(answering(blocks)).events).toEqual([
      { type: 'thought', text: 'Hm.' },
      { type: 'text', text: 'So.' },
    ])
    const helped = talk.hear(
      answering([{ type: 'text', text: 'From below.' }], { parent_tool_use_id: 'call' }),
    )
    expect(helped.events).toEqual([{ type: 'thought', text: 'From below.' }])
  })

  it('that the program made up from an error is no text of the agent', () => {
    const { events } = begin().hear(
      answering([{ type: 'text', text: 'API Error' }], { is_api_error_message: true }),
    )
    expect(events).toEqual([{ type: 'error-output', text: 'API Error' }])
  })

  it('leaves the bytes of pictures out of results', () => {
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
