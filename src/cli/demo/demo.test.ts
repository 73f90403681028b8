import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { sampleJob, sampleLanding, sampleTask } from '../testing/sample-wire.ts'
import { demoScript } from './demo-script.ts'
import { differences } from './demo-verdict.ts'
import { DEMO, git, makePlayground, type Playground } from './playground.ts'

let directory: TemporaryDirectory
let playground: Playground

beforeAll(async () => {
  directory = await temporaryDirectory('muster-cli')
  playground = await makePlayground(
    { temporaryDirectory: directory.path, isRoot: process.getuid?.() === 0 },
    DEMO,
  )
})

afterAll(() => directory[Symbol.asyncDispose]())

/** Writes the files that the scene for a cycle and a task writes. */
function perform(tree: string, cycle: number, task: RegExp): void {
  const scene = demoScript('/srv').find(
    ({ when }) => when['cycle'] === cycle && when['role'] === 'worker' && task.test(String(when['task'])),
  )
  const writes = (scene?.steps ?? []).flatMap((step) => ('write' in step ? [step['write']] : []))
  for (const { path, text } of writes as readonly { readonly path: string; readonly text: string }[]) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
}

function passes(tree: string): boolean {
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env
  return spawnSync(process.execPath, ['--test'], { cwd: tree, env, stdio: 'ignore' }).status === 0
}

async function branchWith(name: string, cycle: number, task: RegExp): Promise<void> {
  await git(playground.repository, ['checkout', '--quiet', '-b', name, 'main'])
  perform(playground.repository, cycle, task)
  await git(playground.repository, ['commit', '--quiet', '--all', '--message', name])
}

describe('the playground', () => {
  it('has one commit, with checks and agents configured', async () => {
    expect(await git(playground.repository, ['log', '--format=%an %s', '--all'])).toBe(
      'Demo Add small sums, some of them wrong\n',
    )
    expect(readFileSync(join(playground.repository, 'muster.yaml'), 'utf8')).toContain('provider: scripted')
    const passable = process.getuid?.() === 0 ? 0o711 : 0o700
    expect(statSync(playground.directory).mode & 0o777).toBe(passable)
  })

  it('has one correct fix, one that conflicts with it, and one that fails its test', async () => {
    await branchWith('first', 1, /divides by the length/)
    expect(passes(playground.repository)).toBe(true)
    await branchWith('second', 1, /reject an empty list/)
    expect(passes(playground.repository)).toBe(true)
    await branchWith('third', 1, /formatDuration/)
    expect(passes(playground.repository)).toBe(false)
    const merged = spawnSync('git', [
      '-C',
      playground.repository,
      'merge-tree',
      '--write-tree',
      'first',
      'second',
    ])
    expect(merged.status).toBe(1)
    expect(merged.stdout.toString()).toContain('src/mean.mjs')
  })

  it('ends with every test passing and none marked todo', async () => {
    await git(playground.repository, ['checkout', '--quiet', 'first'])
    perform(playground.repository, 2, /reject an empty list/)
    perform(playground.repository, 2, /formatDuration/)
    expect(passes(playground.repository)).toBe(true)
    const todos = spawnSync('git', ['-C', playground.repository, 'grep', 'todo: true'])
    expect(todos.stdout.toString()).toBe('')
  })

  it('can be removed', async () => {
    const other = await makePlayground({ temporaryDirectory: directory.path, isRoot: false }, DEMO)
    await other.remove()
    expect(existsSync(other.directory)).toBe(false)
    expect(execFileSync('ls', [directory.path]).toString()).not.toContain(other.directory)
  })
})

describe('differences', () => {
  const tasks = [
    sampleTask(),
    sampleTask({ number: 2, status: 'blocked', conflictPaths: ['src/mean.mjs'] }),
    sampleTask({ number: 3, status: 'failed' }),
    sampleTask({ cycleNumber: 2 }),
    sampleTask({ cycleNumber: 2, number: 2 }),
  ]

  it('finds none if the demo went as expected', () => {
    expect(differences({ job: sampleJob(), tasks }, [sampleLanding()])).toEqual([])
  })

  it('reports what went differently', () => {
    const job = sampleJob({ reason: 'no-progress' })
    const unchecked = sampleLanding({ tree: 'f'.repeat(40) })
    const found = differences({ job, tasks: [...tasks.slice(1), sampleTask({ cycleNumber: 3 })] }, [
      unchecked,
    ])
    expect(found).toEqual([
      expect.stringContaining('no-progress'),
      expect.stringContaining('t1-1 should be completed; it is absent'),
      expect.stringContaining('no task t3-1'),
      expect.stringContaining('landed a tree'),
    ])
  })
})
