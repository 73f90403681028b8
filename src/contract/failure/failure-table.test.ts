import { describe, expect, it } from 'vitest'
import type { ApiFailure } from './api-failure.ts'
import { failureBody } from './failure-body.ts'
import { describeFailure } from './failure-table.ts'

describe('the words of a failure', () => {
  it.each<readonly [ApiFailure, string, string | undefined]>([
    [
      { type: 'agent-unknown', agent: 'mine', known: ['claude', 'codex'] },
      'No agent is called mine. There are: claude, codex.',
      'Add an agent under `agents:` in muster.yaml, which `muster init` writes; see docs/guides/bring-your-own-agent.md',
    ],
    [
      { type: 'agent-absent', role: 'reviewer' },
      'Mode "review" needs a reviewer, and no agent has that role.',
      'Give an agent the role `reviewer` in muster.yaml, or use --mode auto or approve; see docs/guides/review.md',
    ],
    [
      { type: 'branch-invalid', branch: 'main~1', use: 'base' },
      '"main~1" is not the name of a branch. A base must be a branch, not another name of a commit.',
      'git branch --list, then: muster run GOAL --base BRANCH',
    ],
    [
      { type: 'branch-invalid', branch: 'a..b', use: 'working' },
      'Git does not allow a branch to be called "a..b".',
      'muster run --branch <another-name> ...',
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
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminated', wanted: 'message' },
      'Session ses_1 is over, so it cannot be spoken to.',
      'muster ask ses_1 "what you want to know"',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'running', wanted: 'ask' },
      'Session ses_1 is running, so it cannot be asked.',
      'muster send ses_1 "what you want to say"',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminating', wanted: 'stop' },
      'Session ses_1 is being stopped, so it cannot be stopped.',
      'muster kill ses_1',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminated', wanted: 'stop' },
      'Session ses_1 is over, so it cannot be stopped.',
      'muster show ses_1',
    ],
    [
      { type: 'approval-decided', approvalId: 'apr_1', state: 'expired' },
      'Approval apr_1 has expired: nobody decided in time, and the default is no. A decision is used once.',
      'muster show apr_1',
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
