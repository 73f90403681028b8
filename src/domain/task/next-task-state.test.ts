import { describe, expect, it } from 'vitest'
import { formatId } from '../id.ts'
import { nextTaskState, type TaskEvent } from './next-task-state.ts'
import type { TaskState } from './task-state.ts'

const bytes = new Uint8Array(11)
const attemptId = formatId('attempt', 1, bytes)
const runId = formatId('run', 1, bytes)
const landingId = formatId('landing', 1, bytes)

const REASON = { reason: 'it broke\nin many lines', suggestion: 'mend it' }

const STATES = {
  pending: { type: 'pending' },
  running: { type: 'running', attemptId },
  'running as a run': { type: 'running', runId },
  review: { type: 'review', runId },
  landing: { type: 'landing', landingId },
  completed: { type: 'completed', commit: 'c' },
  failed: { type: 'failed', reason: 'r' },
  blocked: { type: 'blocked', reason: 'r', paths: [] },
  skipped: { type: 'skipped', reason: 'r' },
} as const satisfies Record<string, TaskState>

type StateName = keyof typeof STATES

const EVENTS: Record<TaskEvent['type'], TaskEvent> = {
  'start-refuse': { type: 'start-refuse', refusal: { limit: 'global', value: 1, inUse: 1 }, at: new Date(0) },
  'attempt-start': { type: 'attempt-start', attemptId },
  'run-start': { type: 'run-start', runId },
  'run-enter': { type: 'run-enter', isReview: true },
  'run-complete': { type: 'run-complete' },
  'run-fail': { type: 'run-fail', ...REASON },
  'run-again': { type: 'run-again' },
  'run-retry': { type: 'run-retry' },
  'attempt-retry': { type: 'attempt-retry' },
  'attempt-exhausted': { type: 'attempt-exhausted', ...REASON },
  'landing-request': { type: 'landing-request', landingId },
  'landing-end': { type: 'landing-end', commit: 'c' },
  'landing-conflict': { type: 'landing-conflict', paths: ['a', 'b'] },
  'conflict-abandon': { type: 'conflict-abandon', suggestion: 'merge it by hand' },
  'landing-rejected': { type: 'landing-rejected', ...REASON },
  'dependency-lost': { type: 'dependency-lost', ...REASON },
  'task-skip': { type: 'task-skip', reason: 'r' },
}

/** The states from which an event leads to another; from all others it is illegal. */
const LEGAL: Record<
  TaskEvent['type'],
  { readonly from: readonly StateName[]; readonly to: TaskState['type'] }
> = {
  'start-refuse': { from: ['pending'], to: 'pending' },
  'attempt-start': { from: ['pending'], to: 'running' },
  'run-start': { from: ['pending'], to: 'running' },
  'run-enter': { from: ['running as a run', 'review'], to: 'review' },
  'run-complete': { from: ['running as a run', 'review'], to: 'completed' },
  'run-fail': { from: ['running as a run', 'review'], to: 'blocked' },
  'run-again': { from: ['failed', 'blocked', 'skipped'], to: 'pending' },
  'run-retry': { from: ['running as a run', 'review'], to: 'pending' },
  'attempt-retry': { from: ['running'], to: 'pending' },
  'attempt-exhausted': { from: ['running'], to: 'blocked' },
  'landing-request': { from: ['running', 'running as a run', 'review'], to: 'landing' },
  'landing-end': { from: ['landing'], to: 'completed' },
  'landing-conflict': { from: ['landing'], to: 'blocked' },
  'conflict-abandon': { from: [], to: 'blocked' },
  'landing-rejected': { from: ['landing'], to: 'failed' },
  'dependency-lost': { from: ['pending'], to: 'blocked' },
  'task-skip': { from: ['pending', 'running', 'running as a run', 'review', 'landing'], to: 'skipped' },
}

describe('a task', () => {
  it.each(Object.values(EVENTS))(
    'accepts $type only from its legal states, and changes accordingly',
    (event) => {
      const { from, to } = LEGAL[event.type]
      for (const [name, state] of Object.entries(STATES)) {
        const next = nextTaskState(state, event)
        expect([name, next.ok ? next.value.type : 'illegal']).toEqual([
          name,
          from.includes(name as StateName) ? to : 'illegal',
        ])
      }
    },
  )

  it('keeps the time it began to wait when the limit changes', () => {
    const first = nextTaskState({ type: 'pending' }, EVENTS['start-refuse'])
    if (!first.ok) throw new Error('a pending task can wait')
    const refusal = { limit: 'agent', value: 2, inUse: 2 } as const
    expect(nextTaskState(first.value, { type: 'start-refuse', refusal, at: new Date(5) })).toEqual({
      ok: true,
      value: { type: 'pending', waiting: { ...refusal, since: new Date(0).toISOString() } },
    })
  })

  it('stays blocked, with other advice, when its conflict is given up', () => {
    const conflicted: TaskState = { type: 'blocked', reason: 'r', paths: ['a'], suggestion: 'wait' }
    expect(nextTaskState(conflicted, EVENTS['conflict-abandon'])).toEqual({
      ok: true,
      value: { ...conflicted, suggestion: 'merge it by hand' },
    })
  })

  it.each([
    ['attempt-exhausted', 'running'],
    ['run-fail', 'review'],
    ['landing-rejected', 'landing'],
    ['dependency-lost', 'pending'],
  ] as const)('that cannot continue after %s has a one-line reason and a suggestion', (event, from) => {
    expect(nextTaskState(STATES[from], EVENTS[event])).toMatchObject({
      value: { reason: 'it broke', suggestion: 'mend it' },
    })
  })

  it('gets a suggestion for a lost dependency even if the event has none', () => {
    const lost = nextTaskState(STATES.pending, { type: 'dependency-lost', reason: 'gone' })
    expect(lost).toMatchObject({ value: { suggestion: expect.stringContaining('builds on') } })
  })

  it('keeps its run while that enters and leaves reviews', () => {
    const left = nextTaskState(STATES.review, { type: 'run-enter', isReview: false })
    expect(left).toEqual({ ok: true, value: STATES['running as a run'] })
  })
})
