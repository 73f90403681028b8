import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireCleaned, WireDeletedJob, WirePinnedWork } from '../../client/index.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { sampleNames } from '../testing/sample-wire.ts'
import { KILLED, openStandInApi, Refused } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)
const JOB = `job_${'1'.repeat(20)}`
const ATTEMPT = `att_${'2'.repeat(20)}`

const work: WirePinnedWork = {
  id: ATTEMPT,
  jobId: JOB,
  taskId: `tsk_${'3'.repeat(20)}`,
  task: 't1-2',
  title: 'Parse week numbers',
  agent: 'claude',
  repositoryPath: '/home/ada/project',
  status: 'unlanded',
  reason: 'check "npm test" exited with code 1',
  at: '2026-01-02T03:04:05.000Z',
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  files: 2,
  added: 10,
  removed: 3,
  bytes: 4_000,
}

const preview: WireDeletedJob = {
  jobId: JOB,
  title: 'Make the parser better',
  workingBranch: `muster/${JOB}`,
  repositoryPath: '/home/ada/project',
  isDryRun: true,
  running: [],
  unlanded: [],
  superseded: 1,
  isBranchRemoved: false,
  bytes: 2_000_000,
}

/** Answers one path in turn, and says that the daemon is there. */
function inTurn(end: string, ...data: readonly unknown[]) {
  const left = [...data]
  return (_method: string, path: string) =>
    path.endsWith(end) ? left.shift() : { status: 'ok', version: '1.0.0' }
}

const refusal = new Refused(409, {
  success: false,
  error: { type: 'work-unlanded', message: 'It has work.', next: 'muster recover' },
})

describe('muster recover', () => {
  it('lists what did not land, why, and how large it is', async () => {
    const { code, out } = await trial.run({ answers: () => ({ items: [work] }) }, ['recover'])
    expect(code).toBe(0)
    expect(out).toContain(`${ATTEMPT}  t1-2  Parse week numbers`)
    expect(out).toContain('2 files changed, +10 -3, 4.0 kB: check "npm test" exited with code 1')
    expect(out).toMatch(new RegExp(`restore one as a branch: muster .*recover ${ATTEMPT}`))
  })

  it('names the repository of what is not in the current one', async () => {
    execFileSync('git', ['init', '--quiet', trial.path()])
    const own = { ...work, id: `att_${'4'.repeat(20)}`, repositoryPath: realpathSync(trial.path()) }
    const listed = (...items: readonly WirePinnedWork[]) =>
      trial.run({ answers: () => ({ items }) }, ['recover'])
    expect((await listed(own)).out).not.toContain('in /')
    const { out } = await listed(work, own, { ...work, task: 't1-3' })
    expect(out.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
      `in ${work.repositoryPath}:`,
      `${ATTEMPT}  t1-2  Parse week numbers`,
      `${ATTEMPT}  t1-3  Parse week numbers`,
      `in ${own.repositoryPath}:`,
      `${own.id}  t1-2  Parse week numbers`,
      '',
      expect.stringContaining('restore one as a branch'),
      '',
    ])
  })

  it('restores by the start of an ID, and prints how to go on', async () => {
    const answers = (method: string) =>
      method === 'GET'
        ? sampleNames({ kind: 'attempt', id: ATTEMPT, by: 'id-start' })
        : { work, branch: 'fix-it', isNew: true }
    const { code, out, requests, bodies } = await trial.run({ answers }, [
      'recover',
      'att_2',
      '--branch',
      'fix-it',
    ])
    expect(code).toBe(0)
    expect(requests).toContain(`POST /api/pinned/${ATTEMPT}/restore`)
    expect(bodies).toEqual([{ branch: 'fix-it' }])
    expect(out).toContain('git switch fix-it')
  })
})

describe('muster recover of work that was refused', () => {
  const refused: WirePinnedWork = { ...work, refusal: 'the agent committed .env', reason: 'refused' }

  it('marks it in the list, and names the flag that restores it', async () => {
    const { out } = await trial.run({ answers: () => ({ items: [refused] }) }, ['recover'])
    expect(out).toContain('Parse week numbers (refused)')
    expect(out).toMatch(new RegExp(`muster .*recover ${ATTEMPT} --with-refused-work`))
    const both = await trial.run({ answers: () => ({ items: [refused, { ...work, id: JOB }] }) }, ['recover'])
    expect(both.out).toMatch(new RegExp(`recover ${JOB}\n`))
  })

  it('restores it with the flag, and warns', async () => {
    const answers = (method: string) =>
      method === 'GET'
        ? sampleNames({ kind: 'attempt', id: ATTEMPT, by: 'id-start' })
        : { work: refused, branch: 'odd', isNew: true }
    const { code, out, bodies } = await trial.run({ answers }, ['recover', 'att_2', '--with-refused-work'])
    expect(code).toBe(0)
    expect(bodies).toEqual([{ withRefusedWork: true }])
    expect(out).toContain('warning: it was refused: the agent committed .env')
  })
})

