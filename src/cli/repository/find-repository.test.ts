import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readGoal } from '../read-text.ts'
import { findRepository } from './find-repository.ts'

let directory = ''

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'muster-cli-')))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

describe('findRepository', () => {
  it('finds the root of a checkout from a folder deep inside it', async () => {
    execFileSync('git', ['init', '--quiet', directory])
    mkdirSync(join(directory, 'a', 'b'), { recursive: true })
    expect(await findRepository(join(directory, 'a', 'b'))).toBe(directory)
  })

  it('finds a linked working tree, whose .git is a file', async () => {
    writeFileSync(join(directory, '.git'), 'gitdir: /elsewhere\n')
    expect(await findRepository(directory)).toBe(directory)
  })

  it('finds a bare repository', async () => {
    const bare = join(directory, 'bare.git')
    execFileSync('git', ['init', '--quiet', '--bare', bare])
    expect(await findRepository(join(bare, 'refs'))).toBe(bare)
  })

  it('finds nothing outside a repository', async () => {
    expect(await findRepository(directory)).toBeUndefined()
  })
})

describe('readGoal', () => {
  const stdin = () => Object.assign(Readable.from(['make it ', 'fast\n']), { isTTY: false })

  it('reads text, @file, and - for standard input', async () => {
    writeFileSync(join(directory, 'GOAL.md'), '# Goal\n')
    const needs = () => ({ cwd: directory, stdin: stdin() })
    expect(await readGoal(needs(), 'fix it')).toEqual({ ok: true, value: 'fix it' })
    expect(await readGoal(needs(), '@GOAL.md')).toEqual({ ok: true, value: '# Goal\n' })
    expect(await readGoal(needs(), '-')).toEqual({ ok: true, value: 'make it fast\n' })
  })

  it('refuses a goal that is empty, a missing file or a directory', async () => {
    const needs = { cwd: directory, stdin: new PassThrough() }
    for (const given of ['  \n', '@absent.md', '@.']) {
      expect(await readGoal(needs, given)).toMatchObject({ ok: false, failure: { exitCode: 2 } })
    }
  })
})
