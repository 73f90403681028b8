import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../client/index.ts'
import { type Followed, foldEvent } from './fold-event.ts'
import type { OrchestratorEvent } from './orchestrator-session.ts'

const NOTHING: Followed = { agents: new Map() }

const ROLES: Readonly<Record<string, string>> = {
  'outer/implement': 'developer',
  'outer/review': 'reviewer',
  'inner/implement': 'author',
}
const roleOf = (runId: string, stage: string) => ROLES[`${runId}/${stage}`] ?? ''

type Given = readonly [type: string, data: object, sessionId?: string]

/** Folds events that come one second after the other. */
function fold(...given: readonly Given[]) {
  let followed = NOTHING
  const said: OrchestratorEvent[] = []
  for (const [index, [type, data, sessionId]] of given.entries()) {
    const event = { seq: index + 1, at: at(index), type, data, ...(sessionId && { sessionId }) }
    const folded = foldEvent(followed, event as unknown as WireEvent, roleOf)
    followed = folded.followed
    said.push(...folded.events)
  }
  return { followed, said }
}

const at = (second: number) => `2026-05-01T12:00:0${second}.000Z`
const started = (role: string, sessionId: string) =>
  ['session_started', { role, agent: 'ada' }, sessionId] as const
const entered = (stage: string, runId = 'outer') => ['stage_entered', { runId, stage, round: 1 }] as const
const ended = (
  stage: string,
  outcome: string,
  rest: { readonly problem?: string; readonly runId?: string } = {},
) => ['stage_ended', { runId: 'outer', stage, outcome, ...rest }] as const

describe('an event of the job', () => {
  it('starts the agent of a role', () => {
    const { followed, said } = fold(started('developer', 'ses_1'))
    expect(followed.agents.get('developer')).toEqual({
      role: 'developer',
      agent: 'ada',
      sessionId: 'ses_1',
      status: 'working',
      spawnedAt: at(0),
      lastActivityAt: at(0),
      messageCount: 0,
      errorCount: 0,
    })
    expect(said).toEqual([
      { type: 'agent_spawned', role: 'developer', sessionId: 'ses_1' },
      { type: 'agent_ready', role: 'developer' },
    ])
  })

  it('enters a stage, and says who works in it', () => {
    const { followed, said } = fold(entered('implement'), entered('check'))
    expect(followed.stage).toBe('check')
    expect(said).toEqual([
      { type: 'stage_transition', from: '', to: 'implement' },
      { type: 'agent_working', role: 'developer', task: 'implement' },
      { type: 'stage_transition', from: 'implement', to: 'check' },
    ])
  })

  it('completes the visit of a role', () => {
    const { followed, said } = fold(started('reviewer', 'ses_1'), ended('review', 'APPROVED'))
    expect(followed.agents.get('reviewer')).toMatchObject({
      status: 'complete',
      lastActivityAt: at(1),
      messageCount: 1,
      errorCount: 0,
    })
    expect(said.slice(2)).toEqual([
      { type: 'agent_complete', role: 'reviewer', summary: 'review: APPROVED' },
      { type: 'message_routed', from: 'reviewer', to: 'orchestrator', kind: 'APPROVED' },
    ])
  })

  it.each([
    ['its problem', 'it crashed', 'it crashed'],
    ['its stage if nothing else is known', undefined, 'implement failed'],
  ])('reports a failed visit by %s', (_, problem, error) => {
    const { followed, said } = fold(
      started('developer', 'ses_1'),
      ended('implement', 'failed', problem === undefined ? {} : { problem }),
    )
    expect(followed.agents.get('developer')).toMatchObject({ status: 'error', errorCount: 1 })
    expect(said.slice(2)).toEqual([{ type: 'agent_error', role: 'developer', error }])
  })

  it('says nothing about a stage without an agent', () => {
    expect(fold(started('developer', 'ses_1'), ended('check', 'fail')).said.slice(2)).toEqual([])
  })

  it('finds the role of a stage in the playbook of its own run', () => {
    const { said } = fold(
      entered('implement', 'inner'),
      started('author', 'ses_1'),
      ended('implement', 'done', { runId: 'inner' }),
    )
    expect(said).toContainEqual({ type: 'agent_working', role: 'author', task: 'implement' })
    expect(said).toContainEqual({ type: 'agent_complete', role: 'author', summary: 'implement: done' })
  })

  it('keeps how a visit ended when its session ends after it, and terminates one that ends before', () => {
    const over = ['session_ended', { role: 'developer' }] as const
    const status = (...events: readonly Given[]) =>
      fold(started('developer', 'ses_1'), ...events).followed.agents.get('developer')?.status
    expect(status(over)).toBe('terminated')
    expect(status(ended('implement', 'done'), over)).toBe('complete')
    expect(status(ended('implement', 'failed'), over)).toBe('error')
  })

  it('counts on when a role gets a new session', () => {
    const { followed } = fold(
      started('developer', 'ses_1'),
      ended('implement', 'failed'),
      started('developer', 'ses_2'),
      ended('implement', 'done'),
    )
    expect(followed.agents.get('developer')).toMatchObject({
      sessionId: 'ses_2',
      spawnedAt: at(2),
      status: 'complete',
      messageCount: 1,
      errorCount: 1,
    })
  })

  it('has no effect if it is about a role that never started, or of an unknown type', () => {
    const { followed, said } = fold(['session_ended', { role: 'ghost' }], ['invented_later', {}])
    expect(followed).toEqual(NOTHING)
    expect(said).toEqual([])
  })
})
