import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MusterClient, WireEvent } from '../../src/client/index.ts'
import { acpProject, commit } from '../support/acp-project.ts'
import { agentOutput, agentText } from '../support/agent-output.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

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

async function eventsOf(client: MusterClient, jobId: string): Promise<readonly WireEvent[]> {
  return take(await client.listEvents(jobId, { limit: 500 })).items
}

const stack = new AsyncDisposableStack()
const shared = shareDaemon()
/** Where programs leave their marks, outside of every tree. */
let marks: TemporaryDirectory

beforeAll(async () => {
  marks = stack.use(await temporaryDirectory('muster-marks'))
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
  it('runs once in every tree before the agent and the checks, and its output is logged', async () => {
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
    const jobId = await startJob(shared.client, repository)
    await waitForJob(shared.client, jobId)
    expect((await tasksOf(shared.client, jobId)).map((task) => task.status)).toEqual([
      'completed',
      'completed',
    ])
    const places = await linesOf(log)
    // Two workers, and at least one candidate, whose second check found the setup of the first.
    expect(places.length).toBeGreaterThanOrEqual(3)
    expect(new Set(places).size).toBe(places.length)
    const events = await eventsOf(shared.client, jobId)
    const heard = events.map(agentOutput).filter((output) => output?.type === 'error-output')
    const settingUp = heard.filter(({ text }) => text === 'setting up')
    expect(settingUp.map(({ role }) => role)).toEqual(['worker', 'worker'])
    const { workingBranch } = take(await shared.client.getJob(jobId))
    expect(await repository.git('ls-tree', '-r', '--name-only', workingBranch)).not.toContain('ready')
  })

  it('keeps the agent from starting if it fails, and the task shows its output and status', async () => {
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: `touch ${join(marks.path, 'started')}; exit 0` }],
      { setup: ['true', 'echo "no network" >&2; exit 3'], limits: { maxCycles: 1 } },
    )
    const job = await runJob(shared.client, repository, { failingBase: 'ignore' })
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ status: 'blocked' })
    expect(task?.reason).toContain(
      'setup command "echo "no network" >&2; exit 3" failed with status 3: no network',
    )
    expect(task?.suggestion).toContain('setup')
    expect(await readdir(marks.path)).not.toContain('started')
  })

  it('is named if it changes a tracked file, because the check is refused for that', async () => {
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }],
      { setup: ['echo more >> .gitignore'], limits: { maxCycles: 1 } },
      ['true'],
    )
    const job = await runJob(shared.client, repository, { failingBase: 'ignore' })
    const [task] = await tasksOf(shared.client, job.id)
    expect(task?.reason).toContain('setup or the check changed tracked files: .gitignore')
  })

  it('continues while the daemon is dead, and does not run again', async () => {
    const log = join(marks.path, 'patient')
    const repository = await projectOf(
      [{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }],
      { setup: [`pwd >> ${log}; until [ -e ${log}.go ]; do sleep 0.05; done`] },
      [],
    )
    const jobId = await startJob(shared.client, repository, { failingBase: 'ignore' })
    await until(async () => (await linesOf(log)).length === 1)
    await shared.daemon.kill()
    await shared.startNext()
    await writeFile(`${log}.go`, '')
    expect(await waitForJob(shared.client, jobId)).toMatchObject({ status: 'completed' })
    expect(await linesOf(log)).toHaveLength(1)
    expect((await tasksOf(shared.client, jobId)).map((task) => task.status)).toEqual(['completed'])
  })

  it('does not count toward the time that a program has to get ready', async () => {
    await using hasty = await quickHome()
    const memory = join(hasty.home, 'acp-memory')
    const files = acpProject([[commit('leaf.txt'), { say: 'done' }]], { memory, permissions: 'bypass' })
    const setup = ['test -n "$MUSTER_CHECK" || sleep 3.5']
    await using repository = await testRepository(withSettings(files, { setup }))
    const { client } = await hasty.start({ MUSTER_READY_SECONDS: '3' })
    const job = await runJob(client, repository)
    const tasks = await tasksOf(client, job.id)
    expect(tasks.map((task) => [task.status, task.retryCount])).toEqual([['completed', 0]])
  })

  it('runs before the program of a personal session too, and is named if it fails', async () => {
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
      const { id } = take(await shared.client.openSession(request))
      await until(async () => take(await shared.client.getSession(id)).status === 'terminated')
      const { end } = take(await shared.client.getSession(id))
      expect(end).toEqual({ type: 'unprepared', command: 'exit 5', code: 5 })
    }
  })
})

