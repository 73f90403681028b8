import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { testRepository } from '../../test/support/test-repository.ts'
import type { WireMerge, WireReport, WireReportTask } from '../client/index.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import { SAMPLE_JOB_ID, SAMPLE_TASK_ID, sampleJob, sampleTask } from './testing/sample-wire.ts'
import { Refused, type StandInOptions } from './testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

function run(answers: StandInOptions['answers'], ...words: readonly string[]) {
  return trial.run({ answers }, words)
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
  it('waits while the checks run, then prints where the branch is', async () => {
    const checking = merge({ status: 'checking', check: 'npm test', hasMoved: false })
    // The daemon doesn't know that this command asked for the merge.
    const merged = { hasMoved: false, candidateId: 'cnd_1' }
    const check = { command: 'npm test', passed: true, detail: '', tree: 't', isFlaky: true }
    const seen = [checking, merge({ ...merged, checks: [check] })]
    const { code, out, err } = await run(
      (method, path) => {
        if (!path.endsWith('/merge')) return undefined
        return method === 'POST' ? checking : (seen.shift() ?? merge())
      },
      'merge',
      SAMPLE_JOB_ID,
    )
    expect(code).toBe(0)
    expect(err).toBe('main has moved; checking the merge cccccccccc first: npm test\n')
    expect(out).toBe(
      'main is now at cccccccccc (merged and checked)\n  check passed on the second try (flaky): npm test\n',
    )
  })

  it('reports that everything is already merged only if nothing had to be done', async () => {
    const { out } = await run(() => merge({ hasMoved: false, candidateId: 'cnd_1' }), 'merge', SAMPLE_JOB_ID)
    expect(out).toBe('everything is already in main\n')
  })

  it('exits with 3 if the person has to run git, and with 1 if the merge was refused', async () => {
    const waiting = await run(
      () => merge({ status: 'waiting', at: '/srv/my project' }),
      'merge',
      SAMPLE_JOB_ID,
    )
    expect(waiting.code).toBe(3)
    expect(waiting.err).toContain(
      `try: git -C '/srv/my project' merge --ff-only --no-overwrite-ignore ${'c'.repeat(40)}\n`,
    )
    const refused = merge({ status: 'refused', reason: 'check "npm test" exited with code 1:\nnot ok 4' })
    const failed = await run(() => refused, 'merge', SAMPLE_JOB_ID)
    expect(failed.code).toBe(1)
    expect(failed.err).toContain('main was not changed: check "npm test" exited with code 1:')
    expect(failed.err).toContain('not ok 4')
  })

  it('updates a checkout of the base branch only if asked to, and reports it to programs as a failure', async () => {
    await using work = await testRepository()
    const commit = (await work.git('commit-tree', '-p', 'HEAD', '-m', 'Next', 'HEAD^{tree}')).trim()
    const waiting = () => merge({ status: 'waiting', at: work.path, commit })
    const asked = await run(waiting, 'merge', SAMPLE_JOB_ID)
    expect(asked.code).toBe(3)
    expect(asked.err).toMatch(new RegExp(`try: muster .*merge ${SAMPLE_JOB_ID} --checkout\n`))
    const json = await run(waiting, 'merge', SAMPLE_JOB_ID, '--json')
    expect(JSON.parse(json.out)).toMatchObject({ success: false, error: { type: 'branch-checked-out' } })

    await work.write({ 'README.md': 'changed\n' })
    const dirty = await run(waiting, 'merge', SAMPLE_JOB_ID, '--checkout')
    expect(dirty.code).toBe(3)
    expect(dirty.err).toMatch(
      /Commit or stash these files first:\n.*README\.md\n +try: git stash, then muster .*merge job_/,
    )

    await work.git('checkout', '--quiet', '.')
    const updated = await run(waiting, 'merge', SAMPLE_JOB_ID, '--checkout')
    expect(updated).toMatchObject({ code: 0, out: `main is now at ${commit.slice(0, 10)}\n` })
    expect((await work.git('rev-parse', 'HEAD')).trim()).toBe(commit)
  })

  it('prints warnings to standard error, and one JSON value for programs', async () => {
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
  changes: { files: 1, added: 3, removed: 0 },
  summary: 'weeks work now',
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
  runs: [],
  blockers: [{ type: 'planner', text: 'no key\u001b[2K for the API' }],
  cost: { ...COST, unpriced: 1, unpricedSessions: ['ses_1'] },
  agents: [{ agent: 'ada', provider: 'command', sessions: 1, durationMs: 61_000, cost: COST }],
  finalizeReady: false,
  denied: [],
  notReady: ['branch muster/job has not been delivered to your repository'],
  notes: ['main has moved on'],
}

describe('muster merge of work that is not ready', () => {
  it('warns, as muster pr does', async () => {
    const unready = { ...report, notReady: ['task t1-2 failed: denied by root', 'no checks are configured'] }
    const answers = (_: string, path: string) =>
      path === '/api/orchestrator/report' ? { items: [unready] } : merge()
    const { code, err, requests } = await run(answers, 'merge', SAMPLE_JOB_ID)
    expect(code).toBe(0)
    expect(err).toBe('warning: not ready to merge: task t1-2 failed: denied by root\n')
    expect(requests.indexOf('GET /api/orchestrator/report')).toBeLessThan(
      requests.indexOf(`POST /api/orchestrator/${SAMPLE_JOB_ID}/merge`),
    )
  })

  it('says only that nothing has landed, if nothing has', async () => {
    const error = { type: 'nothing-landed', message: 'The job has not landed anything yet.' }
    const answers = (_: string, path: string) =>
      path === '/api/orchestrator/report' ? { items: [report] } : new Refused(409, { success: false, error })
    const { code, err } = await run(answers, 'merge', SAMPLE_JOB_ID)
    expect([code, err]).toEqual([1, 'error: The job has not landed anything yet.\n'])
  })
})

describe('a job with a task that the person denied', () => {
  const denied = { ...task, id: 'tsk_9', number: 3, status: 'failed', isDenied: true } as const
  const ready = { ...report, finalizeReady: true, notReady: [], denied: ['tsk_9'], tasks: [task, denied] }
  const answers = (_: string, path: string) => {
    if (path === '/api/orchestrator/report') return { items: [ready] }
    if (path.endsWith('/merge')) return merge()
    if (path === '/api/tasks')
      return {
        items: [
          sampleTask({ commit: 'c'.repeat(40) }),
          sampleTask({ id: 'tsk_9', number: 3, status: 'failed', isDenied: true }),
        ],
      }
    return sampleJob()
  }

  it('is ready to merge without it, in the report', async () => {
    const { out } = await run(answers, 'report', SAMPLE_JOB_ID)
    expect(out).toContain('\n## Ready to merge, without t1-3, which you denied\n')
    expect(out).toContain('- every other task landed')
  })

  it('is merged without it, and the command says so', async () => {
    const { code, err } = await run(answers, 'merge', SAMPLE_JOB_ID)
    expect({ code, err }).toEqual({ code: 0, err: 'the work does not include t1-3, which you denied\n' })
  })

  it('is ready to merge without it, when it is shown', async () => {
    const unmerged = (method: string, path: string) =>
      path.endsWith('/merge') ? merge({ status: 'none' }) : answers(method, path)
    const { out } = await run(unmerged, 'show', SAMPLE_JOB_ID)
    expect(out).toContain('\nready to merge, without t1-3, which you denied\n')
    expect(out).toMatch(/merge the work: +muster .*merge /)
  })
})

describe('muster show of an ended job', () => {
  const landed = sampleTask({ commit: 'c'.repeat(40) })
  const shown = (about: Readonly<Record<string, unknown>>, path = '/srv/project') => {
    const answers: Readonly<Record<string, unknown>> = {
      '/api/tasks': { items: [landed] },
      [`/api/orchestrator/${SAMPLE_JOB_ID}`]: sampleJob({ repositoryPath: path }),
      ...about,
    }
    return run((_, asked) => answers[asked], 'show', SAMPLE_JOB_ID)
  }

  it('names the check that fails on the base too, as its report does', async () => {
    const [landing] = task.landings
    const check = { command: 'npm test', passed: false, detail: '', tree: 'd', failedOnBase: true }
    const failing = { ...task, landings: [{ ...landing, checks: [check] }] }
    const { out } = await shown({ '/api/orchestrator/report': { items: [{ ...report, tasks: [failing] }] } })
    expect(out).toContain('"npm test" fails on main and still fails with this work\nnot ready to merge\n')
    expect(out).toMatch(/merge it anyway: +muster .*merge /)
  })

  it('shows that its work is merged, and where and when', async () => {
    await using repository = await testRepository()
    const merged = { [`/api/orchestrator/${SAMPLE_JOB_ID}/merge`]: merge({ hasMoved: false }) }
    expect((await shown(merged, repository.path)).out).toContain('\nmerged into main\n')
    await repository.git('commit', '--quiet', '--allow-empty', '-m', 'work')
    landed.commit = (await repository.git('rev-parse', 'HEAD')).trim()
    const { out } = await shown(merged, repository.path)
    expect(out).toMatch(
      new RegExp(`\\nmerged into main at ${landed.commit.slice(0, 10)}, .*\\d\\d:\\d\\d\\n`),
    )
    expect(out).not.toMatch(/unchanged|merge the work/)
  })
})

it('begins the diff of a job with what a merge leaves out', async () => {
  const diff = {
    ...{ subject: SAMPLE_JOB_ID, from: 'a'.repeat(40), to: 'b'.repeat(40), gitDirectory: '/hub' },
    ...{ files: [], omittedFiles: 0, patch: '', isCut: false, leftOut: ['TASKLIST.md'] },
  }
  const { out } = await run(() => diff, 'diff', SAMPLE_JOB_ID)
  expect(out).toMatch(/^without TASKLIST\.md, .*muster .*diff job_\w+ --with-task-list\nno changes\n$/)
})

describe('muster report', () => {
  const answers: StandInOptions['answers'] = (_, path) => {
    if (path === '/api/orchestrator/report') return { items: [report] }
    if (path === '/api/orchestrator') return { items: [sampleJob()] }
    const project = { id: 'prj_1', path: trial.path(), name: 'project', createdAt: report.at }
    return path === '/api/projects' ? { items: [project] } : undefined
  }

  it('names the daemon in the command that a note suggests', async () => {
    const noted = { ...report, notes: ['t1-3 did not land; `muster recover tsk_9` restores it'] }
    const { out } = await run(() => ({ items: [noted] }), 'report', SAMPLE_JOB_ID)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /- t1-3 did not land; `muster --\S+ \S+ .*recover tsk_9` restores it/,
    )
  })

  it('prints a document, clause by clause, without escape sequences', async () => {
    const { code, out } = await run(answers, 'report', SAMPLE_JOB_ID)
    expect(code).toBe(0)
    for (const line of [
      `# Report of ${SAMPLE_JOB_ID}`,
      '- completed: the goal is reached, after 2 cycles and 1m05s of work',
      '- /srv/project, from main at aaaaaaaaaa, on branch muster/job',
      '### 1. weeks are parsed (done)',
      '- t1-2 completed: Parse weeks',
      '  - 1 file changed, +3 -0',
      '  - weeks work now',
      '  - met according to the reviewer: it parses: weeks.test.ts',
      '  - attempt 1 by ada (command), accepted, 1m01s, $0.50, 1.2k/34 tokens, commit bbbbbbbbbb',
      '  - lnd_1 landed at cccccccccc, tree dddddddddd (verified in git)',
      '    - check passed on tree dddddddddd: npm test',
      '- evidence from the planner: the tests say so',
      '- t1-2: see above',
      '- main has moved on',
      '- planner: no key for the API',
      '- 1 session reported no price',
      '## Not ready to merge',
      '- branch muster/job has not been delivered to your repository',
    ]) {
      expect(out.split('\n')).toContain(line)
    }
  })

  it('ends with when and where the work was merged, not with whether it is ready', async () => {
    await using repository = await testRepository()
    await repository.git('commit', '--quiet', '--allow-empty', '-m', 'work')
    const commit = (await repository.git('rev-parse', 'HEAD')).trim()
    const merged = { ...report, repositoryPath: repository.path, merged: { commit } }
    const { out } = await run(() => ({ items: [merged] }), 'report', SAMPLE_JOB_ID)
    expect(out).toMatch(
      new RegExp(`\n## Merged\n\n- merged into main at ${commit.slice(0, 10)}, .*\\d\\d:\\d\\d\n`),
    )
    expect(out).not.toMatch(/ready to merge|merge it/i)
    expect(out).toContain('\n- merged although branch muster/job has not been delivered')
  })

  it('mentions missing prices once, and criteria that were not reviewed', async () => {
    const cost = { ...COST, costUsd: 0, unpriced: 4 }
    const [agent] = report.agents
    const unpriced = {
      ...report,
      cost,
      agents: [{ ...agent, sessions: 4, cost }],
      tasks: [{ ...task, criteria: [{ text: 'it parses' }] }],
    }
    const { out } = await run(
      (method, path, ...rest) =>
        path === '/api/orchestrator/report' ? { items: [unpriced] } : answers(method, path, ...rest),
      'report',
      SAMPLE_JOB_ID,
    )
    const lines = out.split('\n')
    expect(lines.filter((line) => line.includes('price'))).toEqual([
      '- cost unknown: the 4 sessions reported no price',
    ])
    expect(lines).toContain('- ada (command): 1.2k/34 tokens, 4 sessions, 1m01s')
    expect(lines).toContain('  - criterion "it parses": no reviewer looked at it')
  })

  it('lists attempts and reviews by time, and treats a missing answer as no verdict', async () => {
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

  it('reports on the named or the current project, or on the newest job of all', async () => {
    expect((await run(answers, 'report', 'project')).code).toBe(0)
    expect((await run(answers, 'report', trial.path())).code).toBe(0)
    const nowhere = await run(answers, 'report')
    expect([nowhere.code, nowhere.err]).toEqual([
      0,
      `no job was started in this directory; using the newest of all jobs: ${SAMPLE_JOB_ID} in /srv/project\n`,
    ])
    expect(nowhere.requests.at(-1)).toBe('GET /api/orchestrator/report')
    execFileSync('git', ['init', '--quiet', trial.path()])
    const { code, requests } = await run(answers, 'report', '--json')
    expect([code, requests.at(-1)]).toEqual([0, 'GET /api/orchestrator/report'])
  })
})
