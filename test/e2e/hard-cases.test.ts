import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireStartJobRequest } from '../../src/client/index.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { type TestDaemon, type TestHome, testHome, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const project = shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }])
let home: TestHome
let daemon: TestDaemon

beforeAll(async () => {
  home = await quickHome()
  daemon = await home.start()
})

afterAll(() => home[Symbol.asyncDispose]())

async function complete(request: WireStartJobRequest) {
  const started = await daemon.client.startJob(request)
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return await waitForJob(daemon.client, started.value.id)
}

async function refusal(request: WireStartJobRequest) {
  const started = await daemon.client.startJob(request)
  if (started.ok) throw new Error(`${started.value.id} was started`)
  expect(started.failure.message.length).toBeGreaterThan(10)
  return started.failure
}

describe('repositories', () => {
  it('without commits are refused by name', async () => {
    await using repository = await testRepository({})
    expect(await refusal({ repositoryPath: repository.path, requestDocument: 'x' })).toMatchObject({
      type: 'no-commits',
      status: 422,
    })
  })

  it('that are none are refused by name', async () => {
    expect(await refusal({ repositoryPath: '/', requestDocument: 'x' })).toMatchObject({
      type: 'not-a-repository',
    })
    expect(await refusal({ repositoryPath: '/nowhere/at/all', requestDocument: 'x' })).toMatchObject({
      type: 'path-missing',
    })
  })

  it('with a detached HEAD work from the commit they are at', async () => {
    await using repository = await testRepository(project)
    await repository.git('checkout', '-q', '--detach')
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(job.status).toBe('completed')
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
  })

  it('that are bare work', async () => {
    await using repository = await testRepository(project)
    await repository.git('clone', '-q', '--bare', '.', 'bare.git')
    const bare = join(repository.path, 'bare.git')
    // A bare repository has no checkout with a muster.yaml beside it: it is read from where the path points.
    await writeFile(join(bare, 'muster.yaml'), project['muster.yaml'])
    const job = await complete({ repositoryPath: bare, requestDocument: 'x' })
    expect(job.status).toBe('completed')
    expect(await repository.git('-C', bare, 'show', `${job.workingBranch}:one.txt`)).toBe('one')
  })

  it('whose path has spaces and letters of other alphabets work', async () => {
    await using repository = await testRepository(project, "möchte gern 'ein' $(Test) 数")
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(job.status).toBe('completed')
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
  })

  it('whose working branch is checked out keep their checkout, and say why nothing was delivered', async () => {
    await using repository = await testRepository(project)
    const first = await daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'x',
      workingBranch: 'mine',
      autoStart: false,
    })
    if (!first.ok) throw new Error(JSON.stringify(first.failure))
    await repository.git('checkout', '-q', '-b', 'mine')
    await daemon.client.beginJob(first.value.id)
    const job = await waitForJob(daemon.client, first.value.id)
    expect(job.status).toBe('completed')
    expect(job.lastError).toContain('checked out')
    expect(await repository.git('status', '--porcelain')).toBe('')
  })
})

describe('goals', () => {
  it('that are empty are refused', async () => {
    await using repository = await testRepository(project)
    for (const requestDocument of ['', '  \n ']) {
      const refused = await refusal({ repositoryPath: repository.path, requestDocument })
      expect(['goal-empty', 'bad-request']).toContain(refused.type)
    }
  })

  it('of a megabyte work, through the command line too', async () => {
    await using repository = await testRepository(project)
    const goal = `Have one file.\n${'All of this matters. '.repeat(50_000)}`
    const run = await runCommandLine(['run', '-', '--json'], {
      home: home.home,
      cwd: repository.path,
      input: goal,
    })
    expect(run.stderr).toBe('')
    expect(run.code).toBe(0)
  })

  it('of more than that are refused by size', async () => {
    await using repository = await testRepository(project)
    const refused = await refusal({ repositoryPath: repository.path, requestDocument: 'x'.repeat(1_600_000) })
    expect(refused.type).toBe('goal-too-large')
  })
})

