import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { outcomesOf, replayRecording } from '../../../../test/conformance/replay.ts'
import type { DialogueState, Opening, Spoken } from '../../../ports/dialogue.ts'
import { codexDialogue } from './codex-dialogue.ts'

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../test/fixtures/transcripts/codex')
const recorded = (name: string) => replayRecording(codexDialogue, TRANSCRIPTS, name)

const OPENING: Opening = { prompt: 'first', treeDirectory: '/home/ada/tree', permissions: 'ask' }
const GREETED = { id: 1, result: {} }
const JOINED = { id: 2, result: { thread: { id: 'T' }, model: 'large' } }

/** The combined result of several messages from the program. */
function hearAll(start: DialogueState, ...messages: readonly object[]): Spoken {
  let spoken: Spoken = { state: start, events: [], says: [] }
  for (const message of messages) {
    const next = codexDialogue.hear(spoken.state, JSON.stringify(message))
    spoken = {
      state: next.state,
      events: [...spoken.events, ...next.events],
      says: [...spoken.says, ...next.says],
    }
  }
  return spoken
}

function working(fields: Partial<Opening> = {}): DialogueState {
  return hearAll(codexDialogue.open({ ...OPENING, ...fields }).state, GREETED, JOINED, turnAnswer(3, 'U1'))
    .state
}

const turnAnswer = (id: number, turnId: string) => ({ id, result: { turn: { id: turnId } } })
const notice = (method: string, params: object, threadId = 'T') => ({
  method,
  params: { threadId, ...params },
})
const turnEnd = (id: string, fields: object = { status: 'completed' }, threadId = 'T') =>
  notice('turn/completed', { turn: { id, ...fields } }, threadId)
const message = (text: string, threadId = 'T') =>
  notice('item/completed', { item: { type: 'agentMessage', id: 'm', text } }, threadId)
const said = (spoken: Spoken): readonly unknown[] => spoken.says.map((line) => JSON.parse(line) as unknown)

describe('a conversation with Codex', () => {
  it('sends early messages in order once there is a thread, one turn at a time', () => {
    const opened = codexDialogue.say(codexDialogue.open(OPENING).state, 'second')
    expect(opened.says).toEqual([])
    const begun = hearAll(opened.state, GREETED, JOINED)
    expect(said(begun).at(-1)).toMatchObject({ method: 'turn/start', params: { input: [{ text: 'first' }] } })
    const over = hearAll(begun.state, turnAnswer(3, 'U1'), turnEnd('U1'))
    expect(said(over)).toMatchObject([{ method: 'turn/start', params: { input: [{ text: 'second' }] } }])
  })

  it('interrupts a pending turn as soon as it starts', () => {
    const interrupted = codexDialogue.interrupt(codexDialogue.open(OPENING).state)
    expect(interrupted.says).toEqual([])
    const begun = hearAll(interrupted.state, GREETED, JOINED, turnAnswer(3, 'U1'))
    expect(said(begun).at(-1)).toMatchObject({
      method: 'turn/interrupt',
      params: { threadId: 'T', turnId: 'U1' },
    })
  })

  it('interrupts one turn but not the next', () => {
    const state = codexDialogue.say(codexDialogue.interrupt(working()).state, 'second').state
    const over = hearAll(state, turnEnd('U1', { status: 'interrupted' }), turnAnswer(5, 'U2'))
    expect(said(over)).toMatchObject([{ method: 'turn/start' }])
  })

  it('ends a turn whose end arrives before the answer to its start', () => {
    const begun = hearAll(codexDialogue.open(OPENING).state, GREETED, JOINED)
    const over = hearAll(begun.state, turnEnd('U1'), turnAnswer(3, 'U1'))
    expect(outcomesOf(over.events)).toEqual([{ type: 'done', text: '' }])
    expect(said(codexDialogue.say(over.state, 'next'))).toMatchObject([{ method: 'turn/start' }])
  })

  it('fails a message whose turn cannot start, and continues', () => {
    const begun = hearAll(codexDialogue.open(OPENING).state, GREETED, JOINED)
    const failed = hearAll(begun.state, { id: 3, error: { code: -1, message: 'too long' } })
    expect(outcomesOf(failed.events)).toEqual([{ type: 'failed', reason: 'too long' }])
    expect(said(codexDialogue.say(failed.state, 'next'))).toMatchObject([{ method: 'turn/start' }])
  })

  it('fails every waiting and later message if there is no thread', () => {
    const waiting = codexDialogue.say(codexDialogue.open(OPENING).state, 'second').state
    const broken = hearAll(waiting, GREETED, { id: 2, error: { code: -1, message: 'no such thread' } })
    expect(outcomesOf(broken.events)).toMatchObject([{ type: 'failed' }, { type: 'failed' }])
    const later = codexDialogue.say(broken.state, 'third')
    expect(outcomesOf(later.events)).toMatchObject([{ type: 'failed' }])
    expect(later.says).toEqual([])
  })

  it('fails a message if the stored state cannot be read', () => {
    expect(outcomesOf(codexDialogue.say({ of: 'another version' }, 'hello').events)).toMatchObject([
      { type: 'failed' },
    ])
  })

  it('ignores text, usage and turn ends of other threads', () => {
    const total = { totalTokens: 2, inputTokens: 1, outputTokens: 1 }
    const heard = hearAll(
      working(),
      message('of a helper', 'OTHER'),
      notice('thread/tokenUsage/updated', { turnId: 'U1', tokenUsage: { total, last: total } }, 'OTHER'),
      turnEnd('U1', { status: 'completed' }, 'OTHER'),
      turnEnd('another turn'),
    )
    expect(heard.events).toEqual([])
  })

  it('counts a repeated usage report once', () => {
    const total = { totalTokens: 12, inputTokens: 10, outputTokens: 2 }
    const report = notice('thread/tokenUsage/updated', { turnId: 'U1', tokenUsage: { total, last: total } })
    expect(hearAll(working(), report, report).events).toEqual([
      { type: 'usage', inputTokens: 10, outputTokens: 2, contextTokens: 12 },
    ])
  })

  it('keeps its state small, even in a flood', () => {
    const long = 'x'.repeat(50_000)
    const changes = Array.from({ length: 100 }, () => ({ path: long.slice(0, 1_000), kind: { type: 'add' } }))
    const flood = Array.from({ length: 40 }, (_, id) => [
      notice('item/started', { item: { type: 'fileChange', id: `change-${id}`, changes } }),
      {
        id,
        ...notice('item/permissions/requestApproval', { permissions: { network: long.slice(0, 1_000) } }),
      },
      message(long),
      notice('error', { error: { message: long }, willRetry: false }),
    ])
    expect(JSON.stringify(hearAll(working(), ...flood.flat()).state).length).toBeLessThan(64 * 1024)
  })

  it('answers with the last message if the end of the turn has none', () => {
    const over = hearAll(working(), message('first words'), message('last words'), turnEnd('U1'))
    expect(outcomesOf(over.events)).toEqual([{ type: 'done', text: 'last words' }])
  })
})

