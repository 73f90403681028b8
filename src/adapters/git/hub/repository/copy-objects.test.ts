import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '../process/run-git.ts'
import { commitAll, git, makeRepository, writeFiles } from '../testing/test-repository.ts'
import { copyObjects } from './copy-objects.ts'

let root: string
let into: string
let agent: string
let base: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-copy "objects": '))
  agent = join(root, 'agent')
  into = join(root, 'hub.git')
  makeRepository(agent, { a: 'a\n' })
  base = git(agent, 'rev-parse', 'HEAD').trim()
  execFileSync('git', ['clone', '--quiet', '--bare', agent, into])
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function copy(commit: string): Promise<boolean> {
  const run = createGit({ gitConfigFile: join(root, 'gitconfig') })
  const scratch = mkdtempSync(join(root, 'scratch-'))
  return copyObjects(
    { git: run },
    { into, objects: join(agent, '.git', 'objects'), commit, shared: base, scratch },
  )
}

function has(object: string): boolean {
  try {
    git(into, 'cat-file', '-e', object)
    return true
  } catch {
    return false
  }
}

describe('copying objects', () => {
  it('copies a commit and everything it needs', async () => {
    writeFiles(agent, { 'deep/b': 'b\n' })
    commitAll(agent, 'one')
    writeFiles(agent, { 'deep/c': 'c\n' })
    const tip = commitAll(agent, 'two')
    expect(await copy(tip)).toBe(true)
    expect(git(into, 'ls-tree', '-r', '--name-only', tip).trim().split('\n')).toEqual([
      'a',
      'deep/b',
      'deep/c',
    ])
    git(into, 'fsck', '--connectivity-only', tip)
  })

  it('has nothing to do for a commit that is there', async () => {
    expect(await copy(base)).toBe(true)
  })

  it('leaves a large change to a fetch', async () => {
    writeFileSync(join(agent, 'large'), randomBytes(3_000_000))
    const tip = commitAll(agent, 'large')
    expect(await copy(tip)).toBe(false)
    expect(has(tip)).toBe(false)
  })

  it('copies nothing of a commit with a missing object', async () => {
    writeFiles(agent, { b: 'b\n' })
    const tip = commitAll(agent, 'broken')
    const blob = git(agent, 'rev-parse', `${tip}:b`).trim()
    const file = join(agent, '.git', 'objects', blob.slice(0, 2), blob.slice(2))
    chmodSync(file, 0o644)
    rmSync(file)
    expect(await copy(tip)).toBe(false)
    expect(has(tip)).toBe(false)
  })

  it('copies nothing of a commit whose files git fsck rejects', async () => {
    const text = '[submodule "x"]\n\tpath = x\n\turl = -u./evil\n'
    writeFiles(agent, { '.gitmodules': text })
    const tip = commitAll(agent, 'hostile')
    expect(await copy(tip)).toBe(false)
    expect(has(tip) || has(`${git(agent, 'rev-parse', `${tip}:.gitmodules`).trim()}`)).toBe(false)
  })

  it('copies nothing of a commit that git fsck rejects', async () => {
    const blob = git(agent, 'hash-object', '-w', 'a').trim()
    const input = `100644 blob ${blob}\t.git\n`
    const tree = execFileSync('git', ['-C', agent, 'mktree'], { input, encoding: 'utf8' }).trim()
    const tip = git(agent, 'commit-tree', tree, '-p', base, '-m', 'hostile').trim()
    expect(await copy(tip)).toBe(false)
    expect(has(tip)).toBe(false)
  })
})