describe('a copied file', () => {
  it('exists for agents and checks but never lands, even if agents change it and add all files', async () => {
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
    const jobId = await startJob(shared.client, repository)
    const job = await waitForJob(shared.client, jobId)
    expect((await tasksOf(shared.client, jobId)).map((task) => task.reason)).toEqual([undefined, undefined])
    const files = await repository.git('ls-tree', '-r', '--name-only', job.workingBranch)
    expect(files.split('\n')).toEqual(expect.arrayContaining(['leaf.txt', 'root.txt']))
    expect(files.split('\n').filter((name) => name === '.env' || name === 'local.txt')).toEqual([])
  })

  it('fails the attempt if the agent commits it by force', async () => {
    const force = `git add -f .env; ${commitFile('leaf.txt', 'leaf')}`
    const settings = { copy: ['.env'], limits: { maxCycles: 1, maxAttempts: 1 } }
    const repository = await projectOf([{ description: 'grow a leaf', script: force }], settings)
    await repository.write({ '.env': 'secret=1\n' })
    const job = await runJob(shared.client, repository)
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ status: 'blocked' })
    expect(task?.reason).toContain('the agent committed .env')
  })
})

describe('working trees', () => {
  it('are kept warm while a job runs, contain nothing from other agents, and are gone afterwards', async () => {
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
      const pools = await readdir(join(shared.home.home, 'warm'))
      const trees = await Promise.all(pools.map((pool) => readdir(join(shared.home.home, 'warm', pool))))
      return trees.flat().filter((name) => !name.startsWith('new.'))
    }
    const jobId = await startJob(shared.client, repository)
    const head = await repository.git('rev-parse', 'HEAD')
    await until(async () => (await warm()).filter((name) => name.startsWith(head)).length === 2)
    await writeFile(join(marks.path, 'warm-seen'), '')
    await waitForJob(shared.client, jobId)
    expect((await tasksOf(shared.client, jobId)).map((task) => [task.reason, task.status])).toEqual(
      Array.from({ length: 3 }, () => [undefined, 'completed']),
    )
    await until(async () => (await readdir(join(shared.home.home, 'warm'))).length === 0)
  })
})

function hasBubblewrap(): boolean {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    // Absent or forbidden on this machine; the title says so.
    return false
  }
}

describe.skipIf(!hasBubblewrap())('a planner in a sandbox (skipped where there is no bubblewrap)', () => {
  it('reads its tree and writes temporary files, but cannot change the tree', async () => {
    await using contained = await quickHome()
    const files = shellProject([{ description: 'grow a leaf', script: commitFile('leaf.txt', 'leaf') }])
    const probe =
      'cat README.md >&2; touch changed && echo changed >&2; echo x > /tmp/note && cat /tmp/note >&2'
    const planner = `${probe}; git status --short >&2 && git log -1 --format=%s >&2\n${files['tools/planner.sh']}`
    await using repository = await testRepository({ ...files, 'tools/planner.sh': planner })
    const { client } = await contained.start({ MUSTER_SANDBOX: 'bubblewrap' })
    const job = await runJob(client, repository)
    expect(job.status).toBe('completed')
    const events = await eventsOf(client, job.id)
    const said = events.filter((event) => agentOutput(event)?.role === 'planner').map(agentText)
    expect(said).toEqual(expect.arrayContaining(['# Example', 'x', 'first']))
    expect(said.filter((text) => text.includes('Read-only file system'))).not.toEqual([])
    expect(said).not.toContain('changed')
  })
})
