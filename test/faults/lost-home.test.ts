import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const execute = promisify(execFile)

async function isWorking(client: MusterClient): Promise<boolean> {
  const sessions = await client.listSessions({ status: 'running', role: 'worker' })
  return sessions.ok && sessions.value.items.length === 1
}

/** A repository with many files, and an agent that waits for a file before it adds one. */
async function waitingProject(directory: string) {
  const go = join(directory, 'go')
  const script = `echo $$ > ${join(directory, 'agent-pid')}; until [ -f ${go} ]; do sleep 0.05; done; ${commitFile('added.txt', 'a')}`
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, number) => [`file-${number}.txt`, `${number}\n`]),
  )
  const project = shellProject([{ description: 'wait', script }])
  return { go, repository: await testRepository({ ...project, ...files }) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function pidIn(path: string): Promise<number> {
  return Number((await readFile(path, 'utf8')).split('\n')[0])
}

describe('a home that is deleted under its daemon', () => {
  it('ends the daemon at once, and only what agents did lands in the new home', async () => {
    await using directory = await temporaryDirectory('muster-lost')
    const home = join(directory.path, 'home')
    const { go, repository } = await waitingProject(directory.path)
    await using _repository = repository
    const old = await startDaemon(home, {})
    let output = ''
    old.process.stderr?.on('data', (chunk) => {
      output += chunk
    })
    await startJob(old.client, repository)
    await until(() => isWorking(old.client))
    const postmaster = await pidIn(join(home, 'postgres/data/postmaster.pid'))
    const exited = once(old.process, 'exit', { signal: AbortSignal.timeout(20_000) })
    await execute('rm', ['-rf', home]).catch(() => execute('rm', ['-rf', home]))

    await using daemon = await startDaemon(home, {})
    await exited
    expect(old.process.exitCode).toBe(5)
    expect(output).toContain('was deleted, moved or replaced, so this daemon has stopped')
    await until(() => !isAlive(postmaster))

    await writeFile(go, '')
    const jobId = await startJob(daemon.client, repository)
    const job = await waitForJob(daemon.client, jobId)
    expect(job).toMatchObject({ reason: 'goal-reached' })
    const { stdout } = await execute('git', [
      '-C',
      repository.path,
      'diff',
      '--name-status',
      'main',
      job.workingBranch,
    ])
    expect(stdout.split('\n').filter((line) => line.startsWith('D'))).toEqual([])
    expect(stdout).toContain('A\tadded.txt')
    // The old server's exit must not have removed the new server's socket.
    expect(await daemon.client.ready()).toMatchObject({ ok: true })
    expect(await pidIn(join(home, 'postgres/data/postmaster.pid'))).not.toBe(postmaster)
  }, 180_000)
})

describe('a home whose daemon was killed', () => {
  it('has a database that `muster shutdown` stops, and sessions that continue', async () => {
    await using directory = await temporaryDirectory('muster-killed')
    const home = join(directory.path, 'home')
    const { go, repository } = await waitingProject(directory.path)
    await using _repository = repository
    const killed = await startDaemon(home, {})
    const jobId = await startJob(killed.client, repository)
    await until(() => isWorking(killed.client))
    const postmaster = await pidIn(join(home, 'postgres/data/postmaster.pid'))
    await killed.kill()
    expect(isAlive(postmaster)).toBe(true)

    const shutdown = await runCommandLine(['shutdown'], { home })
    expect(shutdown.code).toBe(0)
    expect(shutdown.stdout).toBe(
      'no daemon is running; stopped the database that a killed daemon had left running\n1 session is still running; the next daemon picks it up\n',
    )
    await until(() => !isAlive(postmaster), 10_000)

    await using next = await startDaemon(home, {})
    await writeFile(go, '')
    expect(await waitForJob(next.client, jobId)).toMatchObject({ reason: 'goal-reached' })
  }, 120_000)
})

describe('a copied home', () => {
  it('ends its sessions as lost, and neither finds nor signals anything of the original', async () => {
    await using directory = await temporaryDirectory('muster-copied')
    const [home, copy] = [join(directory.path, 'home'), join(directory.path, 'copy')]
    const { go, repository } = await waitingProject(directory.path)
    await using _repository = repository
    const first = await startDaemon(home, {})
    const jobId = await startJob(first.client, repository)
    await until(() => isWorking(first.client))
    const sessions = take(await first.client.listSessions({ status: 'running', role: 'worker' }))
    const sessionId = sessions.items[0]?.id ?? ''
    // A session is running a moment before its program has printed anything.
    await until(() => pidIn(join(directory.path, 'agent-pid')).catch(() => 0))
    const agent = await pidIn(join(directory.path, 'agent-pid'))
    await first.stop()
    await execute('cp', ['-a', home, copy])
    await using again = await startDaemon(home, {})
    await cp(join(home, 'daemon.json'), join(copy, 'daemon.json'))

    const shutdown = await runCommandLine(['shutdown'], { home: copy, environment: {} })
    expect(shutdown.stdout + shutdown.stderr).not.toContain(String(again.pid))
    expect(isAlive(again.pid)).toBe(true)

    await using copied = await startDaemon(copy, {})
    expect(copied.client.url).not.toBe(again.client.url)
    await until(async () => take(await copied.client.getSession(sessionId)).status === 'terminated')
    take(await copied.client.cancelJob(jobId))
    await waitForJob(copied.client, jobId)
    expect(isAlive(agent)).toBe(true)
    expect(take(await again.client.getSession(sessionId))).toMatchObject({ status: 'running' })

    await writeFile(go, '')
    expect(await waitForJob(again.client, jobId)).toMatchObject({ reason: 'goal-reached' })
  }, 180_000)
})
