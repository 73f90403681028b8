import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WireStartJobRequest } from '../../src/client/index.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitForJob } from '../support/test-daemon.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const project = shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }])
const shared = shareDaemon()

/** The project's configuration with this program as its worker. */
function withWorker(program: string): string {
  return project['muster.yaml'].replace('"/bin/sh",\n        "tools/worker.sh"', JSON.stringify(program))
}

/** The failure with which the daemon refuses to start a job. */
async function refusal(repository: { readonly path: string }, request: Partial<WireStartJobRequest> = {}) {
  const goal = { repositoryPath: repository.path, requestDocument: 'x' }
  const started = await shared.client.startJob({ ...goal, ...request })
  if (started.ok) throw new Error(`${started.value.id} was started`)
  expect(started.failure.message.length).toBeGreaterThan(10)
  return started.failure
}

async function expectCompleted(repository: TestRepository): Promise<void> {
  const job = await runJob(shared.client, repository)
  expect(job.status).toBe('completed')
  expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
}

describe('a job is refused', () => {
  it('in a repository without commits', async () => {
    await using repository = await testRepository({})
    expect(await refusal(repository)).toMatchObject({ type: 'no-commits', status: 422 })
  })

  it('in a directory that is not a repository or does not exist', async () => {
    expect(await refusal({ path: '/' })).toMatchObject({ type: 'not-a-repository' })
    expect(await refusal({ path: '/nowhere/at/all' })).toMatchObject({ type: 'path-missing' })
  })

  it('if its goal is empty or too large', async () => {
    await using repository = await testRepository(project)
    for (const requestDocument of ['', '  \n ']) {
      expect(await refusal(repository, { requestDocument })).toMatchObject({
        type: 'goal-empty',
        status: 422,
      })
    }
    const large = await refusal(repository, { requestDocument: 'x'.repeat(1_600_000) })
    expect(large.type).toBe('goal-too-large')
  })

  it('if one of its checks is empty', async () => {
    await using repository = await testRepository(project)
    expect(await refusal(repository, { checks: ['  '] })).toMatchObject({
      type: 'bad-request',
      message: expect.stringContaining('checks'),
    })
  })

  it('if its agent is unknown, with the names of known agents', async () => {
    await using repository = await testRepository(project)
    const refused = await refusal(repository, { agent: 'nobody' })
    expect(refused.type).toBe('agent-unknown')
    expect(refused.message).toContain('worker')
  })

  it('if no agent is configured, with the next step', async () => {
    await using repository = await testRepository()
    const refused = await refusal(repository)
    expect(refused).toMatchObject({ type: 'agent-absent' })
    expect(refused.next).toContain('npm install -g')
    expect(refused.next).toContain('muster doctor')
  })

  it('if no agent may plan', async () => {
    const yaml = 'agents: { a: { provider: command, command: ["true"], roles: [worker] } }\n'
    await using repository = await testRepository({ ...project, 'muster.yaml': yaml })
    expect((await refusal(repository)).type).toBe('agent-absent')
  })

  it('if the program of an agent is not installed, and no planner runs', async () => {
    await using repository = await testRepository({
      ...project,
      'muster.yaml': withWorker('no-such-program'),
    })
    expect(await refusal(repository)).toMatchObject({
      status: 503,
      type: 'program-missing',
      next: expect.stringContaining('install no-such-program'),
    })
    const { items } = take(await shared.client.listJobs())
    expect(items.filter((job) => job.repositoryPath === repository.path)).toEqual([])
  })

  it('if the provider of an agent is unknown', async () => {
    const yaml = 'agents: { a: { provider: oracle } }\n'
    await using repository = await testRepository({ ...project, 'muster.yaml': yaml })
    expect((await refusal(repository)).type).toBe('provider-unknown')
  })

  it('if its configuration is invalid, with file, line and field', async () => {
    await using repository = await testRepository({ ...project, 'muster.yaml': 'version: 1\nchecks: 7\n' })
    const refused = await refusal(repository)
    expect(refused.type).toBe('configuration-invalid')
    expect(refused.message).toMatch(/muster\.yaml.*2.*checks/s)
  })

  it('if git is not installed', async () => {
    await using repository = await testRepository(project)
    await using home = await quickHome()
    const empty = join(home.home, 'empty-path')
    await mkdir(empty)
    const { client } = await home.start({ PATH: empty })
    const started = await client.startJob({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(started).toMatchObject({ ok: false, failure: { type: 'git-missing' } })
  })

  it('if another job has its working branch, unless it is the same request again', async () => {
    await using repository = await testRepository(project)
    const request = { repositoryPath: repository.path, requestDocument: 'x', workingBranch: 'mine' }
    const first = take(await shared.client.startJob(request, { idempotencyKey: 'only-once' }))
    const second = take(await shared.client.startJob(request, { idempotencyKey: 'only-once' }))
    expect(second.id).toBe(first.id)
    await refusal(repository, request)
  })
})

describe('a job works', () => {
  it('with a detached HEAD, from the commit that is checked out', async () => {
    await using repository = await testRepository(project)
    await repository.git('checkout', '-q', '--detach')
    await expectCompleted(repository)
  })

  it('in a bare repository', async () => {
    await using repository = await testRepository(project)
    await repository.git('clone', '-q', '--bare', '.', 'bare.git')
    const bare = join(repository.path, 'bare.git')
    // A bare repository has no checkout, so the daemon reads muster.yaml from the path of the repository.
    await writeFile(join(bare, 'muster.yaml'), project['muster.yaml'])
    const job = await runJob(shared.client, { path: bare })
    expect(job.status).toBe('completed')
    expect(await repository.git('-C', bare, 'show', `${job.workingBranch}:one.txt`)).toBe('one')
  })

  it('in a path with spaces, quotes, shell syntax and other alphabets', async () => {
    await using repository = await testRepository(project, "möchte gern 'ein' $(Test) 数")
    await expectCompleted(repository)
  })

  it('with a goal of a megabyte from the command line', async () => {
    await using repository = await testRepository(project)
    const goal = `Have one file.\n${'All of this matters. '.repeat(50_000)}`
    const run = await runCommandLine(['run', '-', '--json'], {
      home: shared.home.home,
      cwd: repository.path,
      input: goal,
    })
    expect(run.stderr).toBe('')
    expect(run.code).toBe(0)
  })

  it('while its working branch is checked out, and reports why it delivered nothing', async () => {
    await using repository = await testRepository(project)
    const request = { workingBranch: 'mine', autoStart: false }
    const jobId = await startJob(shared.client, repository, request)
    await repository.git('checkout', '-q', '-b', 'mine')
    take(await shared.client.beginJob(jobId))
    const job = await waitForJob(shared.client, jobId)
    expect(job.status).toBe('completed')
    expect(job.lastError).toContain('checked out')
    expect(await repository.git('status', '--porcelain')).toBe('')
  })

  it('with agents that do not commit: Muster commits for them', async () => {
    const files = shellProject([{ description: 'leave a file', script: 'echo kept > left.txt' }])
    await using repository = await testRepository(files)
    const job = await runJob(shared.client, repository)
    expect(await repository.git('show', `${job.workingBranch}:left.txt`)).toBe('kept')
  })

  it('with agents that leave file names too long to print whole', async () => {
    const name = '😀'.repeat(60)
    const script = `mkdir -p 'a${name}/git~1'; echo x > 'a${name}/git~1/f'; ${commitFile('one.txt', 'one')}`
    await using repository = await testRepository(shellProject([{ description: 'leave odd names', script }]))
    const job = await runJob(shared.client, repository, { maxCycles: 1 })
    expect(job.status).toBe('completed')
  })
})

describe('a job ends in error', () => {
  it.each(['no idea', '{"tasks": "many"}', '{"type":"result","tasks":[{}]}', ''])(
    'if its planner answers "%s" three times',
    async (answer) => {
      const planner = `cat <<'END'\n${answer}\nEND\n`
      await using repository = await testRepository({ ...project, 'tools/planner.sh': planner })
      const job = await runJob(shared.client, repository)
      expect(job.status).toBe('error')
      expect(job.lastError).toContain('the planner gave no usable answer (3 tries)')
    },
  )

  it('if only a part of an answer of a megabyte says that the goal is reached', async () => {
    const inner =
      '{"type":"result","tasks":[{"description":"x"}],"notes":{"done":true,"tasks":[],"evidence":["no"]},"pad":"'
    const planner = `printf '%s' '${inner}'; head -c 1200000 /dev/zero | tr '\\0' x; printf '","more":{"done":true,"tasks":[],"evidence":["no"]}}\\n'`
    await using repository = await testRepository({ ...project, 'tools/planner.sh': `${planner}\n` })
    expect((await runJob(shared.client, repository)).status).toBe('error')
  })
})

describe('a task is blocked', () => {
  it('if the program of its agent disappears, with the reason', async () => {
    await using directory = await temporaryDirectory()
    const program = join(directory.path, 'no-such-program-here')
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
    await using repository = await testRepository({
      ...project,
      'muster.yaml': withWorker(program),
      'tools/planner.sh': project['tools/planner.sh'].replace('#!/bin/sh\n', `#!/bin/sh\nrm ${program}\n`),
    })
    const job = await runJob(shared.client, repository, { maxCycles: 1 })
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ status: 'blocked', suggestion: expect.stringContaining('muster doctor') })
    expect(JSON.stringify(task)).toContain('no-such-program-here')
  })

  it('if its agent says that it is done but changes nothing', async () => {
    const files = shellProject([{ description: 'lie about it', script: 'echo "all done"' }])
    await using repository = await testRepository(files)
    const job = await runJob(shared.client, repository, { maxCycles: 1 })
    expect(await tasksOf(shared.client, job.id)).toMatchObject([{ status: 'blocked', retryCount: 1 }])
  })

  it('if its agent makes the exit status unreadable, without harm to other jobs', async () => {
    const script = 'mkdir "$(dirname "$MUSTER_PROMPT_FILE")/exit"; sleep 60'
    await using repository = await testRepository(shellProject([{ description: 'be in the way', script }]))
    const jobId = await startJob(shared.client, repository, { maxCycles: 1 })
    await using other = await testRepository(project)
    await expectCompleted(other)
    await waitForJob(shared.client, jobId)
    expect(await tasksOf(shared.client, jobId)).toMatchObject([{ status: 'blocked' }])
  })
})

describe('a daemon', () => {
  it('does not start in a home that has a daemon, and names that daemon', async () => {
    const second = await runCommandLine(['serve'], { home: shared.home.home })
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(String(shared.daemon.pid))
  })

  it('does not start if its port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    await using home = await temporaryDirectory('muster-home')
    const environment = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    const words = ['serve', '--port', String(port)]
    const refused = await runCommandLine(words, { home: home.path, environment })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain(String(port))
    blocker.close()
  })

  it('starts despite the registration of a daemon that died', async () => {
    await using home = await temporaryDirectory('muster-home')
    const environment = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    const stale = { url: 'http://127.0.0.1:1', pid: 1, startTime: 'long ago', version: '0.0.0' }
    await writeFile(join(home.path, 'daemon.json'), JSON.stringify(stale))
    expect((await runCommandLine(['status'], { home: home.path, environment })).code).toBe(0)
    expect((await runCommandLine(['shutdown'], { home: home.path, environment })).code).toBe(0)
  })
})