describe('the end of a turn of Codex', () => {
  const endWith = (codexErrorInfo: unknown, ...before: readonly object[]) => {
    const error = { message: 'it went wrong', codexErrorInfo, additionalDetails: null }
    return outcomesOf(hearAll(working(), ...before, turnEnd('U1', { status: 'failed', error })).events)
  }

  it('is a limit until all used-up quotas reset', () => {
    const limits = (primary: object | null, secondary: object | null) => ({
      method: 'account/rateLimits/updated',
      params: { rateLimits: { primary, secondary } },
    })
    const full = limits(
      { usedPercent: 100, resetsAt: 1_800_000_000 },
      { usedPercent: 30, resetsAt: 1_900_000_000 },
    )
    const limited = { type: 'limited', reason: 'it went wrong', resetsAt: '2027-01-15T08:00:00.000Z' }
    expect(endWith('usageLimitExceeded', full)).toEqual([limited])
    expect(endWith('usageLimitExceeded', full, limits(null, null))).toEqual([limited])
    expect(endWith('rateLimitExceeded')).toEqual([{ type: 'limited', reason: 'it went wrong' }])
    expect(endWith({ responseTooManyFailedAttempts: { httpStatusCode: 429 } })).toMatchObject([
      { type: 'limited' },
    ])
    expect(endWith('usageLimitExceeded', limits({ usedPercent: 100, resetsAt: 9e30 }, null))).toEqual([
      { type: 'limited', reason: 'it went wrong' },
    ])
  })

  it('is a refusal if a policy forbids the request', () => {
    expect(endWith('cyberPolicy')).toEqual([{ type: 'refused', reason: 'it went wrong' }])
  })

  it('is a failure otherwise, even for unknown kinds of errors', () => {
    for (const info of ['new kind', { httpConnectionFailed: { httpStatusCode: 500 } }, null, 7]) {
      expect(endWith(info)).toEqual([{ type: 'failed', reason: 'it went wrong' }])
    }
  })

  it('is a missing log-in if the service rejects the key', () => {
    const refused = { type: 'unready', cause: 'login', remedy: 'Run `codex login`, or correct the key' }
    for (const info of ['unauthorized', { httpConnectionFailed: { httpStatusCode: 403 } }]) {
      expect(endWith(info)).toMatchObject([refused])
    }
    expect(outcomesOf(recorded('unauthorized-401'))).toMatchObject([refused])
  })

  it('is an unreachable model if requests get no answer, which ends the endless wait of the program', () => {
    expect(endWith({ httpConnectionFailed: { httpStatusCode: null } })).toMatchObject([
      { type: 'unready', cause: 'network' },
    ])
    expect(outcomesOf(recorded('unreachable'))).toMatchObject([{ type: 'unready', cause: 'network' }])
  })

  it('does not come with an error that is retried', () => {
    const heard = hearAll(working(), notice('error', { error: { message: 'again' }, willRetry: true }))
    expect(heard.events).toEqual([{ type: 'error-output', text: 'again' }])
  })

  it('has the reason of the last error if it gives none', () => {
    const final = notice('error', { error: { message: 'the line is dead' }, willRetry: false })
    const over = hearAll(working(), final, turnEnd('U1', { status: 'failed', error: null }))
    expect(outcomesOf(over.events)).toEqual([{ type: 'failed', reason: 'the line is dead' }])
  })
})

