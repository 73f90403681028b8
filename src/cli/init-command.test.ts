import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { runCli } from './run-cli.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import { SAMPLE_AT } from './testing/sample-wire.ts'
import type { StandInOptions } from './testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

const initRepository = () => execFileSync('git', ['init', '--quiet', trial.path()])

/** Runs a command in a repository. */
function runAgainst(options: StandInOptions, words: readonly string[]) {
  initRepository()
  return trial.run(options, words)
}

describe('muster init', () => {
  it('says why muster.yaml can not be written', async () => {
    initRepository()
    mkdirSync(join(trial.path(), 'muster.yaml'))
    const given = trial.surroundings()
    expect(await runCli(given, ['--home', join(trial.path(), 'home'), 'init', '--force'])).toBe(1)
    expect(given.stderrText()).toMatch(
      /error: \S+muster\.yaml can't be written\n {2}why: illegal operation on a directory\n$/,
    )
  })

  it('never overwrites the file that a muster.yaml links to', async () => {
    initRepository()
    const target = join(trial.path(), 'profile')
    writeFileSync(target, 'mine')
    symlinkSync(target, join(trial.path(), 'muster.yaml'))
    const { code, err } = await runAgainst({ answers: () => undefined }, ['init', '--force'])
    expect([code, readFileSync(target, 'utf8')]).toEqual([1, 'mine'])
    expect(err).toContain('it is a symbolic link; remove it first')
  })

  it('writes muster.yaml once and refuses to overwrite it', async () => {
    initRepository()
    writeFileSync(join(trial.path(), 'go.mod'), 'module x\n')
    const first = trial.surroundings()
    // No daemon can start here, so the file stays untrusted, which is only worth a remark.
    const init = ['--home', join(trial.path(), 'home'), 'init']
    expect(await runCli(first, init)).toBe(0)
    expect(first.stderrText()).toContain('not trusted yet')
    expect(readFileSync(join(trial.path(), 'muster.yaml'), 'utf8')).toContain('go test ./...')

    const second = trial.surroundings()
    expect(await runCli(second, init)).toBe(3)
    expect(second.stderrText()).toContain('init --force')
    expect(await runCli(trial.surroundings(), [...init, '--force'])).toBe(0)
  })

  it('names everything that is left to do before the first job', async () => {
    const environment = { PATH: process.env['PATH'] }
    initRepository()
    const init = async (program: string) => {
      const bin = join(trial.path(), program)
      mkdirSync(bin)
      symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bin, 'git'))
      if (program !== 'none') writeFileSync(join(bin, program), '', { mode: 0o755 })
      const options = { answers: () => undefined }
      const { out } = await trial.run(options, ['init', '--force'], { environment: { PATH: bin } })
      return out.slice(out.indexOf('  next: '))
    }
    expect(await init('none')).toBe(
      '  next: install an agent\n  then: git add -A && git commit -m "start"\n  then: muster run "what you want done"\n',
    )
    const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a', '--allow-empty']
    execFileSync('git', commit, { cwd: trial.path(), env: environment })
    expect(await init('claude')).toBe('  next: muster run "what you want done"\n')
  })

  it("leaves the work to the agents in the person's own file", async () => {
    initRepository()
    const agent = (name: string, roles: readonly string[]) => ({
      ...{ name, provider: 'command', roles, environmentNames: [] },
    })
    const agents = [agent('mine', ['worker']), agent('critic', ['reviewer']), agent('claude', ['worker'])]
    const listed = { agents, roles: {}, checks: [] }
    const { out } = await runAgainst(
      { answers: (_, path) => (path === '/api/agents' ? listed : undefined) },
      ['init'],
    )
    expect(out).toContain('agents from your own configuration: mine\n')
    expect(out).toContain('then: muster run')
    const text = readFileSync(join(trial.path(), 'muster.yaml'), 'utf8')
    expect(text).not.toMatch(/^(?:agents|planner):/m)
    expect(text).toContain('# ~/.config/muster/config.yaml do the work')
  })

  it('says that every command will ask, if bubblewrap does not work or a setting disables it', async () => {
    initRepository()
    const initAgainst = (containment: string, sandboxLevel?: string) => {
      const listed = sandboxLevel && { agents: [], roles: {}, checks: [], sandboxLevel }
      const daemon = { pid: 1, version: '1', startedAt: SAMPLE_AT, uptimeMs: 1, home: '/m', containment }
      const status = { daemon, jobs: [], sessions: [], waiting: [] }
      return runAgainst({ answers: (_, path) => (path === '/api/agents' ? listed : status) }, [
        'init',
        '--force',
      ])
    }
    const asks = 'every shell command of an agent waits for your approval'
    expect((await initAgainst('pid-namespace')).out).toContain(asks)
    expect((await initAgainst('bubblewrap')).out).not.toContain(asks)
    expect((await initAgainst('bubblewrap', 'bubblewrap')).out).not.toContain(asks)
    const weakened = await initAgainst('bubblewrap', 'pid-namespace')
    expect(weakened.out).toContain(asks)
    expect(weakened.out).toContain('to change that: remove `sandbox.level`')
  })
})
