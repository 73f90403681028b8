import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MusterClient, WireApproval, WireJob, WireTask } from '../../src/client/index.ts'
import { auditLandings } from '../support/audit-landings.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const run = promisify(execFile)
const IDENTITY = ['-c', 'user.name=Outsider', '-c', 'user.email=outsider@example.com']

function fileTasks(count: number): readonly ShellTask[] {
  return Array.from({ length: count }, (_, index) => ({
    description: `write file ${index + 1}`,
    script: commitFile(`file-${index + 1}.txt`, `text ${index + 1}`),
  }))
}

async function start(daemon: TestDaemon, repository: TestRepository, request: object = {}): Promise<WireJob> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Have the files.',
    maxParallelTasks: 8,
    maxCycles: 1,
    ...request,
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value
}

async function tasksOf(client: MusterClient, job: WireJob): Promise<readonly WireTask[]> {
  const tasks = await client.listTasks({ job: job.id })
  if (!tasks.ok) throw new Error(tasks.failure.message)
  return tasks.value.items
}

async function landingsOf(client: MusterClient, job: WireJob) {
  const landings = await client.listLandings({ job: job.id })
  if (!landings.ok) throw new Error(landings.failure.message)
  return landings.value.items
}

/** Puts a commit on a job's branch behind the daemon's back, as another process could. */
async function moveBranch(daemon: TestDaemon, job: WireJob, file: string): Promise<string> {
  const hub = join(daemon.home, 'hubs', `${job.projectId}.git`)
  const git = async (...words: readonly string[]) =>
    (await run('git', [`--git-dir=${hub}`, ...IDENTITY, ...words])).stdout.trim()
  const ref = `refs/heads/${job.workingBranch}`
  const head = await git('rev-parse', ref)
  const { child } = run('git', [`--git-dir=${hub}`, 'hash-object', '-w', '--stdin'])
  child.stdin?.end('from outside\n')
  const blob = await new Promise<string>((resolve) =>
    child.stdout?.on('data', (chunk) => resolve(String(chunk).trim())),
  )
  const entries = await git('ls-tree', head)
  const made = run('git', [`--git-dir=${hub}`, 'mktree'])
  made.child.stdin?.end(`${entries}\n100644 blob ${blob}\t${file}\n`)
  const tree = (await made).stdout.trim()
  const commit = await git('commit-tree', tree, '-p', head, '-m', `Add ${file}`)
  await git('update-ref', ref, commit, head)
  return commit
}

/** A check that waits until the test lets it go on: it says that it runs by a file, and waits for another. */
function gatedCheck(gate: TemporaryDirectory): string {
  const { path } = gate
  return `mkdir -p ${path}/runs; touch ${path}/runs/$MUSTER_CHECK; i=0; while [ ! -e ${path}/go ]; do i=$((i+1)); [ $i -lt 900 ] || exit 3; sleep 0.1; done`
}

async function checksRunning(gate: TemporaryDirectory, count = 1): Promise<void> {
  await until(async () => (await readdir(join(gate.path, 'runs')).catch(() => [])).length >= count)
}

async function letGo(gate: TemporaryDirectory): Promise<void> {
  await run('touch', [join(gate.path, 'go')])
}

async function nextApproval(client: MusterClient, not?: string): Promise<WireApproval> {
  let found: WireApproval | undefined
  await until(async () => {
    const listed = await client.listApprovals()
    found = listed.ok ? listed.value.items.find(({ id }) => id !== not) : undefined
    return found !== undefined
  })
  if (found === undefined) throw new Error('nothing is asked')
  return found
}

let sharedHome: TestHome
let daemon: TestDaemon

beforeAll(async () => {
  sharedHome = await quickHome()
  daemon = await sharedHome.start()
})

afterAll(() => sharedHome[Symbol.asyncDispose]())

