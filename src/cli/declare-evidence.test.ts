import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireMerge, WireReport, WireReportTask } from '../client/index.ts'
import { runCli } from './run-cli.ts'
import { SAMPLE_JOB_ID, SAMPLE_TASK_ID, sampleJob } from './testing/sample-wire.ts'
import { openStandInApi, type StandInOptions } from './testing/stand-in-api.ts'
import { testSurroundings } from './testing/test-surroundings.ts'

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  writeFileSync(join(directory.path, 'token'), 'secret\n')
})

afterEach(() => directory[Symbol.asyncDispose]())

async function run(answers: StandInOptions['answers'], ...words: readonly string[]) {
  await using api = await openStandInApi({ answers })
  const surroundings = testSurroundings({ cwd: directory.path })
  const code = await runCli(surroundings, [...words, '--server', api.url, '--home', directory.path])
  return { code, out: surroundings.stdoutText(), err: surroundings.stderrText(), requests: [...api.requests] }
}

function merge(overrides: Partial<WireMerge> = {}): WireMerge {
  return {
    jobId: SAMPLE_JOB_ID,
    baseBranch: 'main',
    workingBranch: 'muster/job',
    repositoryPath: '/srv/project',
    status: 'merged',
    hasMoved: true,
    commit: 'c'.repeat(40),
    checks: [],
    warnings: [],
    ...overrides,
  }
}

