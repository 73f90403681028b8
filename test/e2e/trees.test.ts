import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireEvent, WireTask } from '../../src/client/index.ts'
import { take } from '../support/acp-agent/acp-stage.ts'
import { acpProject, commit } from '../support/acp-project.ts'
import { agentOutput, agentText } from '../support/agent-output.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

type Files = Readonly<Record<string, string>>

/** The files of a project with more settings in its muster.yaml. */
function withSettings(files: Files, settings: object): Files {
  const configuration = JSON.parse(String(files['muster.yaml'])) as object
  return { ...files, 'muster.yaml': JSON.stringify({ ...configuration, ...settings }) }
}

async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

async function startJob(daemon: TestDaemon, repository: TestRepository): Promise<string> {
  const { path: repositoryPath } = repository
  return take(await daemon.client.startJob({ repositoryPath, requestDocument: 'Grow.' })).id
}

async function tasksOf(daemon: TestDaemon, jobId: string): Promise<readonly WireTask[]> {
  return take(await daemon.client.listTasks({ job: jobId })).items
}

async function runJob(daemon: TestDaemon, repository: TestRepository): Promise<readonly WireTask[]> {
  const jobId = await startJob(daemon, repository)
  await waitForJob(daemon.client, jobId)
  return await tasksOf(daemon, jobId)
}

async function eventsOf(daemon: TestDaemon, jobId: string): Promise<readonly WireEvent[]> {
  return take(await daemon.client.listEvents(jobId, { limit: 500 })).items
}

const stack = new AsyncDisposableStack()
let home: TestHome
let daemon: TestDaemon
/** Where programs leave their marks, outside of every tree. */
let marks: TemporaryDirectory

beforeAll(async () => {
  home = stack.use(await quickHome())
  marks = stack.use(await temporaryDirectory('muster-marks'))
  daemon = await home.start()
})
afterAll(() => stack.disposeAsync())

async function projectOf(tasks: readonly ShellTask[], settings: object, checks?: readonly string[]) {
  const project = shellProject(tasks, {
    ...(checks === undefined ? {} : { checks }),
    limits: { parallel: 2 },
  })
  const files = { ...withSettings(project, settings), '.gitignore': 'ready\n.env\n' }
  return stack.use(await testRepository(files))
}

