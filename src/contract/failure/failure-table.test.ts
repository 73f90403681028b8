import { describe, expect, it } from 'vitest'
import type { ApiFailure } from './api-failure.ts'
import { describeFailure, failureBody } from './failure-table.ts'

describe('describeFailure', () => {
  it.each<readonly [ApiFailure, string, string | undefined]>([
    [
      { type: 'agent-unknown', agent: 'mine', known: ['claude', 'codex'] },
      'There is no agent named mine. Known agents: claude, codex.',
      'Add the agent under `agents:` in muster.yaml; the file that `muster init` writes has examples',
    ],
    [
      { type: 'agent-unknown', agent: 'codx', known: ['claude', 'codex'] },
      'There is no agent named codx. Did you mean codex?',
      'Add the agent under `agents:` in muster.yaml; the file that `muster init` writes has examples',
    ],
    [
      { type: 'fork-refused', runId: 'run_1', problem: 'there is no role "a"; did you mean "b"?' },
      'run_1 can\'t be forked like this: there is no role "a"; did you mean "b"?',
      'muster runs show run_1',
    ],
    [
      { type: 'agent-absent', role: 'reviewer' },
      'Mode "review" needs a reviewer, but no agent has that role.',
      'Give an agent the role `reviewer` in muster.yaml, or use --mode auto or approve',
    ],
    [
      { type: 'agent-absent', role: 'worker', installs: ['npm install -g one', 'npm install -g two'] },
      'No agent is configured, and none of the supported agent programs is installed.',
      'Install one of these and log in:\n  npm install -g one\n  npm install -g two\nthen: muster doctor\nOr add your own program to muster.yaml; the file that `muster init` writes has an example',
    ],
    [
      { type: 'program-missing', agent: 'claude', program: 'claude', install: 'npm install -g it' },
      'The agent claude needs the program claude, which is not installed. Nothing was started.',
      'npm install -g it',
    ],
    [
      { type: 'model-unbound', agent: 'mine', role: 'worker', model: 'haiku', models: ['opus', 'sonnet'] },
      'mine cannot be the worker: it uses haiku, but the role is bound to opus, sonnet.',
      'Set the model of mine to one of those in muster.yaml, or add its model to `roles.worker.models`.',
    ],
    [
      { type: 'git-failed', command: 'git fetch', problem: 'timed out after 60 s' },
      'git fetch failed: timed out after 60 s',
      'muster doctor',
    ],
    [
      {
        type: 'git-failed',
        command: 'git fetch',
        problem: 'fatal: bad object 1a2b\nerror: /srv/mine did not send all necessary objects\n',
      },
      "Muster's own copy of the repository seems to be damaged: git fetch: fatal: bad object 1a2b",
      'muster doctor, which checks that copy and suggests what to do',
    ],
    [
      { type: 'branch-invalid', branch: 'main~1', use: 'base' },
      '"main~1" is not a branch. The base must be a branch, not a tag, a commit or an expression.',
      'git branch --list, then: muster run GOAL --base BRANCH',
    ],
    [
      { type: 'branch-invalid', branch: 'a..b', use: 'working' },
      '"a..b" is not a valid branch name.',
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
      'Fix muster.yaml and try again.',
    ],
    [
      {
        type: 'configuration-invalid',
        file: 'muster.yaml',
        line: 3,
        field: '(file)',
        problem: 'not valid YAML: odd',
      },
      'muster.yaml:3: not valid YAML: odd',
      'Fix muster.yaml and try again.',
    ],
    [
      { type: 'configuration-invalid', file: 'muster.yaml', field: '(file)', problem: 'is not a file' },
      'muster.yaml is not a file',
      'Fix muster.yaml and try again.',
    ],
    [
      {
        type: 'configuration-invalid',
        file: '/my repo/muster.yaml',
        field: '(file)',
        problem: 'is a symbolic link: replace it with the file itself',
        isLink: true,
      },
      '/my repo/muster.yaml is a symbolic link: replace it with the file itself',
      `cp '/my repo/muster.yaml' '/my repo/muster.yaml.copy' && mv '/my repo/muster.yaml.copy' '/my repo/muster.yaml'`,
    ],
    [
      { type: 'illegal-transition', noun: 'job', from: 'completed', event: 'job-cancel' },
      'The job has ended, so it cannot be cancelled.',
      'muster list jobs',
    ],
    [
      { type: 'illegal-transition', noun: 'job', from: 'error', event: 'pause-request' },
      'The job stopped with an error, so it cannot be paused.',
      'muster list jobs',
    ],
    [
      { type: 'illegal-transition', noun: 'job', from: 'cancelled', event: 'job-resume' },
      'The job was cancelled, so it cannot be resumed.',
      'muster run "what you want done"',
    ],
    [
      { type: 'nothing-landed', jobId: 'job_1', hasEnded: true },
      'job_1 ended without landing anything, so there is nothing to merge.',
      'muster show job_1',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'waiting', wanted: 'message' },
      'Session ses_1 is waiting to start, so it cannot be sent a message.',
      'muster show ses_1',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminated', wanted: 'message' },
      'Session ses_1 has ended, so it cannot be sent a message.',
      'muster ask ses_1 "your question"',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'running', wanted: 'ask' },
      'Session ses_1 is running, so it cannot be asked.',
      'muster send ses_1 "your message"',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminating', wanted: 'stop' },
      'Session ses_1 is already being stopped.',
      'muster kill ses_1',
    ],
    [
      { type: 'session-not-able', sessionId: 'ses_1', status: 'terminated', wanted: 'stop' },
      'Session ses_1 has ended, so it cannot be stopped.',
      'muster show ses_1',
    ],
    [
      { type: 'approval-decided', approvalId: 'apr_1', state: 'expired' },
      'Approval apr_1 has expired: no one decided in time, so it counts as denied.',
      'muster show apr_1',
    ],
    [
      { type: 'bad-request', issues: [{ field: '', problem: 'is not valid JSON' }] },
      'Invalid request: body: is not valid JSON.',
      undefined,
    ],
  ])('explains the failure and suggests what to try: %o', (failure, message, next) => {
    expect(describeFailure(failure)).toEqual(next === undefined ? { message } : { message, next })
  })
})

describe('failureBody', () => {
  it('includes details only if there are any', () => {
    expect(failureBody({ type: 'branch-taken', branch: 'work' })).toMatchObject({
      success: false,
      error: { type: 'branch-taken', details: { branch: 'work' } },
    })
    expect(failureBody({ type: 'internal' }).error).not.toHaveProperty('details')
  })
})
