import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { DialogueState, Opening, Spoken } from '../../../ports/dialogue.ts'
import { codexDialogue } from './codex-dialogue.ts'

const OPENING: Opening = { prompt: 'first', treeDirectory: '/home/ada/tree', permissions: 'ask' }
const GREETED = { id: 1, result: {} }
const JOINED = { id: 2, result: { thread: { id: 'T' }, model: 'large' } }

/** What follows from these messages of the program, one after the other. */
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
const outcomes = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'turn-end' ? [event.outcome] : []))

describe('a conversation with codex', () => {
  it('sends what was said before its thread was there, in order, one turn after the other', () => {
    const opened = codexDialogue.say(codexDialogue.open(OPENING).state, 'second')
    expect(opened.says).toEqual([])
    const begun = hearAll(opened.state, GREETED, JOINED)
    expect(said(begun).at(-1)).toMatchObject({ method: 'turn/start', params: { input: [{ text: 'first' }] } })
    const over = hearAll(begun.state, turnAnswer(3, 'U1'), turnEnd('U1'))
    expect(said(over)).toMatchObject([{ method: 'turn/start', params: { input: [{ text: 'second' }] } }])
  })

  it('interrupts a turn that was not begun yet as soon as it is', () => {
    const interrupted = codexDialogue.interrupt(codexDialogue.open(OPENING).state)
    expect(interrupted.says).toEqual([])
    const begun = hearAll(interrupted.state, GREETED, JOINED, turnAnswer(3, 'U1'))
    expect(said(begun).at(-1)).toMatchObject({
      method: 'turn/interrupt',
      params: { threadId: 'T', turnId: 'U1' },
    })
  })

  it('interrupts one turn and not the next', () => {
    const state = codexDialogue.say(codexDialogue.interrupt(working()).state, 'second').state
    const over = hearAll(state, turnEnd('U1', { status: 'interrupted' }), turnAnswer(5, 'U2'))
    expect(said(over)).toMatchObject([{ method: 'turn/start' }])
  })

  it('ends a turn whose end is told before its beginning was answered', () => {
    const begun = hearAll(codexDialogue.open(OPENING).state, GREETED, JOINED)
    const over = hearAll(begun.state, turnEnd('U1'), turnAnswer(3, 'U1'))
    expect(outcomes(over.events)).toEqual([{ type: 'done', text: '' }])
    expect(said(codexDialogue.say(over.state, 'next'))).toMatchObject([{ method: 'turn/start' }])
  })

  it('fails the message and goes on when a turn cannot be begun', () => {
    const begun = hearAll(codexDialogue.open(OPENING).state, GREETED, JOINED)
    const failed = hearAll(begun.state, { id: 3, error: { code: -1, message: 'too long' } })
    expect(outcomes(failed.events)).toEqual([{ type: 'failed', reason: 'too long' }])
    expect(said(codexDialogue.say(failed.state, 'next'))).toMatchObject([{ method: 'turn/start' }])
  })

  it('fails every message, now and later, when there is no thread', () => {
    const waiting = codexDialogue.say(codexDialogue.open(OPENING).state, 'second').state
    const broken = hearAll(waiting, GREETED, { id: 2, error: { code: -1, message: 'no such thread' } })
    expect(outcomes(broken.events)).toMatchObject([{ type: 'failed' }, { type: 'failed' }])
    const later = codexDialogue.say(broken.state, 'third')
    expect(outcomes(later.events)).toMatchObject([{ type: 'failed' }])
    expect(later.says).toEqual([])
  })

  it('fails a message that is said into a state that cannot be read', () => {
    expect(outcomes(codexDialogue.say({ of: 'another version' }, 'hello').events)).toMatchObject([
      { type: 'failed' },
    ])
  })

  it('takes nothing of other threads for its own: neither words, nor use, nor ends', () => {
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

  it('counts a report that is repeated once', () => {
    const total = { totalTokens: 12, inputTokens: 10, outputTokens: 2 }
    const report = notice('thread/tokenUsage/updated', { turnId: 'U1', tokenUsage: { total, last: total } })
    expect(hearAll(working(), report, report).events).toEqual([
      { type: 'usage', inputTokens: 10, outputTokens: 2, contextTokens: 12 },
    ])
  })

  it('keeps a small state whatever it is told', () => {
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

  it('answers with the last words when the end of the turn does not carry them', () => {
    const over = hearAll(working(), message('first words'), message('last words'), turnEnd('U1'))
    expect(outcomes(over.events)).toEqual([{ type: 'done', text: 'last words' }])
  })
})

describe('the end of a turn of codex', () => {
  const endWith = (codexErrorInfo: unknown, ...before: readonly object[]) => {
    const error = { message: 'it went wrong', codexErrorInfo, additionalDetails: null }
    return outcomes(hearAll(working(), ...before, turnEnd('U1', { status: 'failed', error })).events)
  }

  it('is a limit when the quota is used up, until the fullest windows are there again', () => {
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

  it('is a refusal when a policy forbids it', () => {
    expect(endWith('cyberPolicy')).toEqual([{ type: 'refused', reason: 'it went wrong' }])
  })

  it('is a failure otherwise, of kinds that are not known too', () => {
    for (const info of [
      'unauthorized',
      'new kind',
      { httpConnectionFailed: { httpStatusCode: 500 } },
      null,
      7,
    ]) {
      expect(endWith(info)).toEqual([{ type: 'failed', reason: 'it went wrong' }])
    }
  })

  it('is not an error that is tried again, which is only told', () => {
    const heard = hearAll(working(), notice('error', { error: { message: 'again' }, willRetry: true }))
    expect(heard.events).toEqual([{ type: 'error-output', text: 'again' }])
  })

  it('has the reason of the last error when it gives none', () => {
    const final = notice('error', { error: { message: 'the line is dead' }, willRetry: false })
    const over = hearAll(working(), final, turnEnd('U1', { status: 'failed', error: null }))
    expect(outcomes(over.events)).toEqual([{ type: 'failed', reason: 'the line is dead' }])
  })
})

describe('a question of codex', () => {
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

  it('is answered under the very id it was asked by', () => {
    expect(decideOn(command(0), '0', 'allow')).toEqual([{ id: 0, result: { decision: 'accept' } }])
    expect(decideOn(command('abc'), 'abc', 'deny')).toEqual([{ id: 'abc', result: { decision: 'decline' } }])
  })

  it('for further permissions is granted for the turn, or granted nothing', () => {
    const result = { permissions: { network: { enabled: true } }, scope: 'turn' }
    expect(decideOn(grant, '9', 'allow')).toEqual([{ id: 9, result }])
    expect(decideOn(grant, '9', 'deny')).toEqual([{ id: 9, result: { permissions: {}, scope: 'turn' } }])
  })

  it('of a server of tools is a plain yes or no; forms and pages are refused', () => {
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

  it('is withdrawn by the program, and by the end of the turn', () => {
    for (const withdrawal of [notice('serverRequest/resolved', { requestId: 0 }), turnEnd('U1')]) {
      const { state } = hearAll(working(), command(0), withdrawal)
      expect(codexDialogue.decide(state, '0', { type: 'allow' }).says).toEqual([])
    }
  })

  it('does not wait where nothing is to wait', () => {
    const heard = hearAll(working({ permissions: 'bypass' }), command(4))
    expect(heard.events).toEqual([])
    expect(said(heard)).toEqual([{ id: 4, result: { decision: 'accept' } }])
  })

  it('that nobody knows is refused at once, so that nothing hangs', () => {
    const heard = hearAll(working(), {
      id: 5,
      method: 'item/tool/requestUserInput',
      params: { threadId: 'T' },
    })
    expect(heard.events).toEqual([])
    expect(said(heard)).toMatchObject([{ id: 5, error: { code: -32601 } }])
  })

  it('is one of few: a flood of them is denied', () => {
    const questions = Array.from({ length: 40 }, (_, id) => command(id))
    const heard = hearAll(working(), ...questions)
    expect(heard.events).toHaveLength(16)
    expect(said(heard)).toHaveLength(24)
  })
})
