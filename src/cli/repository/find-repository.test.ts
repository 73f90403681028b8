import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