describe('a request of Codex', () => {
  const command = (id: number | string) => ({
    id,
    ...notice('item/commandExecution/requestApproval', {
      itemId: 'i',
      command: 'rm x',
      cwd: '/home/ada/tree',
    }),
  })
  const permissions = { network: { enabled: true }, fileSystem: null }
  const grant = { id: 9, ...notice('item/permissions/requestApproval', { permissions, reason: 'to fetch' }) }
  const consent = (fields: object) => ({
    id: 'e1',
    ...notice('mcpServer/elicitation/request', {
      serverName: 'files',
      mode: 'form',
      message: 'May I?',
      ...fields,
    }),
  })
  const decideOn = (question: object, requestId: string, type: 'allow' | 'deny') => {
    const { state } = hearAll(working(), question)
    return said(codexDialogue.decide(state, requestId, type === 'allow' ? { type } : { type, reason: 'no' }))
  }

  it('is answered with its own id', () => {
    expect(decideOn(command(0), '0', 'allow')).toEqual([{ id: 0, result: { decision: 'accept' } }])
    expect(decideOn(command('abc'), 'abc', 'deny')).toEqual([{ id: 'abc', result: { decision: 'decline' } }])
  })

  it('grants permissions for the turn, or none', () => {
    const result = { permissions: { network: { enabled: true } }, scope: 'turn' }
    expect(decideOn(grant, '9', 'allow')).toEqual([{ id: 9, result }])
    expect(decideOn(grant, '9', 'deny')).toEqual([{ id: 9, result: { permissions: {}, scope: 'turn' } }])
  })

  it('from an MCP server is a plain yes or no; forms and pages are refused', () => {
    expect(decideOn(consent({ requestedSchema: { properties: {} } }), 'e1', 'allow')).toEqual([
      { id: 'e1', result: { action: 'accept', content: {}, _meta: null } },
    ])
    for (const fields of [
      { requestedSchema: { properties: { name: {} } } },
      { mode: 'url', url: 'http://x' },
    ]) {
      const heard = hearAll(working(), consent(fields))
      expect(heard.events).toEqual([])
      expect(said(heard)).toMatchObject([{ id: 'e1', error: {} }])
    }
  })

  it('is closed when the program withdraws it or the turn ends', () => {
    for (const withdrawal of [notice('serverRequest/resolved', { requestId: 0 }), turnEnd('U1')]) {
      const { state } = hearAll(working(), command(0), withdrawal)
      expect(codexDialogue.decide(state, '0', { type: 'allow' }).says).toEqual([])
    }
  })

  it('is allowed at once with bypassed permissions', () => {
    const heard = hearAll(working({ permissions: 'bypass' }), command(4))
    expect(heard.events).toEqual([])
    expect(said(heard)).toEqual([{ id: 4, result: { decision: 'accept' } }])
  })

  it('is refused at once if its kind is unknown', () => {
    const heard = hearAll(working(), {
      id: 5,
      method: 'item/tool/requestUserInput',
      params: { threadId: 'T' },
    })
    expect(heard.events).toEqual([])
    expect(said(heard)).toMatchObject([{ id: 5, error: { code: -32601 } }])
  })

  it('is denied if too many are open', () => {
    const questions = Array.from({ length: 40 }, (_, id) => command(id))
    const heard = hearAll(working(), ...questions)
    expect(heard.events).toHaveLength(16)
    expect(said(heard)).toHaveLength(24)
  })
})