describe('muster merge', () => {
  it('stays while the checks run, and says where the branch is then', async () => {
    const checking = merge({ status: 'checking', check: 'npm test', hasMoved: false })
    // The daemon does not know that it is the one who waits that asked for it.
    const merged = { hasMoved: false, candidateId: 'cnd_1' }
    const check = { command: 'npm test', passed: true, detail: '', tree: 't', isFlaky: true }
    const seen = [checking, merge({ ...merged, checks: [check] })]
    const { code, out, err } = await run(
      (method) => (method === 'POST' ? checking : (seen.shift() ?? merge())),
      'merge',
      SAMPLE_JOB_ID,
    )
    expect(code).toBe(0)
    expect(err).toBe('main has moved: checking the merge cccccccccc first: npm test\n')
    expect(out).toBe(
      'main is at cccccccccc now (merged and checked)\n  check passed the second time (flaky): npm test\n',
    )
  })

  it('says that all of it was there only when nothing had to be done', async () => {
    const { out } = await run(() => merge({ hasMoved: false, candidateId: 'cnd_1' }), 'merge', SAMPLE_JOB_ID)
    expect(out).toBe('all of it is in main already\n')
  })

  it('ends with 3 when one command of the person is missing, and with 1 when it was refused', async () => {
    const waiting = await run(
      () => merge({ status: 'waiting', at: '/srv/my project' }),
      'merge',
      SAMPLE_JOB_ID,
    )
    expect(waiting.code).toBe(3)
    expect(waiting.out).toContain("\n  git -C '/srv/my project' merge --ff-only muster/job\n")
    const refused = merge({ status: 'refused', reason: 'check "npm test" exited with code 1:\nnot ok 4' })
    const failed = await run(() => refused, 'merge', SAMPLE_JOB_ID)
    expect(failed.code).toBe(1)
    expect(failed.err).toContain('main was left as it is: check "npm test" exited with code 1:')
    expect(failed.err).toContain('not ok 4')
  })

  it('warns on the error stream, and gives programs one value', async () => {
    const { code, out, err } = await run(
      () => merge({ warnings: ['no checks are configured: nothing was checked'] }),
      'merge',
      SAMPLE_JOB_ID,
      '--json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ success: true, data: { status: 'merged', hasMoved: true } })
    expect(err).toBe('warning: no checks are configured: nothing was checked\n')
  })
})

const COST = { costUsd: 0.5, inputTokens: 1200, outputTokens: 34, unpriced: 0, unpricedSessions: [] }

const task: WireReportTask = {
  id: SAMPLE_TASK_ID,
  cycleNumber: 1,
  number: 2,
  description: 'Parse weeks',
  priority: 'P1',
  status: 'completed',
  origin: 'planned',
  clauses: [1],
  rounds: 0,
  criteria: [{ text: 'it parses', isMet: true, evidence: 'weeks.test.ts', by: 'reviewer' }],
  attempts: [
    {
      id: 'att_1',
      role: 'worker',
      number: 1,
      agent: 'ada',
      provider: 'command',
      outcome: 'accepted',
      tip: 'b'.repeat(40),
      durationMs: 61_000,
      cost: COST,
    },
  ],
  reviews: [],
  landings: [
    {
      id: 'lnd_1',
      attemptId: 'att_1',
      status: 'landed',
      mates: [],
      commit: 'c'.repeat(40),
      tree: 'd'.repeat(40),
      isContained: false,
      conflictPaths: [],
      checks: [{ command: 'npm test', passed: true, detail: '', tree: 'd'.repeat(40) }],
      verified: true,
    },
  ],
  cost: COST,
}

const report: WireReport = {
  jobId: SAMPLE_JOB_ID,
  projectId: 'prj_1',
  repositoryPath: '/srv/project',
  baseBranch: 'main',
  baseCommit: 'a'.repeat(40),
  workingBranch: 'muster/job',
  status: 'completed',
  reason: 'goal-reached',
  evidence: ['the tests say so'],
  cycles: 2,
  activeMs: 65_000,
  at: '2031-04-01T00:00:00.000Z',
  checks: ['npm test'],
  clauses: [
    {
      number: 1,
      text: 'weeks are parsed',
      status: 'served',
      tasks: [SAMPLE_TASK_ID],
      evidence: ['the tests say so'],
    },
    { number: 2, text: 'weeks are printed', status: 'served', tasks: [SAMPLE_TASK_ID], evidence: [] },
  ],
  tasks: [task],
  otherTasks: [],
  omittedTasks: 0,
  blockers: [{ type: 'planner', text: 'no key\u001b[2K for the API' }],
  cost: { ...COST, unpriced: 1, unpricedSessions: ['ses_1'] },
  agents: [{ agent: 'ada', provider: 'command', sessions: 1, durationMs: 61_000, cost: COST }],
  finalizeReady: false,
  notReady: ['branch muster/job was not brought into your repository'],
  notes: ['main has moved on'],
}

describe('muster report', () => {
  const answers: StandInOptions['answers'] = (_, path) => {
    if (path === '/api/orchestrator/report') return { items: [report] }
    if (path === '/api/orchestrator') return { items: [sampleJob()] }
    const project = { id: 'prj_1', path: directory.path, name: 'project', createdAt: report.at }
    return path === '/api/projects' ? { items: [project] } : undefined
  }

  it('reads as a document, clause by clause, and nothing in it reaches the terminal', async () => {
    const { code, out } = await run(answers, 'report', SAMPLE_JOB_ID)
    expect(code).toBe(0)
    for (const line of [
      `# Report of ${SAMPLE_JOB_ID}`,
      '- completed: goal-reached, after 2 cycles and 1m05s of work',
      '### 1. weeks are parsed (served)',
      '- t1-2 completed: Parse weeks',
      '  - met, says the reviewer, it parses: weeks.test.ts',
      '  - attempt 1 by ada (command), accepted, 1m01s, $0.50, 1.2k/34 tokens, left bbbbbbbbbb',
      '  - lnd_1 landed at cccccccccc, tree dddddddddd (git agrees)',
      '    - check passed on tree dddddddddd: npm test',
      '- shown by the planner: the tests say so',
      '- t1-2: see above',
      '- main has moved on',
      '- planner: no key for the API',
      '- no price was told by 1 session',
      '## Not ready to be taken as final',
      '- branch muster/job was not brought into your repository',
    ]) {
      expect(out.split('\n')).toContain(line)
    }
  })

  it('has attempts and reviews in the order of time, and takes no lost answer for a verdict', async () => {
    const [first] = task.attempts
    if (first === undefined) throw new Error('the sample has an attempt')
    const review = {
      ...first,
      id: 'att_2',
      role: 'reviewer',
      outcome: 'rejected',
      reason: 'no answer',
    } as const
    const reviewed = { ...task, attempts: [first, { ...first, id: 'att_3', number: 2 }], reviews: [review] }
    const { out } = await run(
      (method, path, ...rest) =>
        path === '/api/orchestrator/report'
          ? { items: [{ ...report, tasks: [reviewed] }] }
          : answers(method, path, ...rest),
      'report',
      SAMPLE_JOB_ID,
    )
    const tries = out.split('\n').filter((line) => /^ {2}- (attempt|review) /.test(line))
    expect(tries.map((line) => line.slice(4, 13))).toEqual(['attempt 1', 'review 1 ', 'attempt 2'])
    expect(tries[1]).toContain('review 1 by ada (command), no verdict: no answer, 1m01s')
  })

  it('is of the project one is in, or that is named; elsewhere it says what is missing', async () => {
    expect((await run(answers, 'report', 'project')).code).toBe(0)
    expect((await run(answers, 'report', directory.path)).code).toBe(0)
    const nowhere = await run(answers, 'report')
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('is not in a git repository')])
    execFileSync('git', ['init', '--quiet', directory.path])
    const { code, requests } = await run(answers, 'report', '--json')
    expect([code, requests.at(-1)]).toEqual([0, 'GET /api/orchestrator/report'])
  })
})