describe('the merge queue', () => {
  it('keeps two queues of one repository apart, and both land what was checked', async () => {
    await using repository = await testRepository(shellProject(fileTasks(3)))
    const jobs = await Promise.all([start(daemon, repository), start(daemon, repository)])
    for (const { id } of jobs) {
      const job = await waitForJob(daemon.client, id)
      expect((await tasksOf(daemon.client, job)).map(({ status }) => status)).toEqual(
        Array(3).fill('completed'),
      )
      expect((await auditLandings(daemon.client, repository, job)).length).toBeGreaterThan(0)
    }
  }, 120_000)

  it('finds the one that breaks a batch, and lands the others', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(
      shellProject([...fileTasks(4), { description: 'plant a bug', script: commitFile('bug.txt', 'bug') }], {
        checks: ['test ! -e bug.txt || { echo "there is a bug"; exit 1; }'],
      }),
    )
    const daemon = await home.start({ MUSTER_CHECK_SLOTS: '1' })
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    const tasks = await tasksOf(daemon.client, job)
    expect(tasks.slice(0, 4).map(({ status }) => status)).toEqual(Array(4).fill('completed'))
    expect(tasks[4]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('check "test ! -e bug.txt'),
      suggestion: expect.stringContaining('muster diff'),
      errorMessage: expect.stringContaining('there is a bug'),
    })
    await auditLandings(daemon.client, repository, job)
    expect(await repository.git('ls-tree', '--name-only', job.workingBranch)).not.toContain('bug.txt')
  }, 120_000)

  it('refuses the second of two that pass alone and fail together', async () => {
    await using repository = await testRepository(
      shellProject(fileTasks(2), { checks: ['test ! -e file-1.txt || test ! -e file-2.txt'] }),
    )
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    const statuses = (await tasksOf(daemon.client, job)).map(({ status }) => status)
    expect([...statuses].sort()).toEqual(['completed', 'failed'])
    await auditLandings(daemon.client, repository, job)
  }, 120_000)

  it('never lands what was checked too long, and ends the whole of it', async () => {
    await using home = await quickHome()
    const hang = `${join(home.home, 'hang.sh')}`
    await using repository = await testRepository(
      shellProject(fileTasks(1), {
        checks: [`setsid sh -c 'while :; do sleep 1; done # ${hang}' & sleep 300`],
      }),
    )
    const daemon = await home.start({ MUSTER_CHECK_MINUTES: '0.02', MUSTER_STOP_GRACE_MS: '200' })
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    const [task] = await tasksOf(daemon.client, job)
    expect(task).toMatchObject({ status: 'failed', reason: expect.stringContaining('ran longer than') })
    expect((await landingsOf(daemon.client, job)).map(({ status }) => status)).toEqual(['rejected'])
    expect(await processesWith(hang)).toEqual([])
  }, 120_000)

  it('does not take a check that is absent for one that passed', async () => {
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const job = await start(daemon, repository, { checks: ['there-is-no-such-program --at-all'] })
    const [task] = await tasksOf(daemon.client, await waitForJob(daemon.client, job.id))
    expect(task).toMatchObject({ status: 'failed', reason: expect.stringContaining('127') })
    const empty = await daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'x',
      checks: ['  '],
    })
    expect(empty.ok).toBe(false)
  }, 120_000)

  it('checks again on the new head when somebody else was faster', async () => {
    await using gate = await temporaryDirectory()
    await using repository = await testRepository(shellProject(fileTasks(1), { checks: [gatedCheck(gate)] }))
    const started = await start(daemon, repository)
    await checksRunning(gate)
    const outside = await moveBranch(daemon, started, 'outside.txt')
    await letGo(gate)
    const job = await waitForJob(daemon.client, started.id)
    const [task] = await tasksOf(daemon.client, job)
    expect(task?.status).toBe('completed')
    await repository.git('merge-base', '--is-ancestor', outside, task?.commit ?? '')
    const [landing] = await landingsOf(daemon.client, job)
    expect(landing?.checks.map(({ tree }) => tree)).toEqual([
      await repository.git('rev-parse', `${task?.commit}^{tree}`),
    ])
    expect(await readdir(join(gate.path, 'runs'))).toHaveLength(2)
  }, 120_000)

  it('takes what is there already for landed, and lands it once', async () => {
    const same = commitFile('same.txt', 'the same')
    await using repository = await testRepository(
      shellProject([
        { description: 'write the same first', script: same },
        { description: 'write the same again', script: same },
      ]),
    )
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    expect((await tasksOf(daemon.client, job)).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ])
    const landings = await landingsOf(daemon.client, job)
    expect(landings.filter(({ isContained }) => isContained === true)).toHaveLength(1)
    expect(await auditLandings(daemon.client, repository, job)).toHaveLength(1)
  }, 120_000)

  it('gives a check that fails by chance a second try, and says so', async () => {
    await using gate = await temporaryDirectory()
    await using repository = await testRepository(
      shellProject(fileTasks(1), { checks: [`! mkdir ${gate.path}/first`] }),
    )
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    const [landing] = await landingsOf(daemon.client, job)
    expect(landing).toMatchObject({ status: 'landed', checks: [{ passed: true, isFlaky: true }] })
  }, 120_000)

  it('runs all checks again when one failed by chance, because each may need what those before it made', async () => {
    await using gate = await temporaryDirectory()
    await using repository = await testRepository(
      shellProject(fileTasks(1), {
        checks: ['echo built > built.out', `test -e built.out && ! mkdir ${gate.path}/first`],
      }),
    )
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    const [landing] = await landingsOf(daemon.client, job)
    expect(landing).toMatchObject({
      status: 'landed',
      checks: [{ passed: true }, { passed: true, isFlaky: true }],
    })
    expect(landing?.checks[0]?.isFlaky).toBeUndefined()
  }, 120_000)

  it('does not hold an outage against the work that waits', async () => {
    await using gate = await temporaryDirectory()
    const project = shellProject(fileTasks(2))
    const configuration = JSON.parse(project['muster.yaml'])
    // The setup of a check fails the first time, as when a registry cannot be reached; that of an agent does not.
    const setup = `test -z "$MUSTER_CHECK" || ! mkdir ${gate.path}/out`
    await using repository = await testRepository({
      ...project,
      'muster.yaml': JSON.stringify({ ...configuration, setup: [setup] }),
    })
    const job = await waitForJob(daemon.client, (await start(daemon, repository)).id)
    expect((await tasksOf(daemon.client, job)).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ])
    expect((await landingsOf(daemon.client, job)).flatMap(({ checks }) => checks)).not.toContainEqual(
      expect.objectContaining({ isFlaky: true }),
    )
  }, 120_000)

  it('has a conflict resolved by a task that is given both sides', async () => {
    await using home = await quickHome()
    await using gate = await temporaryDirectory()
    // Each waits for the other, so that both begin at the same commit.
    const paint = (colour: string, other: string) =>
      `touch ${gate.path}/${colour}; i=0; while [ ! -e ${gate.path}/${other} ] && [ $i -lt 300 ]; do i=$((i+1)); sleep 0.1; done; ${commitFile('door.txt', colour)}`
    const resolve = `tip=$(grep -oE 'git merge [0-9a-f]{40}' "$MUSTER_PROMPT_FILE" | head -1 | cut -d' ' -f3)
grep -q '<<<<<<<' "$MUSTER_PROMPT_FILE" || { echo "no markers" >&2; exit 7; }
git merge -q "$tip" || true
printf 'red and blue\\n' > door.txt; git add door.txt; git commit -q -m 'Paint it red and blue'`
    await using repository = await testRepository(
      shellProject([
        { description: 'Merge the work of task', script: resolve },
        { description: 'paint the door red', script: paint('red', 'blue') },
        { description: 'paint the door blue', script: paint('blue', 'red') },
      ]),
    )
    // The planner must not name the first one: it is what the engine adds by itself.
    const planner = (await repository.git('show', 'HEAD:tools/planner.sh')).replace(
      /\{"description":"Merge the work of task"[^}]*\},/,
      '',
    )
    await repository.write({ 'tools/planner.sh': planner })
    await repository.commit('a planner that does not know of conflicts')
    const daemon = await home.start()
    const started = await start(daemon, repository, { maxCycles: 5 })
    const job = await waitForJob(daemon.client, started.id)
    const tasks = await tasksOf(daemon.client, job)
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
    expect(tasks.filter(({ status }) => status === 'blocked')).toMatchObject([
      { reason: 'conflicts with what landed before it in door.txt', conflictPaths: ['door.txt'] },
    ])
    expect(tasks.find(({ origin }) => origin.type === 'conflict')).toMatchObject({
      status: 'completed',
      cycleNumber: 2,
    })
    expect(await repository.git('show', `${job.workingBranch}:door.txt`)).toBe('red and blue')
    await auditLandings(daemon.client, repository, job)
  }, 120_000)
})

