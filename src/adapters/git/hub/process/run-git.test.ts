import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failed, succeeded } from '../testing/test-repository.ts'
import { gitEnvironment } from './git-settings.ts'
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
  it('reports that git is missing if it is not on the path', async () => {
    const environment = { ...gitEnvironment('/dev/null'), PATH: directory }

    expect(failed(await runGit(environment, { arguments: ['version'] }))).toEqual({ type: 'git-missing' })
  })

  it('reports a full disk if git reports one', async () => {
    const environment = environmentWith('echo "fatal: sha1 file: No space left on device" >&2; exit 128')
    const ran = await runGit(environment, { directory: '/some/hub', arguments: ['gc'] })

    expect(failed(ran)).toEqual({ type: 'disk-full', path: '/some/hub' })
  })

  it('kills git with all its processes after the timeout', async () => {
    const environment = environmentWith('sleep 1000 & wait')
    // The sleeper keeps the output open, so this call returns only if the sleeper is dead too.
    const ran = await runGit(environment, { arguments: ['fetch'], timeoutMs: 500 })

    expect(failed(ran)).toEqual({
      type: 'git-failed',
      command: 'git fetch',
      problem: 'timed out after 0.5 s',
    })
  })

  it('kills a git that prints without end', async () => {
    const environment = environmentWith('cat /dev/zero | tr "\\0" x')
    const ran = await runGit(environment, { arguments: ['log'] })

    expect(failed(ran)).toMatchObject({
      type: 'git-failed',
      problem: expect.stringContaining('printed more'),
    })
  })

  it('kills a git that prints an endless record', async () => {
    const environment = environmentWith('cat /dev/zero | tr "\\0" x')
    const ran = await runGit(environment, { arguments: ['ls-tree'], onRecord: () => undefined })

    expect(failed(ran)).toMatchObject({ problem: expect.stringContaining('a record of more') })
  })

  it('keeps the end of standard error', async () => {
    const environment = environmentWith('yes complaint | head -c 1000000 >&2; echo last line >&2; exit 3')
    const run = succeeded(await runGit(environment, { arguments: ['fsck'] }))

    expect(run.code).toBe(3)
    expect(run.stderr.length).toBeLessThanOrEqual(64 * 1024)
    expect(run.stderr).toMatch(/last line\n$/)
  })

  it('passes on complete records even if they arrive in pieces', async () => {
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

  it('succeeds if the caller has enough output and ends git early', async () => {
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

  it('does not pass on the environment of this process', async () => {
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
  it('writes its configuration before the first run and replaces an existing file', async () => {
    const gitConfigFile = join(directory, 'made', 'gitconfig')
    const call = { arguments: ['config', '--get', 'safe.directory'] as const }

    expect(succeeded(await createGit({ gitConfigFile })(call)).stdout.toString()).toBe('*\n')

    writeFileSync(gitConfigFile, '[alias]\n\tx = !touch\n')
    expect(succeeded(await createGit({ gitConfigFile })(call)).stdout.toString()).toBe('*\n')
    expect(readFileSync(gitConfigFile, 'utf8')).not.toContain('alias')
  })
})
