import { describe, expect, it } from 'vitest'
import type { ApiFailure } from './api-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { failureBody } from './failure-body.ts'

describe('the words of a failure', () => {
  it.each<readonly [ApiFailure, string, string | undefined]>([
    [
      { type: 'agent-unknown', agent: 'mine', known: ['claude', 'codex'] },
      'No agent is called mine. There are: claude, codex.',
      'muster list agents',
    ],
    [
      {
        type: 'configuration-invalid',
        file: 'muster.yaml',
        line: 3,
        field: 'checks',
        problem: 'must be a list',
      },
      'muster.yaml:3: checks: must be a list',
      'Correct muster.yaml and try again.',
    ],
    [
      { type: 'illegal-transition', noun: 'job', from: 'completed', event: 'job-cancel' },
      'A job that is completed cannot be cancelled.',
      'muster status',
    ],
    [
      { type: 'bad-request', issues: [{ field: '', problem: 'is not valid JSON' }] },
      'The request is not valid: body: is not valid JSON.',
      undefined,
    ],
  ])('say what happened and what to try: %o', (failure, message, next) => {
    expect(describeFailure(failure)).toEqual(next === undefined ? { message } : { message, next })
  })
})

describe('a failure on the wire', () => {
  it('has its data beside its words, and no empty data', () => {
    expect(failureBody({ type: 'branch-taken', branch: 'work' })).toMatchObject({
      success: false,
      error: { type: 'branch-taken', details: { branch: 'work' } },
    })
    expect(failureBody({ type: 'internal' }).error).not.toHaveProperty('details')
  })
})