describe('muster delete', () => {
  const answers = (shown: WireDeletedJob, deleted: unknown) => {
    let asked = 0
    return () => {
      asked += 1
      return asked === 1 ? shown : deleted
    }
  }

  it('deletes with --yes', async () => {
    const deleted = { ...preview, isDryRun: false }
    const { code, out, bodies } = await trial.run({ answers: answers(preview, deleted) }, [
      'delete',
      JOB,
      '--yes',
    ])
    expect(code).toBe(0)
    expect(bodies).toEqual([{ dryRun: true }, {}])
    expect(out).toContain('1 piece of work that was replaced by landed work is deleted too')
    expect(out).toMatch(
      /branch \S+, if it is in your repository, stays as it is;\s+--branch deletes it\s+too\n/,
    )
    expect(out).toContain(`deleted ${JOB}; 2.0 MB freed`)
  })

  it('does not say that the branch stays and that all of its work is lost', async () => {
    const shown = { ...preview, undelivered: 'c'.repeat(40) }
    const { out } = await trial.run({ answers: () => shown }, ['delete', JOB, '--dry-run'])
    const text = out.replace(/\s+/g, ' ')
    expect(text).toContain('is in your repository: what is missing there is lost')
    expect(text).not.toContain('no other branch')
  })

  it('has deleted a job if the daemon was killed meanwhile and does not know the job afterwards', async () => {
    const { code, out } = await trial.run({ answers: inTurn('/delete', preview, KILLED, undefined) }, [
      'delete',
      JOB,
      '--yes',
    ])
    expect(code).toBe(0)
    expect(out).toContain(`deleted ${JOB}; 2.0 MB freed`)
  })

  it('deletes nothing in a pipe without --yes', async () => {
    const { code, err, bodies } = await trial.run({ answers: answers(preview, preview) }, ['delete', JOB])
    expect(code).toBe(2)
    expect(bodies).toEqual([{ dryRun: true }])
    expect(err).toMatch(new RegExp(`try: muster .*delete ${JOB} --yes`))
  })

  it('does not ask about a job with work that exists nowhere else, and says why', async () => {
    const shown = { ...preview, unlanded: [work] }
    const { code, err } = await trial.run({ answers: answers(shown, refusal) }, ['delete', JOB])
    expect(code).toBe(3)
    expect(err).toContain('It has work.')
  })
})

const planned: WireCleaned = {
  endedBefore: '2026-01-01T00:00:00.000Z',
  isDryRun: true,
  jobs: [
    {
      ...{ jobId: JOB, title: 'one', repositoryPath: '/home/ada/one' },
      ...{ status: 'completed', reason: 'no-progress', bytes: 5_000, unlanded: ['t1-1'] },
    },
    {
      ...{ jobId: 'job_2', title: 'two', repositoryPath: '/home/ada/two' },
      ...{ status: 'error', bytes: 1, unlanded: [], kept: 'ses_1 has not ended' },
    },
  ],
  bytes: 5_000,
}