describe('a setup command', () => {
  it('runs once in every tree, before the agent and before the checks, and is heard in the log', async () => {
    const log = join(marks.path, 'set-up')
    const isReady = `test "$(cat ready)" = yes`
    const repository = await projectOf(
      [
        { description: 'grow a leaf', script: `${isReady}; ${commitFile('leaf.txt', 'leaf')}` },
        { description: 'grow a root', script: `${isReady}; ${commitFile('root.txt', 'root')}` },
      ],
      { setup: [`pwd >> ${log}; echo setting up`, 'test ! -e ready; echo yes > ready'] },
      [isReady, isReady],
    )
    const jobId = await startJob(daemon, repository)
    await waitForJob(daemon.client, jobId)
    expect((await tasksOf(daemon, jobId)).map((task) => task.status)).toEqual(['completed', 'completed'])
    const places = await linesOf(log)
    // Two workers, and at least one candidate whose second check found what the first was given.
    expect(places.length).toBeGreaterThanOrEqual(3)
    expect(new Set(places).size).toBe(places.length)
    const events = await eventsOf(daemon, jobId)
    const heard = events.map(agentOutput).filter((output) => output?.type === 'error-output')
    const settingUp = heard.filter(({ text }) => text === 'setting up')
    expect(settingUp.map(({ role }) => role)).toEqual(['worker', 'worker'])
    const { workingBranch } = take(await daemon.client.getJob(jobId))
    expect(await repository.git('ls-tree', '-r', '--name-only', workingBranch)).not.toContain('ready')
  }, 120_000)

  it('that fails is the reason of its task, with its words and status, and the agent never starts', async () => {
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: `touch ${join(marks.path, 'started')}; exit 0` }],
      { setup: ['true', 'echo "no network" >&2; exit 3'], limits: { maxCycles: 1 } },
    )
    const [task] = await runJob(daemon, repository)
    expect(task).toMatchObject({ status: 'blocked' })
    expect(task?.reason).toContain(
      'setup command "echo "no network" >&2; exit 3" failed with status 3: no network',
    )
    expect(task?.suggestion).toContain('setup')
    expect(await readdir(marks.path)).not.toContain('started')
  }, 120_000)

  it('that changes a file which git knows is named where the check is refused for it', async () => {
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }],
      { setup: ['echo more >> .gitignore'], limits: { maxCycles: 1 } },
      ['true'],
    )
    const [task] = await runJob(daemon, repository)
    expect(task?.reason).toContain('the setup or check changed files that are checked: .gitignore')
  }, 120_000)

  it('that is running when the daemon is killed goes on, and does not run again', async () => {
    const log = join(marks.path, 'patient')
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }],
      { setup: [`pwd >> ${log}; until [ -e ${log}.go ]; do sleep 0.05; done`] },
      [],
    )
    const jobId = await startJob(daemon, repository)
    await until(async () => (await linesOf(log)).length === 1)
    await daemon.kill()
    daemon = await home.start()
    await writeFile(`${log}.go`, '')
    expect(await waitForJob(daemon.client, jobId)).toMatchObject({ status: 'completed' })
    expect(await linesOf(log)).toHaveLength(1)
    expect((await tasksOf(daemon, jobId)).map((task) => task.status)).toEqual(['completed'])
  }, 120_000)

  it('may take longer than a program that is spoken to may take to be ready', async () => {
    await using hasty = await quickHome()
    const memory = join(hasty.home, 'acp-memory')
    const files = acpProject([[commit('leaf.txt'), { say: 'done' }]], { memory, permissions: 'bypass' })
    await using repository = await testRepository(withSettings(files, { setup: ['sleep 4'] }))
    const patience = { MUSTER_READY_SECONDS: '3' }
    const tasks = await runJob(await hasty.start(patience), repository)
    expect(tasks.map((task) => [task.status, task.retryCount])).toEqual([['completed', 0]])
  }, 120_000)

  it('comes before the program of a person’s own session too, and is named when it fails', async () => {
    const configuration = {
      version: 1,
      setup: ['exit 5'],
      agents: { screen: { provider: 'command', command: ['sh', '-c', 'echo begun; cat'], roles: [] } },
    }
    await using repository = await testRepository({ 'muster.yaml': JSON.stringify(configuration) })
    for (const mode of ['interactive', 'headless'] as const) {
      const request = {
        repositoryPath: repository.path,
        agent: 'screen',
        role: 'guide',
        mode,
        prompt: 'hello',
      }
      const { id } = take(await daemon.client.openSession(request))
      await until(async () => take(await daemon.client.getSession(id)).status === 'terminated')
      const { end } = take(await daemon.client.getSession(id))
      expect(end).toEqual({ type: 'unprepared', command: 'exit 5', code: 5 })
    }
  }, 120_000)
})

describe('a copied file', () => {
  it('is there for agents and checks, and never lands, though agents change it and add all there is', async () => {
    const isThere = `test "$(cat .env local.txt)" = "$(printf 'secret=1\\nlocal')"`
    const script = `${isThere}; echo changed | tee .env local.txt; git add -A; ${commitFile('leaf.txt', 'leaf')}`
    const left = `${isThere}; echo changed > local.txt; echo root > root.txt`
    const repository = await projectOf(
      [
        { description: 'grow a leaf', script },
        { description: 'grow a root', script: left },
      ],
      { copy: ['.env', 'local.txt', 'absent.txt'] },
      [isThere],
    )
    await repository.write({ '.env': 'secret=1\n', 'local.txt': 'local\n' })
    const jobId = await startJob(daemon, repository)
    const job = await waitForJob(daemon.client, jobId)
    expect((await tasksOf(daemon, jobId)).map((task) => task.reason)).toEqual([undefined, undefined])
    const files = await repository.git('ls-tree', '-r', '--name-only', job.workingBranch)
    expect(files.split('\n')).toEqual(expect.arrayContaining(['leaf.txt', 'root.txt']))
    expect(files.split('\n').filter((name) => name === '.env' || name === 'local.txt')).toEqual([])
  }, 120_000)

  it('that an agent commits by force makes its attempt a failed one, with that as the reason', async () => {
    const force = `git add -f .env; ${commitFile('leaf.txt', 'leaf')}`
    const settings = { copy: ['.env'], limits: { maxCycles: 1, maxAttempts: 1 } }
    const repository = await projectOf([{ description: 'grow a leaf', script: force }], settings)
    await repository.write({ '.env': 'secret=1\n' })
    const [task] = await runJob(daemon, repository)
    expect(task).toMatchObject({ status: 'blocked' })
    expect(task?.reason).toContain('the agent committed .env')
  }, 120_000)
})