describe('agents', () => {
  it('that are unknown are refused with the ones that are known', async () => {
    await using repository = await testRepository(project)
    const refused = await refusal({ repositoryPath: repository.path, requestDocument: 'x', agent: 'nobody' })
    expect(refused.type).toBe('agent-unknown')
    expect(refused.message).toContain('worker')
  })

  it('without a configuration are refused with the next step', async () => {
    await using repository = await testRepository()
    const refused = await refusal({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(refused).toMatchObject({ type: 'agent-absent' })
    expect(refused.next).toContain('muster init')
  })

  it('of an unknown provider are refused', async () => {
    await using repository = await testRepository({
      ...project,
      'muster.yaml': 'agents: { a: { provider: oracle } }\n',
    })
    expect((await refusal({ repositoryPath: repository.path, requestDocument: 'x' })).type).toBe(
      'provider-unknown',
    )
  })

  it('whose program is missing fail their tasks with the reason', async () => {
    const files = {
      ...project,
      'muster.yaml': project['muster.yaml'].replace(
        '"/bin/sh",\n        "tools/worker.sh"',
        '"no-such-program-here"',
      ),
    }
    await using repository = await testRepository(files)
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x', maxCycles: 1 })
    const tasks = await daemon.client.listTasks({ job: job.id })
    if (!tasks.ok) throw new Error(tasks.failure.message)
    expect(tasks.value.items[0]).toMatchObject({
      status: 'blocked',
      suggestion: expect.stringContaining('muster doctor'),
    })
    expect(JSON.stringify(tasks.value.items[0])).toContain('no-such-program-here')
  })

  it('that answer nonsense as planners end the job in error, never in completed', async () => {
    for (const answer of ['no idea', '{"tasks": "many"}', '{"type":"result","tasks":[{}]}', '']) {
      await using repository = await testRepository({
        ...project,
        'tools/planner.sh': `cat <<'END'\n${answer}\nEND\n`,
      })
      const job = await complete({ repositoryPath: repository.path, requestDocument: 'x' })
      expect(job.status).toBe('error')
      expect(job.lastError).toContain('discovery failed 3 times')
    }
  })

  it('that print over a megabyte around an answer are not taken for done by an inner part of it', async () => {
    const inner =
      '{"type":"result","tasks":[{"description":"x"}],"notes":{"done":true,"tasks":[],"evidence":["no"]},"pad":"'
    const planner = `printf '%s' '${inner}'; head -c 1200000 /dev/zero | tr '\\0' x; printf '","more":{"done":true,"tasks":[],"evidence":["no"]}}\\n'`
    await using repository = await testRepository({ ...project, 'tools/planner.sh': `${planner}\n` })
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(job.status).toBe('error')
  })

  it('that put a folder where their exit status belongs are lost by themselves', async () => {
    const script = 'mkdir "$(dirname "$MUSTER_PROMPT_FILE")/exit"; sleep 60'
    await using repository = await testRepository(shellProject([{ description: 'be in the way', script }]))
    const spoilt = daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'x',
      maxCycles: 1,
    })
    await using other = await testRepository(project)
    const innocent = await complete({ repositoryPath: other.path, requestDocument: 'x' })
    expect(innocent.status).toBe('completed')
    const started = await spoilt
    if (!started.ok) throw new Error(JSON.stringify(started.failure))
    await waitForJob(daemon.client, started.value.id)
    const tasks = await daemon.client.listTasks({ job: started.value.id })
    expect(tasks.ok && tasks.value.items[0]?.status).toBe('blocked')
  })

  it('that may only work are not asked to plan', async () => {
    const yaml = 'agents: { a: { provider: command, command: ["true"], roles: [worker] } }\n'
    await using repository = await testRepository({ ...project, 'muster.yaml': yaml })
    expect((await refusal({ repositoryPath: repository.path, requestDocument: 'x' })).type).toBe(
      'agent-absent',
    )
  })

  it('that leave names cut through a character are settled all the same', async () => {
    const name = '😀'.repeat(60)
    const files = shellProject([
      {
        description: 'leave odd names',
        script: `mkdir -p 'a${name}/git~1'; echo x > 'a${name}/git~1/f'; ${commitFile('one.txt', 'one')}`,
      },
    ])
    await using repository = await testRepository(files)
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x', maxCycles: 1 })
    expect(job.status).toBe('completed')
  })

  it('that say done and change nothing are not believed', async () => {
    const files = shellProject([{ description: 'lie about it', script: 'echo "all done"' }])
    await using repository = await testRepository(files)
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x', maxCycles: 1 })
    const tasks = await daemon.client.listTasks({ job: job.id })
    if (!tasks.ok) throw new Error(tasks.failure.message)
    expect(tasks.value.items[0]).toMatchObject({ status: 'blocked', retryCount: 1 })
  })

  it('that do not commit have their work committed for them', async () => {
    const files = shellProject([{ description: 'leave it lying', script: 'echo kept > left.txt' }])
    await using repository = await testRepository(files)
    const job = await complete({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(await repository.git('show', `${job.workingBranch}:left.txt`)).toBe('kept')
  })
})

describe('branches', () => {
  it('that cannot stand beside another end the job before an agent is paid for', async () => {
    await using repository = await testRepository(project)
    await complete({ repositoryPath: repository.path, requestDocument: 'x', workingBranch: 'feature' })
    const job = await complete({
      repositoryPath: repository.path,
      requestDocument: 'x',
      workingBranch: 'feature/x',
    })
    expect(job.status).toBe('error')
    expect(job.lastError).toContain('feature/x')
    expect(job.currentCycle).toBe(0)
  })

  it('of a start that is asked for twice with one key are the same', async () => {
    await using repository = await testRepository(project)
    const request = { repositoryPath: repository.path, requestDocument: 'x', workingBranch: 'mine' }
    const first = await daemon.client.startJob(request, { idempotencyKey: 'only-once' })
    const second = await daemon.client.startJob(request, { idempotencyKey: 'only-once' })
    expect(first.ok && second.ok && second.value.id === first.value.id).toBe(true)
    expect((await daemon.client.startJob(request)).ok).toBe(false)
  })
})

describe('configurations', () => {
  it('that cannot be understood are refused with file, line and field', async () => {
    await using repository = await testRepository({ ...project, 'muster.yaml': 'version: 1\nchecks: 7\n' })
    const refused = await refusal({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(refused.type).toBe('configuration-invalid')
    expect(refused.message).toMatch(/muster\.yaml.*2.*checks/s)
  })
})

describe('a second daemon', () => {
  it('for the same home is refused and names the first', async () => {
    const second = await runCommandLine(['serve'], { home: home.home })
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(String(daemon.pid))
  })

  it('on a used port is refused and leaves nothing running', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    await using other = await testHome()
    const refused = await runCommandLine(['serve', '--port', String(port)], { home: other.home })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain(String(port))
    blocker.close()
  })

  it('starts over a registration that a dead one left', async () => {
    await using other = await testHome()
    await mkdir(other.home, { recursive: true })
    const stale = { url: 'http://127.0.0.1:1', pid: 1, startTime: 'long ago', version: '0.0.0' }
    await writeFile(join(other.home, 'daemon.json'), JSON.stringify(stale))
    const status = await runCommandLine(['status'], { home: other.home })
    expect(status.code).toBe(0)
    await runCommandLine(['shutdown'], { home: other.home })
  })
})

describe('a missing git', () => {
  it('is named, with what to do', async () => {
    await using repository = await testRepository(project)
    await using other = await testHome()
    const empty = join(other.home, 'empty-path')
    await mkdir(empty)
    const blind = await other.start({ PATH: empty })
    const started = await blind.client.startJob({ repositoryPath: repository.path, requestDocument: 'x' })
    expect(started).toMatchObject({ ok: false, failure: { type: 'git-missing' } })
    await blind.stop()
  })
})