describe('muster clean', () => {
  it('shows what would be deleted and why the rest stays', async () => {
    const { code, out, bodies } = await trial.run({ answers: () => planned }, [
      'clean',
      '--older-than',
      '2d',
      '--dry-run',
    ])
    expect(code).toBe(0)
    expect(bodies).toHaveLength(1)
    expect(out).toContain('includes old work that did not land: t1-1')
    expect(out).toContain('kept: ses_1 has not ended')
    // As in the list of jobs.
    expect(out).toMatch(/^job_1+ {2}stopped: no progress, /m)
    expect(out).toContain('would delete 1 job, 5.0 kB; kept 1')
  })

  it('names the repositories, unless all jobs are of the current one', async () => {
    const elsewhere = await trial.run({ answers: () => planned }, ['clean', '--dry-run'])
    expect(elsewhere.out).toMatch(/^in \/home\/ada\/one:\njob_1+ .*\n.*\nin \/home\/ada\/two:\njob_2 /)
    execFileSync('git', ['init', '--quiet', trial.path()])
    const jobs = planned.jobs.map((job) => ({ ...job, repositoryPath: realpathSync(trial.path()) }))
    const here = await trial.run({ answers: () => ({ ...planned, jobs }) }, ['clean', '--dry-run'])
    expect(here.out).toMatch(/^job_1/)
    expect(here.out).not.toContain('in /')
  })

  it('deletes exactly up to the time that it showed', async () => {
    const { code, bodies } = await trial.run({ answers: () => planned }, ['clean', '--yes'])
    expect(code).toBe(0)
    expect(bodies).toEqual([
      { endedBefore: expect.any(String), dryRun: true },
      { endedBefore: planned.endedBefore },
    ])
  })

  it('continues if the daemon is killed and comes back', async () => {
    const answers = inTurn('/api/clean', planned, KILLED, { ...planned, isDryRun: false })
    const { code, out } = await trial.run({ answers }, ['clean', '--yes'])
    expect(code).toBe(0)
    expect(out).toContain('deleted 1 job')
  })

  it('does not sound like a dry run if every job is kept', async () => {
    const kept = { ...planned, jobs: planned.jobs.slice(1), bytes: 0 }
    const { code, out } = await trial.run({ answers: () => kept }, ['clean', '--yes'])
    expect(code).toBe(0)
    expect(out).toContain('deleted 0 jobs')
    expect(out).not.toContain('would')
  })

  it('names an age in days if it is not a duration', async () => {
    const { code, err } = await trial.run({ answers: () => planned }, ['clean', '--older-than', 'yesterday'])
    expect(code).toBe(2)
    expect(err).toContain('It must be a duration such as 90m, 1h30m or 90d.')
  })

  it('takes an age in seconds literally', async () => {
    const before = Date.now()
    const { bodies } = await trial.run({ answers: () => planned }, [
      'clean',
      '--older-than',
      '1s',
      '--dry-run',
    ])
    const [{ endedBefore = '' } = {}] = bodies as readonly { readonly endedBefore?: string }[]
    expect(Date.parse(endedBefore)).toBeGreaterThan(before - 30_000)
  })

  it('deletes nothing in a pipe without --yes', async () => {
    const { code, bodies } = await trial.run({ answers: () => planned }, ['clean'])
    expect(code).toBe(2)
    expect(bodies).toHaveLength(1)
  })
})

describe('muster backup', () => {
  it('does not claim that there is no file if the daemon is killed, perhaps just after writing it', async () => {
    const running = { status: 'running', file: '/file', step: 'records', done: 0, total: 1 }
    const answers = inTurn('/api/backup', running, running, KILLED, { status: 'none' })
    const { code, err } = await trial.run({ answers }, ['backup', 'file'])
    expect(code).toBe(1)
    expect(err).not.toContain('there is no file')
    expect(err).toContain('the daemon was restarted before it could report how the backup went')
    expect(err).toContain('a backup gets its name only when it is complete')
    expect(err).toContain('backup FILE')
  })
})

describe('muster gc', () => {
  it('says what was removed and what was kept, why, and how much that is', async () => {
    const items = [
      { what: 'session-files', name: 'ses_1', reason: 'its session has ended', bytes: 1_000, isKept: false },
      { what: 'objects', name: 'prj_1', reason: 'job_1 has not ended', bytes: 9, isKept: true },
    ]
    const { code, out } = await trial.run({ answers: () => ({ isDryRun: false, items, bytes: 1_000 }) }, [
      'gc',
    ])
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'removed files of session ses_1, 1.0 kB: its session has ended',
      'kept objects in the repository of prj_1, up to 9 bytes: job_1 has not ended',
      'removed 1 item, 1.0 kB; kept 1',
      '',
    ])
  })
})

describe('the confirmation', () => {
  async function answer(words: readonly string[], act: (stdin: PassThrough, send: () => void) => void) {
    await using api = await openStandInApi({ answers: () => planned })
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const shown: string[] = []
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
    stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
    const surroundings = trial.surroundings({ stdin, stdout, environment: { TERM: 'xterm' } })
    const running = trial.start(api, surroundings, words)
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('[y/N]')
    act(stdin, () => surroundings.send('SIGINT'))
    return { code: await running, err: surroundings.stderrText(), calls: api.requests.length }
  }

  it('is no error if the person answers no or stops it', async () => {
    const denied = await answer(['clean'], (stdin) => stdin.write('n\n'))
    expect(denied).toMatchObject({ code: 1, err: 'Nothing was deleted.\n' })
    const stopped = await answer(['clean'], (_, send) => send())
    expect(stopped).toMatchObject({ code: 130, err: 'Nothing was deleted.\n', calls: denied.calls })
  }, 20_000)
})
