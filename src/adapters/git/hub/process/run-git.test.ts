import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failed, succeeded } from '../testing/test-repository.ts'
import { checkGit, isRecent } from './check-git.ts'
import { gitEnvironment } from './git-environment.ts'
import { createGit, runGit } from './run-git.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'muster-git-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** An environment in which `git` is this script. */
function environmentWith(script: string): Record<string, string> {
  writeFileSync(join(directory, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(directory, 'git'), 0o755)
  return { ...gitEnvironment('/dev/null'), PATH: `${directory}:/usr/bin:/bin` }
}

describe('runGit', () => {
  it('says that git is missing when there is none on the path', async () => {
    const environment = { ...gitEnvironment('/dev/null'), PATH: directory }

    expect(failed(await runGit(environment, { arguments: ['version'] }))).toEqual({ type: 'git-missing' })
  })

  it('says that the disk is full when git says so', async () => {
    const environment = environmentWith('echo "fatal: sha1 file: No space left on device" >&2; exit 128')
    const ran = await runGit(environment, { directory: '/some/hub', arguments: ['gc'] })

    expect(failed(ran)).toEqual({ type: 'disk-full', path: '/some/hub' })
  })

  it('ends a git that does not end, with the processes it started', async () => {
    const environment = environmentWith('sleep 1000 & wait')
    // The sleeper holds the output open: an answer within the test's time means that it is dead too.
    const ran = await runGit(environment, { arguments: ['fetch'], timeoutMs: 500 })

    expect(failed(ran)).toEqual({ type: 'git-failed', command: 'git fetch', problem: 'no end after 0.5 s' })
  })

  it('ends a git that prints without end', async () => {
    const environment = environmentWith('cat /dev/zero | tr "\\0" x')
    const ran = await runGit(environment, { arguments: ['log'] })

    expect(failed(ran)).toMatchObject({
      type: 'git-failed',
      problem: expect.stringContaining('printed more'),
    })
  })

  it('ends a git that prints a record without end', async () => {
    const environment = environmentWith('cat /dev/zero | tr "\\0" x')
    const ran = await runGit(environment, { arguments: ['ls-tree'], onRecord: () => undefined })

    expect(failed(ran)).toMatchObject({ problem: expect.stringContaining('a record of more') })
  })

  it('keeps the last words of a git that complains without end', async () => {
    const environment = environmentWith('yes complaint | head -c 1000000 >&2; echo last words >&2; exit 3')
    const run = succeeded(await runGit(environment, { arguments: ['fsck'] }))

    expect(run.code).toBe(3)
    expect(run.stderr.length).toBeLessThanOrEqual(64 * 1024)
    expect(run.stderr).toMatch(/last words\n$/)
  })

  it('hands over records whole, however they arrive', async () => {
    const environment = environmentWith('printf "one\\0tw"; sleep 0.1; printf "o\\0three\\0"')
    const records: string[] = []
    succeeded(
      await runGit(environment, {
        arguments: ['ls-tree'],
        onRecord: (record) => {
          records.push(record.toString())
        },
      }),
    )

    expect(records).toEqual(['one', 'two', 'three'])
  })

  it('ends a git of which enough was read, and that is no failure', async () => {
    const environment = environmentWith('while :; do printf "some\\0"; done')
    const records: string[] = []
    const onRecord = (record: Buffer) => (records.push(record.toString()) === 3 ? 'enough' : undefined)
    const counted = succeeded(await runGit(environment, { arguments: ['log'], onRecord }))
    const cut = succeeded(await runGit(environment, { arguments: ['log'], cutAfterBytes: 7 }))
    const whole = await runGit(environmentWith('printf 1234567'), { arguments: ['log'], cutAfterBytes: 7 })

    expect(records).toEqual(['some', 'some', 'some'])
    expect(counted).toMatchObject({ code: 0, isCut: true })
    expect(cut).toMatchObject({ code: 0, isCut: true, stdout: Buffer.from('some\0so') })
    expect(succeeded(whole)).toMatchObject({ isCut: false, stdout: Buffer.from('1234567') })
  })

  it('lets nothing of the surrounding environment through', async () => {
    process.env['GIT_DIR'] = '/elsewhere'
    try {
      const run = succeeded(await runGit(environmentWith('env'), { arguments: ['version'] }))
      const names = run.stdout
        .toString()
        .split('\n')
        .map((line) => line.split('=')[0])

      expect(names).toContain('GIT_CONFIG_NOSYSTEM')
      expect(names).not.toContain('GIT_DIR')
      expect(names).not.toContain('NODE_ENV')
    } finally {
      delete process.env['GIT_DIR']
    }
  })
})

describe('createGit', () => {
  it('writes its configuration before the first run, over whatever was there', async () => {
    const gitConfigFile = join(directory, 'made', 'gitconfig')
    const call = { arguments: ['config', '--get', 'safe.directory'] as const }

    expect(succeeded(await createGit({ gitConfigFile })(call)).stdout.toString()).toBe('*\n')

    writeFileSync(gitConfigFile, '[alias]\n\tx = !touch\n')
    expect(succeeded(await createGit({ gitConfigFile })(call)).stdout.toString()).toBe('*\n')
    expect(readFileSync(gitConfigFile, 'utf8')).not.toContain('alias')
  })
})

describe('checkGit', () => {
  it('accepts the git of this machine', async () => {
    expect(succeeded(await checkGit()).version).toMatch(/^\d+\.\d+/)
  })

  it.each([
    ['2.37.9', false],
    ['1.99.0', false],
    ['2.38.0', true],
    ['2.39.5', true],
    ['3.0', true],
  ])('knows whether %s can merge without a checkout', (version, recent) => {
    expect(isRecent(version)).toBe(recent)
  })
})