describe('a base branch that moves under a job', () => {
  const twoCycles = (gate: TemporaryDirectory) => {
    const files = shellProject(
      [
        { description: 'write file 1', script: commitFile('file-1.txt', 'text 1') },
        { description: 'write file 2', script: commitFile('file-2.txt', 'text 2') },
      ],
      { checks: [gatedCheck(gate), 'test ! -e broken.txt'] },
    )
    const answer = (description: string) => JSON.stringify({ tasks: [{ description, files: [] }] })
    const done = JSON.stringify({ tasks: [], done: true, evidence: ['all is there'] })
    return {
      ...files,
      'tools/planner.sh': `case "$MUSTER_CYCLE" in
1) echo '${answer('write file 1')}' ;;
2) cp "$MUSTER_PROMPT_FILE" ${gate.path}/prompt-2; echo '${answer('write file 2')}' ;;
*) cp "$MUSTER_PROMPT_FILE" ${gate.path}/prompt-3; echo '${done}' ;;
esac
`,
    }
  }

  async function playWith(gate: TemporaryDirectory, moved: Readonly<Record<string, string>>) {
    const repository = await testRepository(twoCycles(gate))
    const started = await start(daemon, repository, { maxCycles: 5 })
    await checksRunning(gate)
    await repository.write(moved)
    await repository.commit('somebody else was here')
    await letGo(gate)
    const job = await waitForJob(daemon.client, started.id)
    const theirs = await repository.git('rev-parse', 'main')
    return { repository, job, theirs }
  }

  it('is taken in, checked like everything else', async () => {
    await using gate = await temporaryDirectory()
    const { repository, job, theirs } = await playWith(gate, { 'theirs.txt': 'theirs' })
    await using _ = repository
    expect(job.status).toBe('completed')
    await repository.git('merge-base', '--is-ancestor', theirs, job.workingBranch)
    expect(await repository.git('show', `${job.workingBranch}:theirs.txt`)).toBe('theirs')
  }, 120_000)

  it('stays out when it does not pass the checks, and the planner is told', async () => {
    await using gate = await temporaryDirectory()
    const { repository, job } = await playWith(gate, { 'broken.txt': 'broken' })
    await using _ = repository
    expect(await repository.git('ls-tree', '--name-only', job.workingBranch)).not.toContain('broken.txt')
    expect(await readFile(join(gate.path, 'prompt-3'), 'utf8')).toContain('main has moved to')
  }, 120_000)

  it('leaves no question behind when the job ends before it was answered', async () => {
    await using gate = await temporaryDirectory()
    await using repository = await testRepository(twoCycles(gate))
    const started = await start(daemon, repository, { maxCycles: 2, mode: 'approve' })
    await checksRunning(gate)
    await repository.write({ 'theirs.txt': 'theirs' })
    await repository.commit('somebody else was here')
    await letGo(gate)
    const first = await nextApproval(daemon.client)
    await daemon.client.allowApproval(first.id)
    const base = await nextApproval(daemon.client, first.id)
    expect(base.action.reason).toBe('new commits of main')
    await daemon.client.cancelJob(started.id)
    await until(async () => {
      const listed = await daemon.client.listApprovals()
      return listed.ok && listed.value.items.length === 0
    })
  }, 120_000)

  it('stays out when it conflicts with the work, and the planner is told', async () => {
    await using gate = await temporaryDirectory()
    const { repository, job, theirs } = await playWith(gate, { 'file-1.txt': 'another text' })
    await using _ = repository
    expect(await repository.git('show', `${job.workingBranch}:file-1.txt`)).toBe('text 1')
    expect(await readFile(join(gate.path, 'prompt-3'), 'utf8')).toContain(`git merge ${theirs}`)
  }, 120_000)
})