describe('working trees', () => {
  it('are kept ready while a job runs, are new to everybody who gets one, and are gone after it', async () => {
    const strange = 'ls .git | grep left; ls -A | grep left; git branch --list "left*"; git stash list'
    const leave =
      'touch .git/left left ready; git branch left-branch; echo x >> README.md; git stash -q; git config core.left yes'
    const grow = (name: string) =>
      `test -z "$(${strange}; git config core.left)"; ${leave}; ${commitFile(`${name}.txt`, name)}`
    const repository = await projectOf(
      ['bud', 'leaf', 'root'].map((name, index) => ({
        description: `grow a ${name}`,
        script: `until [ -e ${join(marks.path, 'warm-seen')} ]; do sleep 0.05; done; ${grow(name)}`,
        extra: { dependsOn: index === 2 ? [1, 2] : [] },
      })),
      {},
    )
    const warm = async () => {
      const pools = await readdir(join(home.home, 'warm'))
      const trees = await Promise.all(pools.map((pool) => readdir(join(home.home, 'warm', pool))))
      return trees.flat().filter((name) => !name.startsWith('new.'))
    }
    const jobId = await startJob(daemon, repository)
    const head = await repository.git('rev-parse', 'HEAD')
    await until(async () => (await warm()).filter((name) => name.startsWith(head)).length === 2)
    await writeFile(join(marks.path, 'warm-seen'), '')
    await waitForJob(daemon.client, jobId)
    expect((await tasksOf(daemon, jobId)).map((task) => [task.reason, task.status])).toEqual(
      Array.from({ length: 3 }, () => [undefined, 'completed']),
    )
    await until(async () => (await readdir(join(home.home, 'warm'))).length === 0)
  }, 120_000)
})

function hasBubblewrap(): boolean {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    // Absent, or forbidden here: the title says so.
    return false
  }
}

describe.skipIf(!hasBubblewrap())('a planner in a sandbox (skipped where there is no bubblewrap)', () => {
  it('can read its tree, write to its own temporary place, and change nothing', async () => {
    await using held = await quickHome()
    const files = shellProject([{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }])
    const probe =
      'cat README.md >&2; touch changed && echo changed >&2; echo x > /tmp/note && cat /tmp/note >&2'
    const planner = `${probe}; git status --short >&2 && git log -1 --format=%s >&2\n${files['tools/planner.sh']}`
    await using repository = await testRepository({ ...files, 'tools/planner.sh': planner })
    const daemonThere = await held.start({ MUSTER_SANDBOX: 'bubblewrap' })
    const jobId = await startJob(daemonThere, repository)
    expect(await waitForJob(daemonThere.client, jobId)).toMatchObject({ status: 'completed' })
    const events = await eventsOf(daemonThere, jobId)
    const said = events.filter((event) => agentOutput(event)?.role === 'planner').map(agentText)
    expect(said).toEqual(expect.arrayContaining(['# Example', 'x', 'first']))
    expect(said.filter((text) => text.includes('Read-only file system'))).not.toEqual([])
    expect(said).not.toContain('changed')
  }, 120_000)
})
