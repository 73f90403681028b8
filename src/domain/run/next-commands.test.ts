import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { ApprovalId, JobId, RunId, VisitId } from '../id.ts'
import type { Stage } from '../playbook/stage.ts'
import { nextCommands } from './next-commands.ts'
import type { RunState } from './run.ts'
import type { RunError } from './run-errors.ts'
import type { Visit } from './visit.ts'

const route = { done: { type: 'always', to: { type: 'end', end: 'partial' } } } as const
const stages: Readonly<Record<string, Stage>> = {
  review: {
    type: 'role',
    role: 'reviewer',
    from: { type: 'head' },
    sees: [],
    output: { type: 'shipped', format: 'review' },
    minutes: 1,
    on: route,
  },
  check: { type: 'checks', on: route },
  completeness: { type: 'choose', cases: [], otherwise: { type: 'end', end: 'partial' } },
}

type Left = { readonly hasDocuments?: boolean; readonly hasUnlandedWork?: boolean }

const commandsAfter = (
  state: RunState,
  visits: readonly Visit[] = [],
  errors: readonly RunError[] = [],
  { hasDocuments = false, hasUnlandedWork = false }: Left = {},
) =>
  nextCommands({
    run: { id: 'run_1' as RunId, jobId: 'job_1' as JobId, state },
    ...{ playbook: { stages }, visits, errors, hasDocuments, hasUnlandedWork },
  }).map(({ command }) => command)

describe('nextCommands', () => {
  it('has nothing to say about a run that goes on, or that is complete', () => {
    expect(commandsAfter({ type: 'running' }, [exampleVisit({ state: { type: 'working' } })])).toEqual([])
    expect(commandsAfter({ type: 'ended', end: 'land', work: 'v' as VisitId })).toEqual([])
  })

  it('names the request that a run waits for', () => {
    const approvalId = 'apr_1' as ApprovalId
    expect(
      commandsAfter({ type: 'running' }, [exampleVisit({ state: { type: 'asking', approvalId } })]),
    ).toEqual(['muster show apr_1'])
    const work = 'v' as VisitId
    expect(commandsAfter({ type: 'asking', end: 'partial', work, approvalId, reason: '' })).toEqual([
      'muster show apr_1',
    ])
  })

  it('resumes what lost its agent, forks what ended as its playbook says, and restores work', () => {
    const lost = exampleVisit({ stage: 'review', state: { type: 'settled', outcome: 'failed' } })
    expect(commandsAfter({ type: 'ended', end: 'failed' }, [lost])).toEqual([
      'muster logs run_1',
      'muster resume run_1',
      'muster report job_1',
    ])
    const rejected = exampleVisit({
      stage: 'review',
      state: { type: 'settled', outcome: 'REJECTED' },
      commit: 'c',
    })
    const left = { hasUnlandedWork: true }
    expect(commandsAfter({ type: 'ended', end: 'partial' }, [rejected], [], left)).toEqual([
      'muster logs run_1',
      'muster fork run_1 --at review',
      'muster recover run_1',
      'muster report job_1',
    ])
  })

  it('names what prints the documents of a run that was for them', () => {
    const left = { hasDocuments: true }
    expect(commandsAfter({ type: 'ended', end: 'done' }, [], [], left)).toEqual(['muster export run_1'])
    expect(commandsAfter({ type: 'ended', end: 'land' }, [], [], left)).toEqual([])
    expect(commandsAfter({ type: 'ended', end: 'partial' }, [], [], left)[0]).toBe('muster export run_1')
  })

  it('does not offer to recover work if there is none, or if it has landed', () => {
    const made = exampleVisit({ commit: 'c' })
    expect(commandsAfter({ type: 'ended', end: 'partial' }, [made])).not.toContain('muster recover run_1')
    expect(commandsAfter({ type: 'cancelled', reason: '' }, [made])).not.toContain('muster recover run_1')
  })

  it('forks at the last stage that could end otherwise', () => {
    const ended = ['review', 'check', 'completeness'].map((stage, index) =>
      exampleVisit({ stage, ordinal: index + 1, state: { type: 'settled', outcome: 'else' } }),
    )
    expect(commandsAfter({ type: 'ended', end: 'partial' }, ended)).toContain('muster fork run_1 --at review')
  })

  it('first names what finds out why no agent could work', () => {
    const error = (code: RunError['code']) => [{ code } as RunError]
    expect(commandsAfter({ type: 'ended', end: 'failed' }, [], error('AGENT_SPAWN_FAILED'))[0]).toBe(
      'muster doctor',
    )
    expect(commandsAfter({ type: 'ended', end: 'failed' }, [], error('RATE_LIMITED'))[0]).toBe(
      'muster status',
    )
  })
})