describe('in mode approve', () => {
  const request = { mode: 'approve' }

  it('nothing lands before a person has seen the diff and said yes to it', async () => {
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const started = await start(daemon, repository, request)
    const approval = await nextApproval(daemon.client)
    expect(approval).toMatchObject({
      jobId: started.id,
      action: { tool: 'land', input: { patch: expect.stringContaining('+text 1') } },
    })
    expect(await landingsOf(daemon.client, started)).toMatchObject([{ status: 'checking' }])
    const allowed = await daemon.client.allowApproval(approval.id, { digest: approval.digest })
    expect(allowed.ok).toBe(true)
    const job = await waitForJob(daemon.client, started.id)
    expect((await tasksOf(daemon.client, job)).map(({ status }) => status)).toEqual(['completed'])
    await auditLandings(daemon.client, repository, job)
  }, 120_000)

  it('a no is the end of it, with the reason', async () => {
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const started = await start(daemon, repository, request)
    const approval = await nextApproval(daemon.client)
    await daemon.client.denyApproval(approval.id, { reason: 'not like this' })
    const job = await waitForJob(daemon.client, started.id)
    expect(await tasksOf(daemon.client, job)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('not like this') },
    ])
  }, 120_000)

  it('a yes is void when the head changes after it, and the new commit is asked about', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(shellProject(fileTasks(1)))
    // Dies after the yes was stored and before the branch moves: the head can change in between.
    let daemon = await home.start({ MUSTER_CRASH_AT: 'landing.after-checks:1' })
    const started = await start(daemon, repository, request)
    const first = await nextApproval(daemon.client)
    await daemon.client.allowApproval(first.id, { digest: first.digest }).catch(() => undefined)
    await until(() => daemon.process.signalCode === 'SIGKILL')
    const outside = await moveBranch(daemon, started, 'outside.txt')
    daemon = await home.start()
    const second = await nextApproval(daemon.client, first.id)
    expect(second.digest).not.toBe(first.digest)
    await daemon.client.allowApproval(second.id, { digest: second.digest })
    const job = await waitForJob(daemon.client, started.id)
    const [task] = await tasksOf(daemon.client, job)
    expect(task?.status).toBe('completed')
    await repository.git('merge-base', '--is-ancestor', outside, task?.commit ?? '')
  }, 120_000)

  it('a cancel leaves no question, no landing and no candidate behind', async () => {
    await using repository = await testRepository(shellProject(fileTasks(2)))
    const started = await start(daemon, repository, request)
    const approval = await nextApproval(daemon.client)
    await daemon.client.cancelJob(started.id)
    await until(async () => {
      const landings = await landingsOf(daemon.client, started)
      return landings.every(({ status }) => status === 'rejected')
    })
    const decided = await daemon.client.allowApproval(approval.id)
    expect(decided.ok).toBe(false)
    expect((await tasksOf(daemon.client, started)).map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
    ])
  }, 120_000)

  it('a question outlives the daemon that asked it, and is asked once', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(shellProject(fileTasks(1)))
    const doomed = await home.start({ MUSTER_CRASH_AT: 'landing.before-question:1' })
    const started = await start(doomed, repository, request)
    await until(() => doomed.process.signalCode === 'SIGKILL')
    const second = await home.start()
    const approval = await nextApproval(second.client)
    await second.kill()
    const daemon = await home.start()
    const listed = await daemon.client.listApprovals({ status: 'all' })
    expect(listed.ok && listed.value.items.map(({ id }) => id)).toEqual([approval.id])
    await daemon.client.allowApproval(approval.id, { digest: approval.digest })
    const job = await waitForJob(daemon.client, started.id)
    expect((await tasksOf(daemon.client, job)).map(({ status }) => status)).toEqual(['completed'])
  }, 120_000)
})
